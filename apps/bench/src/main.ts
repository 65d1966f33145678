import {EXIT, exitCodeOf, lineOf} from './errors.ts';
import {createProgram} from './program.ts';

/**
 * Runs one command line. Sets `process.exitCode` (0 good, 1 failure, 2 usage or input, 130 Ctrl-C) and never calls
 * `process.exit`: a device may still be closing.
 *
 * @param args  without the interpreter and the script
 */
export async function main(args: readonly string[]): Promise<void> {
  // `epsball … | head` closes the pipe early; that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await createProgram().parseAsync(args, {from: 'user'});
  } catch (error) {
    process.exitCode = exitCodeOf(error);
    const line = lineOf(error);
    if (process.exitCode !== EXIT.ok && line !== undefined) process.stderr.write(`epsball: ${line}\n`);
  }
}
