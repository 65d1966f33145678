import type {Command} from 'commander';
import {takeColorFlags} from './color.ts';
import {EXIT, exitCodeOf, lineOf} from './errors.ts';
import {FIRST_STEPS} from './firstSteps.ts';
import {withInstallLines} from './installLine.ts';
import {createProgram} from './program.ts';

/**
 * Runs one command line. Sets `process.exitCode` (0 success, 1 failure, 2 usage or input, 130 Ctrl-C, 143 SIGTERM,
 * 129 SIGHUP) and never calls `process.exit`, because a device may still be closing.
 *
 * @param args     without the interpreter and the script
 * @param program  the commands. Default: those of this package
 */
export async function main(args: readonly string[], program: Command = createProgram()): Promise<void> {
  let unwritable: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (unwritable !== undefined) return;
    unwritable = error;
    // `epsball … | head` closes the pipe early, which is not a failure.
    if (error.code === 'EPIPE') return;
    process.exitCode = EXIT.failure;
    process.stderr.write(`epsball: standard output cannot be written (${error.message})\n`);
  });
  // A closed terminal cannot show an error.
  process.stderr.on('error', () => {});
  try {
    const words = takeColorFlags(args);
    if (words.length === 0) process.stdout.write(FIRST_STEPS);
    else await program.parseAsync(words, {from: 'user'});
  } catch (error) {
    // The listener above has already reported this error.
    if (unwritable && (error === unwritable || (error instanceof Error && error.cause === unwritable))) return;
    const code = exitCodeOf(error);
    // Help and version throw an error of code 0. It must not hide a failure to print them.
    if (code !== EXIT.ok || unwritable === undefined) process.exitCode = code;
    const line = lineOf(error, args);
    if (code === EXIT.ok || line === undefined) return;
    const shown = withInstallLines(line);
    // An error without control characters loads nothing more.
    const isPlain = !/[\p{C}\p{Zl}\p{Zp}]/u.test(shown);
    const escaped = isPlain ? shown : (await import('@epsball/datasets')).escapeControls(shown);
    process.stderr.write(`epsball: ${escaped}\n`);
  }
}
