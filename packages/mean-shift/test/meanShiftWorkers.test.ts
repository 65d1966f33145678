import {WorkerPool} from '@epsball/workers';
import {afterAll, describe, expect, it} from 'vitest';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {createMeanShiftWorkers} from '../src/workers/workers.ts';
import {cloud} from './clusteredPoints.ts';
import {testMeanShift} from './meanShiftContract.ts';

describe('mean shift on worker threads', () => {
  const pool = new WorkerPool({threads: 3});
  const meanShift = createMeanShiftWorkers({pool});
  afterAll(() => {
    meanShift.destroy();
    pool.destroy();
  });

  testMeanShift({get: () => meanShift, tolerance: 1e-12, dims: [1, 2, 3, 4, 5, 7]});

  it.each([2, 5])('returns the bytes of the serial result in %i dimensions', async (dim) => {
    using serial = createMeanShiftSequential();
    const points = cloud(900, dim, Float32Array);
    const params = {bandwidth: 0.4, cut: 2, maxIterations: 20};
    const expected = await serial.run(points, params);
    const reports: number[] = [];
    const found = await meanShift.run(points, params, {onProgress: ({done}) => reports.push(done)});
    expect([...found.shifted]).toEqual([...expected.shifted]);
    expect(found.labels).toEqual(expected.labels);
    expect(found.clusterCenters).toEqual(expected.clusterCenters);
    expect(found.stats.counters).toEqual({...expected.stats.counters, threads: 3});
    expect(reports.at(-1)).toBe(900);
  });

  it('refuses threads together with a pool, and runs after destroy()', async () => {
    expect(() => createMeanShiftWorkers({threads: 2, pool})).toThrow('threads = 2; expected no value with `pool`');
    const gone = createMeanShiftWorkers({pool});
    gone.destroy();
    await expect(gone.run(cloud(5, 2, Float32Array), {bandwidth: 1})).rejects.toThrow('destroyed');
  });
});
