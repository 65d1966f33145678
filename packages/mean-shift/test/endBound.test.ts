import type {PointSet} from '@epsball/clustering';
import {openGpu, type Gpu} from '@epsball/gpu';
import {describeLongGpu} from '@epsball/gpu/testing';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {createMeanShiftGpu} from '../src/gpu/meanShiftGpu.ts';
import {createMeanShiftSequential} from '../src/meanShiftSequential.ts';
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

describe('the bound of ends on one thread', () => {
  it.each(SETS)('holds for %s, without a cut and with one', async (_, points, bandwidth) => {
    using serial = createMeanShiftSequential();
    for (const cut of [0, 3, 5]) {
      const {shifted, stats} = await serial.run(points, {bandwidth, cut});
      const longest = longestStep(points, shifted, bandwidth);
      expect(longest).toBeLessThanOrEqual(stats.counters.endBound);
      // Without a cut it is a few dozen times the tolerance.
      if (cut === 0) expect(stats.counters.endBound).toBeLessThan(0.03);
    }
  });

  it('is missing if no trajectory has arrived', async () => {
    using serial = createMeanShiftSequential();
    const points = cloud(50, 2, Float32Array);
    const flat = await serial.run(points, {bandwidth: 1, kernel: 'flat'});
    const started = await serial.run(points, {bandwidth: 1, maxIterations: 1, tolerance: 0});
    expect([flat, started].map(({stats}) => stats.counters.endBound)).toEqual([undefined, undefined]);
  });
});

describeLongGpu('the bound of ends on a GPU', () => {
  let gpu: Gpu;
  beforeAll(async () => {
    gpu = await openGpu();
  });
  afterAll(() => gpu?.destroy());

  it.each(SETS)('holds for %s, and labels report it', async (_, points, bandwidth, lattice) => {
    using meanShift = await createMeanShiftGpu(gpu, {lattice});
    const params = {bandwidth, cut: lattice === 0 ? 4 : 0};
    const {shifted, stats} = await meanShift.run(points, params);
    const {endBound} = stats.counters;
    expect(longestStep(points, shifted, bandwidth)).toBeLessThanOrEqual(endBound);
    if (lattice > 0) expect(endBound).toBeLessThan(lattice === 2 ? 0.12 : 0.02);
    expect((await meanShift.label(points, params)).stats.counters.endBound).toBe(endBound);
  });

  it('holds for half a million points in one place and lone ones elsewhere', async () => {
    const n = 2 ** 19;
    const coords = new Float32Array(n + 3).fill(1);
    coords.set([4.53, 5.04, 9], n);
    const points = {coords, dim: 1};
    const bandwidth = 0.4;
    using meanShift = await createMeanShiftGpu(gpu, {lattice: 8});
    const seeds = {coords: Float32Array.of(4.6, 1.3, 4.5, 5, 9), dim: 1};
    const {shifted, stats} = await meanShift.run(points, {bandwidth, maxIterations: 1, tolerance: 0}, {seeds});
    expect(longestStep(points, shifted, bandwidth)).toBeLessThanOrEqual(stats.counters.endBound);
    // A long step between two lone points: an error of a thousandth in either share would show.
    const [near, far] = [0.07, 0.44].map((r) => Math.exp(-((r / bandwidth) ** 2) / 2));
    expect(Math.abs(shifted[0] - (4.53 * near + 5.04 * far) / (near + far)) / bandwidth).toBeLessThan(2e-5);
  });
});
