import {afterAll, describe, expect, it} from 'vitest';
import type {MeanShiftParams} from '../src/algorithm.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {mergeModes} from '../src/modes/mergeModes.ts';
import {firedAt} from './firedSignal.ts';
import {cloud} from './clusteredPoints.ts';
import {testMeanShift} from './meanShiftContract.ts';

describe('mean shift on one thread', () => {
  const meanShift = createMeanShiftSequential();
  afterAll(() => meanShift.destroy());

  testMeanShift({get: () => meanShift, tolerance: 1e-12, dims: [1, 2, 3, 4, 5, 7]});

  it.each([1e-30, 1e-160, 1e-300, 5e-324])('merges only equal points at a bandwidth of %s', async (bandwidth) => {
    const coords = Float64Array.of(0, 0, 1e10, 5, 1e10, 5, -3, 2);
    const {labels, shifted} = await meanShift.run({coords, dim: 2}, {bandwidth});
    expect(shifted).toEqual(coords);
    expect([...labels]).toEqual([1, 0, 0, 2]);
  });

  it.each<[string, number[], number, MeanShiftParams, MeanShiftParams[], string]>([
    [
      'a frequency that no bin has',
      [0, 0.1, 5],
      1,
      {bandwidth: 1, binSeeding: true, minBinFrequency: 3},
      [{bandwidth: 1, binSeeding: true, minBinFrequency: 2}],
      'minBinFrequency = 3; expected at most the number of points of some bin',
    ],
    [
      'bins whose middle is far from their points',
      Array.from({length: 18}, () => 0.49),
      9,
      {bandwidth: 1, kernel: 'flat', binSeeding: true},
      [
        {bandwidth: 1, kernel: 'flat', binSeeding: false},
        {bandwidth: 4, kernel: 'flat', binSeeding: true},
      ],
      'binSeeding = true; expected false, or a larger bandwidth: no bin has a point within reach of its middle',
    ],
    [
      'a bandwidth below the rounding of a mean',
      [0.1, 0.1, 0.1],
      1,
      {bandwidth: 1e-20, kernel: 'flat'},
      [
        {bandwidth: 0, kernel: 'flat'},
        {bandwidth: 1e-10, kernel: 'flat'},
      ],
      'bandwidth = 1e-20; expected 0, or a value above the rounding of coordinates',
    ],
  ])('names what was given if no trajectory meets a point: %s', async (_, rows, dim, params, advised, message) => {
    const points = {coords: Float64Array.from(rows), dim};
    const failing = meanShift.run(points, params);
    await expect(failing).rejects.toThrow(message);
    for (const works of advised) expect((await meanShift.run(points, works)).labels.length).toBe(rows.length / dim);
  });

  it.each<Omit<MeanShiftParams, 'bandwidth'>>([{cut: 1}, {kernel: 'flat'}, {cut: 1, assignment: 'nearest'}])(
    'ends if the signal fires while points are labelled, and the next run works: %o',
    async (params) => {
      const points = cloud(9000, 2, Float32Array);
      // All trajectories have ended: the last check of the signal before the labels finds it fired.
      const signal = firedAt(Infinity);
      const bandwidth = 0.02;
      await meanShift.run(points, {bandwidth, maxIterations: 1, ...params}, {signal});
      const running = meanShift.run(points, {bandwidth, maxIterations: 1, ...params}, {signal: firedAt(signal.looks)});
      await expect(running).rejects.toThrow('run aborted in labels');
      const {labels} = await meanShift.run(points, {bandwidth, maxIterations: 1, ...params});
      expect(labels.length).toBe(9000);
    },
  );

  it('refuses runs after destroy()', async () => {
    const gone = createMeanShiftSequential();
    gone.destroy();
    gone.destroy();
    await expect(gone.run(cloud(5, 2, Float32Array), {bandwidth: 1})).rejects.toThrow('destroyed');
  });
});

describe('mergeModes', () => {
  it('merges modes across a cell border, and numbers clusters by support', () => {
    // Two heaps of modes on borders of cells; the second has more.
    const shifted = Float64Array.of(-1e-9, 1e-9, 0, 5 - 1e-9, 5 + 1e-9, 5, 5);
    const {labels, clusterCenters, support} = mergeModes(shifted, 1, 1);
    expect([...labels]).toEqual([1, 1, 1, 0, 0, 0, 0]);
    expect([...support]).toEqual([4, 3]);
    expect(clusterCenters[0]).toBeCloseTo(5, 12);
    expect(clusterCenters[1]).toBeCloseTo(0, 12);
  });

  it('keeps modes apart that are farther than a bandwidth, and joins those at exactly one', () => {
    expect([...mergeModes(Float64Array.of(0, 1), 1, 1).labels]).toEqual([0, 0]);
    expect([...mergeModes(Float64Array.of(0, 1.0001), 1, 1).labels]).toEqual([0, 1]);
  });

  it('numbers clusters of equal size by their first mode, and leaves lost modes out', () => {
    const {labels, support} = mergeModes(Float64Array.of(9, 9, 3, 7), 1, 0.5, Uint8Array.of(1, 0, 0, 0));
    expect([...labels]).toEqual([-1, 0, 1, 2]);
    expect([...support]).toEqual([1, 1, 1]);
  });
});
