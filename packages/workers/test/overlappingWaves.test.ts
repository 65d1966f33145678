import {WorkerFailedError} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {taskModule, WorkerPool} from '../src/index.ts';
import type * as lateTasks from './lateTasks.ts';
import type * as sumTasks from './sumTasks.ts';
import {evenBounds, sharedNumbers} from './waveInputs.ts';

const tasks = taskModule<typeof sumTasks>(import.meta.url, 'sumTasks');
/** A module that no thread has loaded at first. */
const late = taskModule<typeof lateTasks>(import.meta.url, 'lateTasks');

/** Each round starts threads. All rounds run in `pnpm test:all`; this package may not import `conformance`. */
const ROUNDS = Number(process.env.EPSBALL_SHARE ?? 0) >= 1 ? 45 : 9;

describe('waves that overlap', () => {
  it('give the results of each', async () => {
    using pool = new WorkerPool({threads: 2});
    const values = sharedNumbers(40);
    const waves = [1, 2, 3, 4].map((count) =>
      pool.wave(tasks, 'sum', {phase: 'sums', input: {values}, bounds: evenBounds(count, 10)}),
    );
    const totals = (await Promise.all(waves)).map(({results}) => results.reduce((a, b) => a + b, 0));
    expect(totals).toEqual([45, 190, 435, 780]);
  });

  it('keep the results of a wave whose thread dies in the next wave', async () => {
    using pool = new WorkerPool({threads: 1});
    const first = pool.wave(tasks, 'failAt', {phase: 'one', input: {at: -1}, bounds: [0, 1, 3]});
    const second = pool.wave(tasks, 'endThread', {phase: 'two', input: {status: 3}, bounds: [0, 1]});
    const third = pool.wave(tasks, 'failAt', {phase: 'three', input: {at: -1}, bounds: [0, 1]});
    expect((await first).results).toEqual([1, 2]);
    await expect(second).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'two'});
    await expect(third).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'three'});
    expect((await pool.wave(tasks, 'failAt', {phase: 'four', input: {at: -1}, bounds: [0, 5]})).results).toEqual([5]);
  });

  it('run on different threads while some are idle', async () => {
    using pool = new WorkerPool({threads: 2});
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const wave = {phase: 'meeting', input: {counts, others: 2}, bounds: [0, 1]};
    const both = await Promise.all([pool.wave(tasks, 'meet', wave), pool.wave(tasks, 'meet', wave)]);
    expect(both.map(({results}) => results[0])).toEqual([true, true]);
  });

  it.for([1, 2, 3])('reach %i threads that load a module or print meanwhile', async (threads) => {
    using pool = new WorkerPool({threads});
    // Afterwards all threads listen, and have loaded one module.
    while (
      new Set((await pool.wave(tasks, 'spin', {phase: 'threads', input: {ms: 5}, bounds: evenBounds(9, 1)})).results)
        .size < threads
    );
    const counts = new Int32Array(new SharedArrayBuffer(4));
    const wave = {phase: 'late', input: {counts}, bounds: [0, 1]};
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({length: 5}, () => pool.wave(late, 'countLate', wave)));
      await Promise.all(Array.from({length: 5}, () => pool.wave(tasks, 'printNothing', wave)));
    }
    expect(counts[0]).toBe(30);
  });

  it('settle while threads die and others start', async () => {
    using pool = new WorkerPool({threads: 2});
    const sum = {phase: 'sums', input: {values: sharedNumbers(1)}, bounds: [0, 1]};
    const end = {phase: 'end', input: {status: 3}, bounds: [0, 1]};
    for (let round = 0; round < ROUNDS / 2; round++) {
      // Starts a wave, and so a thread, as soon as one has died.
      const again = (): Promise<unknown> => pool.wave(tasks, 'sum', sum);
      const dying = [0, 1].map(() => pool.wave(tasks, 'endThread', end).catch(again));
      await Promise.allSettled([...dying, pool.wave(tasks, 'sum', sum), pool.wave(tasks, 'sum', sum)]);
    }
    expect((await pool.wave(tasks, 'sum', sum)).results).toEqual([0]);
  });

  it('settle, each of them, while threads die', async () => {
    using pool = new WorkerPool({threads: 4});
    const values = sharedNumbers(240);
    const total = (240 * 239) / 2;
    for (let round = 0; round < ROUNDS; round++) {
      const dying = pool.wave(tasks, 'endThread', {phase: 'end', input: {status: 3}, bounds: [0, 1]});
      const chunkCounts = [1, 2, 3, 8, 40];
      const sums = chunkCounts.map((count) =>
        pool.wave(tasks, 'sum', {phase: 'sums', input: {values}, bounds: evenBounds(count, 240 / count)}),
      );
      await expect(dying).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'end'});
      for (const settled of await Promise.allSettled(sums)) {
        // A wave fails if the thread that died took part in it.
        if (settled.status === 'rejected') expect(settled.reason).toBeInstanceOf(WorkerFailedError);
        else expect(settled.value.results.reduce((a, b) => a + b, 0)).toBe(total);
      }
      const {results} = await pool.wave(tasks, 'sum', {
        phase: 'again',
        input: {values},
        bounds: evenBounds(round + 1, 4),
      });
      expect(results).toHaveLength(round + 1);
    }
  });
});
