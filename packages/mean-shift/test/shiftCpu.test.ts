import {InvalidParameterError} from '@epsball/clustering';
import {blobs} from '@epsball/conformance';
import {WorkerPool} from '@epsball/workers';
import {describe, expect, it} from 'vitest';
import {createShiftSequential} from '../src/index.ts';
import {createShiftWorkers} from '../src/workers/index.ts';
import {itKeepsTheContract} from './shiftContract.ts';
import {largestDifference, shiftOracle} from './shiftOracle.ts';

describe('the shift on the calling thread', () => {
  itKeepsTheContract(createShiftSequential);

  it('lets the event loop run during a long run', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    try {
      using algorithm = createShiftSequential();
      await algorithm.shift(blobs('float32', 3, 3000, {seed: 1}), {bandwidth: 0.1, maxIterations: 3});
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(0);
  });

  it.for([2, 3, 4, 5, 17])('is float64 throughout in %i dimensions', async (dim) => {
    using algorithm = createShiftSequential();
    const points = blobs('float64', dim, 150, {seed: dim});
    const params = {bandwidth: 0.1 * Math.sqrt(dim)};
    const {shifted} = await algorithm.shift(points, params);
    expect(largestDifference(shifted, shiftOracle(points, params))).toBeLessThan(1e-11);
  });
});

describe('the shift of points whose distance overflows', () => {
  it.for([createShiftSequential, () => createShiftWorkers({threads: 2})])('is 0: %s', async (create) => {
    using algorithm = create();
    for (const [coords, bandwidth] of [
      [Float64Array.of(-1.5e308, 1.5e308), 1],
      [Float64Array.of(-1e308, 1e308, 0), 1e-5],
    ] as const) {
      expect([...(await algorithm.shift({coords, dim: 1}, {bandwidth})).shifted]).toEqual([...coords]);
    }
  });
});

describe('the shift on worker threads', () => {
  it('waits in a queue, which the signal ends', async () => {
    using algorithm = createShiftWorkers({threads: 1});
    const points = blobs('float32', 3, 1500, {seed: 1});
    const first = algorithm.shift(points, {bandwidth: 0.1});
    const second = algorithm.shift(points, {bandwidth: 0.1}, {signal: AbortSignal.abort(new Error('enough'))});
    const ended: string[] = [];
    await Promise.all([first.then(() => ended.push('first')), second.catch(() => ended.push('second'))]);
    expect(ended).toEqual(['second', 'first']);
  });

  itKeepsTheContract(() => createShiftWorkers({threads: 2}));

  it.for([1, 2, 3, 7])('gives the bytes of the calling thread with %i threads', async (threads) => {
    using reference = createShiftSequential();
    using algorithm = createShiftWorkers({threads});
    for (const [n, tolerance] of [
      [1500, 0],
      [500, 1e-3],
      [threads - 1, 0],
      [threads + 1, 0],
    ]) {
      const points = blobs('float32', 3, n, {seed: n});
      const params = {bandwidth: 0.1, maxIterations: 4, tolerance};
      const [actual, expected] = [await algorithm.shift(points, params), await reference.shift(points, params)];
      expect(actual.shifted.slice()).toEqual(expected.shifted);
      expect(actual.iterations).toBe(expected.iterations);
      expect(actual.stats.counters).toMatchObject({...expected.stats.counters, threads});
    }
  });

  it('uses the caller’s threads, and leaves them running', async () => {
    using pool = new WorkerPool({threads: 2});
    const points = blobs('float32', 2, 50, {seed: 1});
    for (let round = 0; round < 2; round++) {
      using algorithm = createShiftWorkers({pool});
      expect((await algorithm.shift(points, {bandwidth: 0.1})).iterations).toBe(10);
    }
    expect(() => createShiftWorkers({pool, threads: 2})).toThrow(InvalidParameterError);
  });
});
