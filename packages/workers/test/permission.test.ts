import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, it} from 'vitest';

/** Runs a program under Node's permission model, with all reads allowed. Returns what it prints. */
function runRestricted(program: string, flags: readonly string[] = []): string {
  const {stdout, stderr} = spawnSync(
    process.execPath,
    [
      '--permission',
      '--allow-fs-read=*',
      ...flags,
      '--no-warnings',
      '--conditions=@epsball/source',
      '--input-type=module',
      '--eval',
      `import {WorkerPool} from '@epsball/workers'; ${program}`,
    ],
    {cwd: join(import.meta.dirname, '..'), encoding: 'utf8'},
  );
  expect(stderr).toBe('');
  return stdout;
}

it("a pool names Node's permission model if it refuses threads, and the flag that it names works", () => {
  const program = `
    try {
      new WorkerPool({threads: 1}).destroy();
      process.stdout.write('created');
    } catch ({name, message}) {
      process.stdout.write(name + ': ' + message);
    }`;
  expect(runRestricted(program)).toBe(
    "WorkersUnavailableError: Node's permission model refuses worker threads; expected the flag --allow-worker",
  );
  expect(runRestricted(program, ['--allow-worker'])).toBe('created');
});
