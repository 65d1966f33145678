import {vi} from 'vitest';
import {main} from '../src/main.ts';

/** Runs a command in this process, which is fast, and leaves out what it prints to standard output. */
export async function runMain(args: readonly string[]): Promise<{code: number; stderr: string}> {
  const {exitCode} = process;
  process.exitCode = 0;
  // Each run adds listeners.
  process.stdout.setMaxListeners(0);
  process.stderr.setMaxListeners(0);
  let stderr = '';
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  try {
    await main(args);
    return {code: process.exitCode, stderr};
  } finally {
    out.mockRestore();
    err.mockRestore();
    process.exitCode = exitCode;
  }
}
