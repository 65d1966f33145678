import {vi} from 'vitest';
import {main} from '../src/main.ts';
import {runEpsball, type Ended, type RunOptions} from './runEpsball.ts';

/**
 * Runs a command in this process: a process of its own takes half a second of CPU time to start. A command that reads
 * standard input gets one all the same. One command at a time.
 */
export async function runMain(
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'input'> = {},
): Promise<Ended> {
  if (options.input !== undefined) return runEpsball(args, options);
  const {exitCode} = process;
  const folder = process.cwd();
  process.exitCode = 0;
  // Each run adds listeners.
  process.stdout.setMaxListeners(0);
  process.stderr.setMaxListeners(0);
  const texts = {stdout: '', stderr: ''};
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text: string | Uint8Array, ...more: unknown[]) => {
      texts[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      const written = more.find((one) => typeof one === 'function');
      if (written !== undefined) process.nextTick(written);
      return true;
    }),
  );
  try {
    if (options.cwd !== undefined) process.chdir(options.cwd);
    await main(args);
    return {code: process.exitCode, ...texts};
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(folder);
    process.exitCode = exitCode;
  }
}
