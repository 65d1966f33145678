import {afterAll, describe, expect, it} from 'vitest';
import {taskModule, WorkerPool, type Step} from '../src/index.ts';
import type {Rounds} from './stepTasks.ts';
import type * as stepTasks from './stepTasks.ts';
import {evenBounds} from './waveInputs.ts';

const tasks = taskModule<typeof stepTasks>(import.meta.url, 'stepTasks');

function rounds(n: number): Rounds {
  return {
    words: new Int32Array(new SharedArrayBuffer(4 * n)),
    early: new Int32Array(new SharedArrayBuffer(4)),
  };
}

function raising(bounds: readonly number[] | number, phase = 'rounds'): Step<'raise'> {
  return {phase, name: 'raise', bounds};
}

describe.for([1, 2, 3, 7])('steps on %i threads', (threads) => {
  const pool = new WorkerPool({threads});
  afterAll(() => pool.destroy());

  it('begin when the step before is done, with more chunks than threads', async () => {
    for (let repeat = 0; repeat < 200; repeat++) {
      const input = rounds(60);
      const bounds = [evenBounds(60, 1), evenBounds(2, 30), evenBounds(20, 3), evenBounds(1, 60), evenBounds(12, 5)];
      const {ended} = pool.steps(tasks, {input, steps: bounds.map((one) => raising(one))});
      const {threadMs, wallMs} = await ended;
      expect([...input.words]).toEqual(Array.from({length: 60}, () => 5));
      expect(input.early[0]).toBe(0);
      expect(threadMs.map((ofStep) => ofStep.length)).toEqual(Array.from({length: 5}, () => threads));
      expect(Math.min(...wallMs)).toBeGreaterThan(0);
    }
  });

  it('wait while they are closed', async () => {
    const input = rounds(40);
    const steps = [raising(evenBounds(4, 10)), raising(20), {...raising(3), name: 'raiseAgain' as const}];
    const wave = pool.steps(tasks, {input, steps});
    while (input.words.some((word) => word === 0)) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(Math.max(...input.words)).toBe(1);
    wave.open([evenBounds(20, 2), [0, 40, 40, 40]]);
    await wave.ended;
    expect([...input.words]).toEqual(Array.from({length: 40}, () => 3));
  });

  it('return the results of chunks, numbered from 0 in each step, and report progress', async () => {
    const seen: number[] = [];
    const step = {phase: 'names', name: 'nameChunk' as const};
    const wave = pool.steps(tasks, {
      input: {ms: 8},
      steps: [
        {...step, bounds: evenBounds(3, 5)},
        {...step, bounds: evenBounds(2, 7)},
      ],
      onProgress: (done) => seen.push(done),
    });
    const {results} = await wave.ended;
    const first = ['0: 0 to 5', '1: 5 to 10', '2: 10 to 15'];
    expect(results).toEqual([first, ['0: 0 to 7', '1: 7 to 14']]);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  it('run in order if closed steps open at once', async () => {
    for (let repeat = 0; repeat < 50; repeat++) {
      const input = rounds(60);
      const wave = pool.steps(tasks, {input, steps: [raising([0, 60]), raising(30), raising(60), raising(1)]});
      wave.open([evenBounds(30, 2), evenBounds(60, 1), [0, 60]]);
      const {threadMs: ms} = await wave.ended;
      expect([...input.words]).toEqual(Array.from({length: 60}, () => 4));
      expect(input.early[0]).toBe(0);
      expect(ms.map((ofStep) => ofStep.length)).toEqual(Array.from({length: 4}, () => threads));
    }
  });

  it('fail with phase and range of the chunk, and begin no later step', async () => {
    const input = rounds(10);
    const failing = {phase: 'clusters', name: 'fail' as const, bounds: [0, 5, 10]};
    const {ended} = pool.steps(tasks, {input, steps: [raising([0, 10]), failing, raising([0, 10], 'borders')]});
    await expect(ended).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'clusters', range: [0, 5]});
    expect(Math.max(...input.words)).toBe(1);
  });

  it('end while they are closed: by stop, by the signal, or by the death of a thread', async () => {
    const steps = [raising([0, 10]), raising(2 * threads, 'clusters')];
    const stopped = pool.steps(tasks, {input: rounds(10), steps});
    stopped.stop(new RangeError('no edges'));
    await expect(stopped.ended).rejects.toMatchObject({cause: new RangeError('no edges')});
    const controller = new AbortController();
    const aborted = pool.steps(tasks, {input: rounds(10), steps, signal: controller.signal});
    await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort('enough');
    await expect(aborted.ended).rejects.toMatchObject({name: 'RunAbortedError'});
    const dying = {phase: 'index', name: 'exitThread' as const, bounds: [0, 1, 2, 3]};
    const dead = pool.steps(tasks, {input: rounds(10), steps: [dying, raising(2)]});
    await expect(dead.ended).rejects.toMatchObject({name: 'WorkerFailedError', phase: 'index', range: [0, 3]});
    const input = rounds(10);
    await pool.steps(tasks, {input, steps: [raising([0, 3, 10])]}).ended;
    expect([...input.words]).toEqual(Array.from({length: 10}, () => 1));
  });

  it('ignore stop after their end', async () => {
    const input = rounds(10);
    const wave = pool.steps(tasks, {input, steps: [raising([0, 10])]});
    while (input.words[9] === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await wave.ended;
    wave.stop(new RangeError('too late'));
    await expect(wave.ended).resolves.toMatchObject({results: [[undefined]]});
  });
});

describe('steps on a pool that is destroyed', () => {
  it('reject, and run nothing', async () => {
    const pool = new WorkerPool({threads: 1});
    pool.destroy();
    const input = rounds(3);
    const wave = pool.steps(tasks, {input, steps: [raising([0, 3])]});
    await expect(wave.ended).rejects.toMatchObject({name: 'WorkerFailedError'});
    expect([...input.words]).toEqual([0, 0, 0]);
  });
});

describe('steps refuse', () => {
  const pool = new WorkerPool({threads: 1});
  afterAll(() => pool.destroy());
  const begin = (steps: readonly Step<'raise'>[]) => () => pool.steps(tasks, {input: rounds(1), steps});

  it('an empty list, a step without chunks, and an open step after a closed one', () => {
    expect(begin([])).toThrow('steps.length = 0; expected an integer ≥ 1');
    expect(begin([raising([0])])).toThrow('steps[0].bounds.length = 1; expected an integer ≥ 2');
    expect(begin([raising([0, 1]), raising(0)])).toThrow('steps[1].bounds = 0; expected an integer ≥ 1');
    expect(begin([raising(1), raising([0, 1])])).toThrow('a number of chunks, because the step before is closed');
    expect(begin([raising([2, 1])])).toThrow('steps[0].bounds[1] = 1; expected an integer ≥ 2');
  });

  it('bounds for another number of steps or chunks', async () => {
    const wave = begin([raising([0, 1]), raising(2), raising(1)])();
    expect(() => wave.open([[0, 1, 1]])).toThrow('bounds.length = 1; expected 2, the closed steps');
    expect(() =>
      wave.open([
        [0, 1],
        [0, 1],
      ]),
    ).toThrow('bounds[0].length = 2; expected 3');
    wave.open([
      [0, 0, 1],
      [0, 1],
    ]);
    await wave.ended;
    expect(() =>
      wave.open([
        [0, 0, 1],
        [0, 1],
      ]),
    ).toThrow('bounds.length = 2; expected 0, the closed steps');
  });
});
