import {InvalidParameterError, RunAbortedError, WorkerFailedError} from '@epsball/clustering';
import {afterAll, describe, expect, it} from 'vitest';
import {taskModule, WorkerPool} from '../src/index.ts';
import type * as sumTasks from './sumTasks.ts';
import {threadsOf} from './threadsOf.ts';
import {evenBounds, sharedNumbers} from './waveInputs.ts';

const tasks = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');

describe.for([1, 2, 3])('a pool of %i threads', (threads) => {
  const pool = new WorkerPool({threads});
  afterAll(() => pool.destroy());

  it('returns results by chunk', async () => {
    const values = sharedNumbers(100);
    const {results, threadMs} = await pool.wave(tasks, 'sum', {
      phase: 'sums',
      input: {values},
      bounds: evenBounds(10, 10),
    });
    expect(results).toEqual(Array.from({length: 10}, (_, k) => 100 * k + 45));
    expect(threadMs).toHaveLength(threads);
    expect(Math.max(...threadMs)).toBeGreaterThan(0);
  });

  it('writes into shared memory without a copy', async () => {
    const values = sharedNumbers(50);
    await pool.wave(tasks, 'double', {phase: 'doubling', input: {values}, bounds: [0, 7, 7, 50]});
    expect([...values]).toEqual(Array.from({length: 50}, (_, i) => 2 * i));
  });

  it('runs far more chunks than threads', async () => {
    const counts = new Int32Array(new SharedArrayBuffer(4));
    await pool.wave(tasks, 'count', {phase: 'counting', input: {counts}, bounds: evenBounds(1000, 1)});
    expect(counts[0]).toBe(1000);
  });

  it('accepts a wave without chunks', async () => {
    expect(
      (await pool.wave(tasks, 'count', {phase: 'none', input: {counts: new Int32Array(1)}, bounds: [0]})).results,
    ).toEqual([]);
  });

  it('fails with phase, range and cause, and goes on working', async () => {
    const failing = pool.wave(tasks, 'failAt', {phase: 'clusters', input: {at: 17}, bounds: evenBounds(4, 10)});
    const error = await failing.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkerFailedError);
    expect(error).toMatchObject({phase: 'clusters', range: [10, 20], code: 'WORKER_FAILED'});
    expect((error as Error).message).toBe('worker failed in clusters on range 10..20: no value at 17');
    expect((error as Error).cause).toBeInstanceOf(RangeError);
    expect(((error as Error).cause as Error).message).toBe('no value at 17');
    const {results} = await pool.wave(tasks, 'failAt', {phase: 'again', input: {at: -1}, bounds: evenBounds(4, 10)});
    expect(results).toEqual([10, 10, 10, 10]);
  });

  it('replaces a thread that dies', async () => {
    const dying = pool.wave(tasks, 'endThread', {phase: 'core', input: {status: 3}, bounds: [0, 5]});
    await expect(dying).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'core', range: [0, 5]});
    const {results} = await pool.wave(tasks, 'failAt', {phase: 'again', input: {at: -1}, bounds: evenBounds(9, 1)});
    expect(results).toHaveLength(9);
  });

  it('fails a wave whose input, result or error cannot be copied, and goes on working', async () => {
    const bounds = evenBounds(4, 10);
    const input = pool.wave(tasks, 'failAt', {phase: 'input', input: {at: (() => 1) as never}, bounds});
    await expect(input).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'input', range: [0, 40]});
    const result = pool.wave(tasks, 'returnFunction', {phase: 'result', input: {}, bounds});
    await expect(result).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'result'});
    const thrown = pool.wave(tasks, 'throwFunction', {phase: 'error', input: {}, bounds: [0, 1]});
    await expect(thrown).rejects.toMatchObject({name: 'WorkerFailedError', range: [0, 1]});
    const missing = pool.wave(taskModule<typeof sumTasks>(import.meta.url, 'noTasks'), 'sum', {
      phase: 'module',
      input: {values: new Float64Array(1)},
      bounds,
    });
    await expect(missing).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'module', range: [0, 40]});
    const {results} = await pool.wave(tasks, 'failAt', {phase: 'again', input: {at: -1}, bounds});
    expect(results).toEqual([10, 10, 10, 10]);
  });

  it('reports progress', async () => {
    const reports: number[] = [];
    const onProgress = (done: number): void => void reports.push(done);
    // Ends after two reports, however long they take.
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const bounds = evenBounds(100, 1);
    const wave = pool.wave(tasks, 'waitFor', {phase: 'clusters', input: {counts, ms: 5}, bounds, onProgress});
    while (reports.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    Atomics.store(counts, 0, 1);
    await wave;
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
    expect(reports[0]).toBeGreaterThan(0);
    expect(new Set(reports).size).toBe(reports.length);
    expect(reports.at(-1)).toBeLessThanOrEqual(100);
  });

  it('rejects with the error of a progress listener, and goes on working', async () => {
    const wave = pool.wave(tasks, 'spin', {
      phase: 'clusters',
      input: {ms: 10},
      bounds: evenBounds(3000, 1),
      onProgress: () => {
        throw new RangeError('no more');
      },
    });
    await expect(wave).rejects.toThrow(new RangeError('no more'));
    const {results} = await pool.wave(tasks, 'failAt', {phase: 'again', input: {at: -1}, bounds: [0, 10]});
    expect(results).toEqual([10]);
  });

  it('rejects a wave whose signal has fired', async () => {
    const wave = {phase: 'index', input: {at: -1}, bounds: [0, 1], signal: AbortSignal.abort('enough')};
    await expect(pool.wave(tasks, 'failAt', wave)).rejects.toThrow(RunAbortedError);
  });

  it('ends a wave between two chunks when the signal fires, and keeps its threads', async () => {
    const before = await threadsOf(pool);
    const controller = new AbortController();
    const wave = pool.wave(tasks, 'spin', {
      phase: 'clusters',
      input: {ms: 10},
      bounds: evenBounds(3000, 1),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort('too slow'), 30);
    await expect(wave).rejects.toMatchObject({name: 'RunAbortedError', cause: 'too slow'});
    const after = await threadsOf(pool);
    expect(after.filter((id) => !before.includes(id))).toEqual([]);
  });
});

describe('WorkerPool', () => {
  it.each([0, -1, 1.5, NaN])('refuses %s threads', (threads) => {
    expect(() => new WorkerPool({threads})).toThrow(InvalidParameterError);
  });

  it('refuses options that it does not know', () => {
    expect(() => new WorkerPool({thread: 2} as never)).toThrow('option = "thread"; expected one of');
  });

  it('refuses more than 1024 threads', () => {
    expect(() => new WorkerPool({threads: 1025})).toThrow('threads = 1025; expected an integer from 1 to 1024');
  });

  it('starts threads beyond the processors only when a wave has chunks for them', async () => {
    const before = process.cpuUsage();
    using pool = new WorkerPool({threads: 1000});
    const {results} = await pool.wave(tasks, 'failAt', {phase: 'one', input: {at: -1}, bounds: [0, 1, 2]});
    expect(results).toEqual([1, 1]);
    // A thousand threads take a minute of CPU time.
    expect(process.cpuUsage(before).user).toBeLessThan(5e6);
  });

  it('numbers its threads from 0', async () => {
    using pool = new WorkerPool({threads: 3});
    const wave = {phase: 'threads', input: {ms: 2}, bounds: evenBounds(30, 1)};
    for (let k = 0; k < 4; k++) {
      const {threadMs} = await pool.wave(tasks, 'spin', wave);
      expect(threadMs).toHaveLength(3);
      expect(Math.max(...threadMs)).toBeGreaterThan(0);
    }
    const {threadMs} = await pool.wave(tasks, 'spin', {...wave, bounds: [0, 1]});
    expect(threadMs.filter((ms) => ms > 0)).toHaveLength(1);
  });

  it.for([
    [[], 'bounds.length = 0; expected an integer ≥ 1'],
    [[3, 2], 'bounds[1] = 2; expected an integer ≥ 3'],
    [[0, NaN], 'bounds[1] = NaN'],
    [[0, 5, 4, 9], 'bounds[2] = 4'],
    [[-1, 4], 'bounds[0] = -1; expected an integer ≥ 0'],
  ] as const)('refuses the bounds %j', async ([bounds, message]) => {
    using pool = new WorkerPool({threads: 1});
    const wave = pool.wave(tasks, 'failAt', {phase: 'one', input: {at: -1}, bounds});
    await expect(wave).rejects.toThrow(InvalidParameterError);
    await expect(wave).rejects.toThrow(message);
  });

  it('passes bounds of any size', async () => {
    using pool = new WorkerPool({threads: 1});
    const bounds = [0, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1];
    const {results} = await pool.wave(tasks, 'boundsOf', {phase: 'bounds', input: {}, bounds});
    expect(results).toEqual([0, 1, 2].map((k) => [bounds[k], bounds[k + 1], k]));
  });

  it('may be destroyed twice, and refuses waves afterwards', async () => {
    const pool = new WorkerPool({threads: 1});
    pool.destroy();
    pool.destroy();
    await expect(pool.wave(tasks, 'failAt', {phase: 'late', input: {at: 0}, bounds: [0, 1]})).rejects.toThrow(
      WorkerFailedError,
    );
  });

  it('fails the wave that runs while it is destroyed', async () => {
    const pool = new WorkerPool({threads: 1});
    const wave = pool.wave(tasks, 'spin', {phase: 'clusters', input: {ms: 20}, bounds: evenBounds(100, 1)});
    setTimeout(() => pool.destroy(), 30);
    await expect(wave).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'clusters'});
  });
});
