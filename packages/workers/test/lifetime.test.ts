import {spawnSync, type SpawnSyncReturns} from 'node:child_process';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {describe, expect, it} from 'vitest';
import {host} from '#host';
import {taskModule, WorkerPool} from '../src/index.ts';
import {MODULE, startNodeWorker} from '../src/host/nodeThread.ts';
import type * as sumTasks from './sumTasks.ts';
import {threadsOf} from './threadsOf.ts';
import {evenBounds} from './waveInputs.ts';

const tasks = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');

describe('a pool', () => {
  it('serves waves after an idle time, on the same threads', async () => {
    using pool = new WorkerPool({threads: 2});
    const before = await threadsOf(pool);
    for (let round = 0; round < 5; round++) {
      // The event loops of threads turn after 50 ms without a wave.
      await sleep(50);
      const wave = {phase: 'late', input: {at: -1}, bounds: evenBounds(4, 10)};
      expect((await pool.wave(tasks, 'failAt', wave)).results).toEqual([10, 10, 10, 10]);
    }
    await sleep(80);
    const after = await threadsOf(pool);
    expect(after.filter((id) => !before.includes(id))).toEqual([]);
  });

  it('fails the wave that begins while threads fall asleep, if it is destroyed then', async () => {
    const pool = new WorkerPool({threads: 2});
    await threadsOf(pool);
    await sleep(50);
    const wave = pool.wave(tasks, 'spin', {phase: 'clusters', input: {ms: 20}, bounds: evenBounds(100, 1)});
    pool.destroy();
    await expect(wave).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'clusters'});
  });

  it('prints all that tasks print', () => {
    const {stdout, stderr} = runProgram(`
      const pool = new WorkerPool({threads: 2});
      await pool.wave(tasks, 'print', {phase: 'one', input: {}, bounds: [0, 1, 2]});`);
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n').toSorted()).toEqual(['end 1', 'end 2', 'start 0', 'start 1']);
  });

  it('lets the process end without destroy', () => {
    const {stdout, status, stderr} = runProgram(`
      const pool = new WorkerPool({threads: 2});
      const wave = {phase: 'one', input: {at: -1}, bounds: [0, 1, 2, 5]};
      await pool.wave(tasks, 'failAt', wave);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const {results} = await pool.wave(tasks, 'failAt', wave);
      process.stdout.write(JSON.stringify(results));`);
    expect(stderr).toBe('');
    expect(stdout).toBe('[1,1,3]');
    expect(status).toBe(0);
  });

  it('lets the process end without any wave', () => {
    const {status, stderr} = runProgram('new WorkerPool({threads: 2});');
    expect({status, stderr}).toEqual({status: 0, stderr: ''});
  });

  it('keeps the process alive while a wave runs', () => {
    const {stdout, stderr} = runProgram(`
      const pool = new WorkerPool({threads: 1});
      const {results} = await pool.wave(tasks, 'spin', {phase: 'one', input: {ms: 300}, bounds: [0, 1]});
      process.stdout.write(String(results.length));`);
    expect(stderr).toBe('');
    expect(stdout).toBe('1');
  });

  // A thread that is terminated while `require` loads an ES module aborts the process (`v8::Module::IsGraphAsync`), in
  // one of 50 runs of a loaded machine.
  it('starts its threads without require of an ES module', () => {
    const {stdout, stderr} = runProgram(
      `
      import {createRequire} from 'node:module';
      const {serve} = createRequire(import.meta.url)(${JSON.stringify(fileURLToPath(MODULE))});
      process.stdout.write(typeof serve);`,
      {NODE_OPTIONS: '--no-experimental-require-module --disable-warning=ExperimentalWarning'},
    );
    expect(stderr).toBe('');
    expect(stdout).toBe('function');
  });

  it('fails waves when no thread comes up', () => {
    const exit = 'import {isMainThread} from "node:worker_threads"; if (!isMainThread) process.exit(7);';
    const preload = `data:text/javascript,${encodeURIComponent(exit)}`;
    const {stdout, stderr} = runProgram(
      `
      const pool = new WorkerPool({threads: 2});
      for (let round = 0; round < 3; round++) {
        const wave = pool.wave(tasks, 'failAt', {phase: 'one', input: {at: -1}, bounds: [0, 1, 2, 5]});
        process.stdout.write(await wave.then(() => 'ran', ({name, phase}) => name + ' in ' + phase + '; '));
      }`,
      {NODE_OPTIONS: `--import=${preload}`},
    );
    expect(stderr).toBe('');
    expect(stdout).toBe('WorkerFailedError in one; '.repeat(3));
  });
});

/** Runs a program in a process of its own, with `WorkerPool` and the module `tasks` in scope. */
function runProgram(program: string, env: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  const isWithoutPiscina = host.startThread === startNodeWorker;
  const preload = isWithoutPiscina ? [`--import=${join(import.meta.dirname, 'useMessageThreads.ts')}`] : [];
  const scope = `import {WorkerPool} from '@epsball/workers'; const tasks = {url: ${JSON.stringify(tasks.url)}};`;
  return spawnSync(
    process.execPath,
    ['--conditions=@epsball/source', ...preload, '--input-type=module', '--eval', scope + program],
    {cwd: join(import.meta.dirname, '..'), encoding: 'utf8', env: {...process.env, ...env}},
  );
}
