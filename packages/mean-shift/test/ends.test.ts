import type {PointSet} from '@epsball/clustering';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {describe, expect, it} from 'vitest';
import {createMeanShiftGpu} from '../src/gpu/meanShiftGpu.ts';
import {createMeanShiftSequential} from '../src/sequential.ts';
import {cloud, clusteredPoints} from './clusteredPoints.ts';
import {longestStep} from './wholeStep.ts';

/** A cloud, and points far from it and from each other. */
function withLonePoints(n: number, dim: number, offset = 0): PointSet {
  const {coords} = cloud(n, dim, Float64Array, dim);
  const lone = [7, 8.2, -1].flatMap((x) => Array.from({length: dim}, (_, d) => x + d));
  return {coords: Float64Array.from([...coords, ...lone], (x) => x + offset), dim};
}

/** Name, points, bandwidth, and nodes in a bandwidth of a lattice; 0: sums are over points. */
const SETS: readonly [string, PointSet, number, number][] = [
  ['a line with lone points', withLonePoints(300, 1), 0.6, 2],
  ['a plane with lone points', withLonePoints(300, 2), 0.5, 0],
  ['a cloud with lone points', withLonePoints(200, 3), 1, 2],
  ['clusteredPoints', clusteredPoints(200, 3, 3, Float32Array).points, 1.2, 3.5],
  ['a plane far from the origin', withLonePoints(200, 2, 1e6), 0.7, 3.5],
];

describe('ends of trajectories on one thread', () => {
  it.each(SETS)('are modes of the whole Gaussian for %s, without a cut and with one', async (_, points, bandwidth) => {
    using serial = createMeanShiftSequential();
    for (const cut of [0, 5]) {
      const {shifted} = await serial.run(points, {bandwidth, cut});
      expect(longestStep(points, shifted, bandwidth)).toBeLessThan(0.003);
    }
  });
});

describeLongGpu('ends of trajectories on a GPU', () => {
  const rig = withGpu();

  it.each(SETS)('are modes of the whole Gaussian for %s', async (_, points, bandwidth, lattice) => {
    using meanShift = await createMeanShiftGpu(rig.gpu, {lattice});
    const {shifted} = await meanShift.run(points, {bandwidth, cut: lattice === 0 ? 5 : 0});
    expect(longestStep(points, shifted, bandwidth)).toBeLessThan(lattice === 2 ? 0.005 : 0.003);
  });

  it('are right for half a million points in one place and lone ones elsewhere', async () => {
    const n = 2 ** 19;
    const coords = new Float32Array(n + 3).fill(1);
    coords.set([4.53, 5.04, 9], n);
    const points = {coords, dim: 1};
    const bandwidth = 0.4;
    using meanShift = await createMeanShiftGpu(rig.gpu, {lattice: 8});
    const seeds = {coords: Float32Array.of(4.6, 1.3, 4.5, 5, 9), dim: 1};
    const {shifted} = await meanShift.run(points, {bandwidth, maxIterations: 1, tolerance: 0}, {seeds});
    // A long step between two lone points: an error of a thousandth in either share would show.
    const [near, far] = [0.07, 0.44].map((r) => Math.exp(-((r / bandwidth) ** 2) / 2));
    expect(Math.abs(shifted[0] - (4.53 * near + 5.04 * far) / (near + far)) / bandwidth).toBeLessThan(2e-5);
  });
});
