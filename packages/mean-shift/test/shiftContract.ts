import {InvalidParameterError, InvalidPointsError, RunAbortedError, type PointSet} from '@epsball/clustering';
import {blobs, insideLargerBuffer, onSharedMemory, transformed} from '@epsball/conformance';
import {shareOf} from '@epsball/conformance/share';
import {afterAll, beforeAll, expect, it} from 'vitest';
import type {ShiftAlgorithm, ShiftOptions, ShiftParams} from '../src/algorithm.ts';
import {largestDifference, shiftOracle} from './shiftOracle.ts';

/** Every backend promises that after ten iterations no coordinate differs by more from float64's, in bandwidths. */
export const AGREEMENT = 1e-4;

/** All dimensions of any backend. */
const DIMENSIONS: readonly number[] = Array.from({length: 16}, (_, k) => k + 1);

/**
 * Registers the tests of every backend of the shift. Call it in a `describe`.
 *
 * @param dimensions  to test; fewer if each takes seconds
 */
export function itKeepsTheContract(
  create: () => Promise<ShiftAlgorithm> | ShiftAlgorithm,
  dimensions: readonly number[] = DIMENSIONS,
): void {
  let algorithm: ShiftAlgorithm;
  beforeAll(async () => {
    algorithm = await create();
  });
  afterAll(() => algorithm.destroy());

  async function expectRight(points: PointSet, params: ShiftParams, options: ShiftOptions = {}): Promise<void> {
    const {shifted, iterations} = await algorithm.shift(points, params, options);
    expect(iterations).toBe(params.maxIterations ?? 10);
    const expected = shiftOracle(points, params, options.seeds);
    expect(largestDifference(shifted, expected) / params.bandwidth).toBeLessThan(AGREEMENT);
  }

  const some = shareOf(dimensions, {
    of: `dimensions of ${dimensions.length}`,
    nameOf: String,
    familyOf: (dim) => String(dim % 2),
    isKept: (dim) => dim === 2 || dim === 3,
  });
  it.for(some)('is right in %i dimensions', async (dim) => {
    const precision = dim % 2 === 0 ? 'float32' : 'float64';
    await expectRight(blobs(precision, dim, 67, {seed: dim, sigma: 0.05}), {bandwidth: 0.1 * Math.sqrt(dim)});
  });

  it('runs sizes in any order, 0 and 1 among them', async () => {
    for (const n of [300, 1, 0, 257, 2]) {
      const points = blobs('float32', 2, n, {seed: n});
      const {shifted, iterations} = await algorithm.shift(points, {bandwidth: 0.2, maxIterations: 3});
      expect(iterations).toBe(n === 0 ? 0 : 3);
      const expected = shiftOracle(points, {bandwidth: 0.2, maxIterations: 3});
      expect(largestDifference(shifted, expected)).toBeLessThan(0.2 * AGREEMENT);
    }
  });

  it('leaves equal points in place, to the bit', async () => {
    const coords = Float64Array.from({length: 3 * 7 * 11}, (_, k) => [0.1, -7.3, 1e3][k % 3]);
    const {shifted} = await algorithm.shift({coords, dim: 3}, {bandwidth: 1e-3});
    expect(shifted).toEqual(coords);
  });

  it('counts every equal point', async () => {
    const coords = Float32Array.from({length: 100}, (_, k) => (k < 90 ? 0 : 1));
    await expectRight({coords, dim: 1}, {bandwidth: 0.7, maxIterations: 4});
  });

  it.for(['float32', 'float64'] as const)('sees %s far from the origin as given', async (precision) => {
    const points = transformed(blobs(precision, 3, 120, {seed: 4}), 1, 1e6);
    await expectRight(points, {bandwidth: 0.25});
  });

  it('leaves points in place for a tiny bandwidth, and moves them to the mean for a huge one', async () => {
    const points = blobs('float64', 2, 200, {seed: 9});
    for (const bandwidth of [1e-9, 1e-30, 5e-324]) {
      const {shifted} = await algorithm.shift(points, {bandwidth});
      expect(largestDifference(shifted, points.coords as Float64Array)).toBeLessThan(1e-7);
    }
    const sums = [0, 0];
    points.coords.forEach((x, k) => (sums[k % 2] += x));
    for (const bandwidth of [1e6, 1e30, 1.7e308]) {
      const {shifted} = await algorithm.shift(points, {bandwidth});
      const expected = shifted.map((_, k) => sums[k % 2] / 200);
      expect(largestDifference(shifted, expected), `bandwidth ${bandwidth}`).toBeLessThan(1e-5);
    }
  });

  it('moves seeds, and leaves those out of reach in place', async () => {
    const points = blobs('float32', 2, 150, {seed: 5});
    const seeds = {coords: Float64Array.of(0.5, 0.5, 0.1, 0.9, 0.3, 0.25), dim: 2};
    await expectRight(points, {bandwidth: 0.3}, {seeds});
    const far = {coords: Float64Array.of(1000, -1000), dim: 2};
    const {shifted} = await algorithm.shift(points, {bandwidth: 0.3}, {seeds: far});
    expect(largestDifference(shifted, far.coords)).toBeLessThan(1e-3);
    const none = await algorithm.shift(points, {bandwidth: 0.3}, {seeds: {coords: new Float32Array(0), dim: 2}});
    expect(none).toMatchObject({shifted: new Float64Array(0), iterations: 0});
    const alone = await algorithm.shift({coords: new Float32Array(0), dim: 2}, {bandwidth: 0.3}, {seeds});
    expect(largestDifference(alone.shifted, seeds.coords)).toBeLessThan(1e-6);
  });

  it('ends when all points have moved less than the tolerance, each on its own', async () => {
    const points = blobs('float32', 2, 300, {seed: 6, noise: 0, sigma: 0.01});
    const params = {bandwidth: 0.08, maxIterations: 200};
    const {shifted, iterations, stats} = await algorithm.shift(points, {...params, tolerance: 1e-4});
    expect(iterations).toBeGreaterThan(1);
    expect(iterations).toBeLessThan(200);
    expect(stats.counters['arrived']).toBe(300);
    // Some positions arrive before others, so fewer shifts are made than with all positions on the list.
    expect(stats.counters['shifts']).toBeLessThan(300 * iterations);
    expect(largestDifference(shifted, shiftOracle(points, params))).toBeLessThan(1e-3);
  });

  it('modifies neither points nor seeds, and returns the same bytes in a second run', async () => {
    const points = blobs('float64', 3, 90, {seed: 7});
    const seeds = blobs('float32', 3, 20, {seed: 8});
    const copies = [points.coords.slice(), seeds.coords.slice()];
    const params = {bandwidth: 0.2, maxIterations: 4, tolerance: 1e-3};
    const first = await algorithm.shift(points, params, {seeds});
    for (const [other, otherSeeds] of [
      [points, seeds],
      [onSharedMemory(points), onSharedMemory(seeds)],
      [insideLargerBuffer(points), insideLargerBuffer(seeds)],
    ]) {
      const again = await algorithm.shift(other, params, {seeds: otherSeeds});
      expect(again.shifted).toEqual(first.shifted);
      expect(again.iterations).toBe(first.iterations);
    }
    expect([points.coords, seeds.coords]).toEqual(copies);
  });

  it('reports progress, stops at an abort, and the next run works', async () => {
    const points = blobs('float32', 2, 400, {seed: 10});
    const controller = new AbortController();
    const done: number[] = [];
    const running = algorithm.shift(
      points,
      {bandwidth: 0.1, maxIterations: 10_000},
      {
        signal: controller.signal,
        onProgress: (progress) => {
          if (progress.phase === 'shift') done.push(progress.done / progress.total);
          if (done.length === 3) controller.abort(new Error('enough'));
        },
      },
    );
    await expect(running).rejects.toBeInstanceOf(RunAbortedError);
    expect(done.length).toBeGreaterThanOrEqual(3);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done[0]).toBeGreaterThanOrEqual(0);
    expect(done.at(-1)).toBeLessThan(1);
    await expectRight(points, {bandwidth: 0.1, maxIterations: 2});
  });

  it('refuses bad input, and the next run works', async () => {
    const points = blobs('float32', 2, 20, {seed: 11});
    await expect(algorithm.shift(points, {bandwidth: 0})).rejects.toBeInstanceOf(InvalidParameterError);
    const bad = {coords: Float32Array.of(0, 0, Number.NaN, 0), dim: 2};
    await expect(algorithm.shift(bad, {bandwidth: 1})).rejects.toBeInstanceOf(InvalidPointsError);
    const signal = AbortSignal.abort();
    await expect(algorithm.shift(points, {bandwidth: 1}, {signal})).rejects.toBeInstanceOf(RunAbortedError);
    await expectRight(points, {bandwidth: 0.1, maxIterations: 1});
  });

  it('can be destroyed twice, and then refuses to run', async () => {
    const other = await create();
    other.destroy();
    other.destroy();
    const running = other.shift(blobs('float32', 2, 20, {seed: 12}), {bandwidth: 1});
    await expect(running).rejects.toThrow('mean-shift was destroyed');
  });
}
