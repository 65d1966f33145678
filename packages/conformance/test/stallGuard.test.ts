import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const GUARD = join(ROOT, '.config/stallGuard.ts');

/** Limits that a test can wait for. */
const IDLE = {ticks: 20, cpuS: 0.5};
/** On a busy machine vitest itself waits for so long before it begins. */
const PATIENT_TICKS = [20, 100, 500, 2500];

type StallOf = (
  cpuAtTicks: readonly number[],
  cpuS: number,
  limits: {readonly endlessCpuS: number; readonly idle: typeof IDLE},
  busyTicks?: number,
) => string | undefined;
const {stallOf} = (await import(GUARD)) as {readonly stallOf: StallOf};
const {cpuOfTree} = (await import(join(ROOT, '.config/cpuOfTree.ts'))) as {
  readonly cpuOfTree: (root: number) => {readonly isBusy: boolean} | undefined;
};

describe('the guard against tests that hang', () => {
  it('lets a run go on that uses CPU time, however slowly', () => {
    const starved = Array.from({length: 100}, (_, tick) => 0.03 * tick);
    expect(stallOf(starved, 3, {endlessCpuS: 900, idle: IDLE})).toBeUndefined();
  });

  it('lets a run go on that waits for a processor most of the time', () => {
    const limits = {endlessCpuS: 900, idle: IDLE};
    expect(stallOf(Array(20).fill(7), 7.1, limits, 15)).toBeUndefined();
    expect(stallOf(Array(20).fill(7), 7.1, limits, 2)).toMatch('all processes wait');
    expect(stallOf([7, 500], 908, limits, 20)).toMatch('no test ended in 900 s of CPU time');
  });

  it.skipIf(process.platform !== 'linux')('tells processes that compute from those that wait', async () => {
    for (const [source, isBusy] of [
      ['process.stdout.write("x"); for (;;);', true],
      ['process.stdout.write("x"); setInterval(() => {}, 1e6);', false],
    ] as const) {
      const child = spawn(process.execPath, ['-e', source]);
      await new Promise((resolve) => child.stdout.once('data', resolve));
      // A process that has just started may still compute.
      while (cpuOfTree(child.pid ?? 0)?.isBusy !== isBusy) await setTimeout(10);
      child.kill('SIGKILL');
    }
  });

  it('ends a run that waits, or computes without end', () => {
    const limits = {endlessCpuS: 900, idle: IDLE};
    expect(stallOf(Array(19).fill(7), 7, limits)).toBeUndefined();
    expect(stallOf(Array(20).fill(7), 7.4, limits)).toMatch('all processes wait');
    expect(stallOf([7, 500], 908, limits)).toMatch('no test ended in 900 s of CPU time');
  });

  it.skipIf(process.platform !== 'linux').for([
    ['waits', 'setInterval(() => {}, 1e6); await new Promise(() => {});', 900],
    ['loops', 'for (;;);', 2],
    // The process inherits the worker's output, and vitest waits until that is closed.
    ['leaves a process', `spawn('sleep', ['60'], {detached: true, stdio: 'inherit'});`, 900],
  ] as const)('kills a test that %s, and names its file', async ([, body, endlessCpuS]) => {
    using folder = temporaryFolder();
    writeFileSync(
      join(folder.path, 'hang.test.ts'),
      `import {spawn} from 'node:child_process';
       import {it} from 'vitest';
       it('never ends', async () => { ${body} });`,
    );
    let ended = {status: 0 as number | null, stderr: ''};
    for (const ticks of PATIENT_TICKS) {
      const idle = JSON.stringify({...IDLE, ticks});
      writeFileSync(
        join(folder.path, 'config.ts'),
        `import {StallGuard} from ${JSON.stringify(GUARD)};
         const guard = new StallGuard({endlessCpuS: ${endlessCpuS}, idle: ${idle}, tickMs: 50});
         export default {test: {include: ['*.test.ts'], testTimeout: 0, teardownTimeout: 2 ** 31 - 1, pool: 'forks',
           reporters: ['default', guard]}};`,
      );
      ended = await runVitest(folder.path);
      if (ended.stderr.includes('hang.test.ts')) break;
    }
    const {status, stderr} = ended;
    expect(stderr).toMatch(/^stalled: /m);
    expect(stderr).toContain('hang.test.ts');
    expect(status).toBe(1);
  });
});

function temporaryFolder(): {readonly path: string} & Disposable {
  // Inside the package, where vitest resolves.
  const path = mkdtempSync(join(import.meta.dirname, 'stall-'));
  return {path, [Symbol.dispose]: () => rmSync(path, {recursive: true})};
}

async function runVitest(folder: string): Promise<{status: number | null; stderr: string}> {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const {promise, resolve} = Promise.withResolvers<number | null>();
  const child = spawn(process.execPath, [vitest, 'run', '--config', 'config.ts'], {cwd: folder});
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdout.resume();
  child.on('close', resolve);
  return {status: await promise, stderr};
}
