import type {PointSet} from '@epsball/clustering';
import {describe, expect, it} from 'vitest';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {flatOracle} from './flatOracle.ts';

/** Departures that docs/contract.md declares: the inputs on which scikit-learn itself gives other labels. */
describe('where scikit-learn departs', () => {
  // Two points at each of 0, 4, …, 4(k − 1), and one midway between each two of these.
  it.each([2, 3, 4, 30, 60, 61, 62, 200])(
    'a point midway between two of %d centres takes the first, whatever the number of centres',
    async (k) => {
      const centers = Array.from({length: k}, (_, c) => 4 * c);
      const midpoints = centers.slice(1).map((x) => x - 2);
      const points = {coords: Float64Array.from([...centers, ...centers, ...midpoints]), dim: 1};
      using meanShift = createMeanShiftSequential();
      const result = await meanShift.run(points, {
        kernel: 'flat',
        bandwidth: 1,
        binSeeding: true,
        minBinFrequency: 2,
      });
      // All have two points: centres of equal support come by falling coordinates.
      expect([...result.clusterCenters]).toEqual(centers.toReversed());
      const labelOf = (x: number): number => k - 1 - x / 4;
      expect([...result.labels]).toEqual([
        ...[...centers, ...centers].map(labelOf),
        ...midpoints.map((x) => labelOf(x + 2)),
      ]);
    },
  );

  const LATTICE: PointSet = {coords: Float32Array.of(2.5, 1, 2.5, 0.5, 2, 1, 2.5, 0.5, 2.5, 0.5), dim: 2};

  it('float32 points on a lattice: a mean in float32 loses a point on the border of the kernel', async () => {
    const params = {bandwidth: 0.5, clusterAll: false};
    using meanShift = createMeanShiftSequential();
    const {labels, clusterCenters} = await meanShift.run(LATTICE, {...params, kernel: 'flat'});
    expect([...labels]).toEqual([0, 0, 0, 0, 0]);
    expect([...clusterCenters]).toEqual([2.4, 0.7]);
    // The mean of all five is (2.4, 0.7). In float32 it is farther than 0.5 from (2, 1), so the next mean leaves that
    // point out.
    expect(flatOracle(LATTICE, {...params, means: 'float32'})).toEqual({
      labels: [0, 0, -1, 0, 0],
      clusterCenters: [2.5, 0.625],
    });
  });

  it('float32 points far from the origin: a mean in float32 has no digits left', async () => {
    // Near 10⁶ neighbouring float32 numbers are 1/16 apart.
    const offsets = [5, 23, 9, 18, 18, 6, 22, -2, 30, 30].map((sixteenth) => 1 + sixteenth / 16);
    const points = {coords: Float32Array.from(offsets, (x) => 1e6 + x), dim: 2};
    using meanShift = createMeanShiftSequential();
    const {labels} = await meanShift.run(points, {kernel: 'flat', bandwidth: 1});
    expect([...labels]).toEqual([1, 1, 0, 0, 2]);
    expect(flatOracle(points, {bandwidth: 1, means: 'float32'}).labels).toEqual([0, 0, 0, 0, 1]);
  });

  it('points on the border of the kernel, fewer than 12: scikit-learn rounds distances in another way', async () => {
    const points = {coords: Float64Array.of(2.5, 3.5, 3.5, 2, 0.5, 2, 3, 3, 3.5, 1.5, 0.5), dim: 1};
    using meanShift = createMeanShiftSequential();
    const {clusterCenters} = await meanShift.run(points, {kernel: 'flat', bandwidth: 2 / 3});
    // scikit-learn 1.2.1: 3.3, 2.5, 1.8333333333333333, 0.5.
    expect(clusterCenters.length).toBe(3);
  });

  it('points on the border of the kernel, more than 60: the order of the terms of a sum decides', async () => {
    // scikit-learn 1.2.1 has 2 clusters in this order.
    const lattice = Array.from({length: 80}, (_, k) => [Math.floor(k / 10) / 3, (k % 10) / 3]);
    const points = {coords: Float64Array.from(lattice.flat()), dim: 2};
    using meanShift = createMeanShiftSequential();
    const {clusterCenters} = await meanShift.run(points, {kernel: 'flat', bandwidth: 1});
    expect(clusterCenters.length / 2).toBe(3);
  });

  it.each([0, 1e3, 1e6])('float32 points have the labels of their float64 copies, offset %d', async (offset) => {
    using meanShift = createMeanShiftSequential();
    for (let seed = 1; seed <= 50; seed++) {
      const coords = Float32Array.from(numbers(seed, 2 * (4 + (seed % 20))), (x) => offset + x);
      const params = {bandwidth: 1, clusterAll: seed % 2 === 0};
      const single = await meanShift.run({coords, dim: 2}, {...params, kernel: 'flat'});
      const double = await meanShift.run({coords: Float64Array.from(coords), dim: 2}, {...params, kernel: 'flat'});
      const expected = flatOracle({coords, dim: 2}, {...params, means: 'float64'});
      expect([...single.labels], `seed ${seed}`).toEqual(expected.labels);
      expect([...double.labels], `seed ${seed}`).toEqual(expected.labels);
    }
  });
});

/** Quarters from 0 to 3, the same for a seed everywhere. */
function numbers(seed: number, count: number): number[] {
  let state = seed;
  return Array.from({length: count}, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * 13) / 4;
  });
}
