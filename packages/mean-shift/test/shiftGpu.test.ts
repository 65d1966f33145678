import {
  GpuDeviceLostError,
  GpuLimitError,
  InvalidParameterError,
  RunAbortedError,
  UnsupportedDimensionError,
  type PointSet,
} from '@epsball/clustering';
import {blobs, transformed, uniform} from '@epsball/conformance';
import {shareOf} from '@epsball/conformance/share';
import {openGpu} from '@epsball/gpu';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {describe, expect, it} from 'vitest';
import {createShiftGpu, type ShiftGpuOptions} from '../src/gpu/index.ts';
import type {ClimbTuning} from '../src/gpu/climb/pointClimber.ts';
import {createShift} from '../src/gpu/shiftGpu.ts';
import type {ShiftOptions, ShiftParams} from '../src/algorithm.ts';
import {AGREEMENT, itKeepsTheContract} from './shiftContract.ts';
import {largestDifference, shiftOracle} from './shiftOracle.ts';

describeLongGpu('the shift on a device', () => {
  const rig = withGpu();

  async function expectRight(
    options: ShiftGpuOptions & Pick<Partial<ClimbTuning>, 'firstPairs'>,
    points: PointSet,
    params: ShiftParams,
    shiftOptions: ShiftOptions = {},
  ): Promise<void> {
    const {firstPairs, ...shape} = options;
    using algorithm = await createShift(rig.gpu, shape, firstPairs === undefined ? {} : {firstPairs});
    const {shifted, iterations} = await algorithm.shift(points, params, shiftOptions);
    expect(iterations).toBe(params.maxIterations ?? 10);
    const expected = shiftOracle(points, params, shiftOptions.seeds);
    const difference = largestDifference(shifted, expected) / params.bandwidth;
    expect(difference, JSON.stringify(options)).toBeLessThan(AGREEMENT);
  }

  describe('naive', () => itKeepsTheContract(() => createShiftGpu(rig.gpu, {method: 'naive'})));

  // Tiles of 64, so that the sizes of the contract are several tiles. Software adapters take seconds to compile this
  // kernel, so the dimensions are those around the edges of its quads. The naive kernel, which shares the arithmetic,
  // is tested in all dimensions.
  const dimensions = [1, 2, 3, 4, 5, 8, 9, 16];
  describe('tiled', () => itKeepsTheContract(() => createShiftGpu(rig.gpu, {tileWidth: 64}), dimensions));

  it.for(shareOf([16, 32, 64, 128, 256, 512, 1024], {of: 'tile widths'}))(
    'is right with tiles of %i points around their edges',
    async (tileWidth) => {
      if (tileWidth > rig.gpu.device.limits.maxComputeInvocationsPerWorkgroup) {
        await expect(createShiftGpu(rig.gpu, {tileWidth})).rejects.toBeInstanceOf(GpuLimitError);
        return;
      }
      for (const n of [tileWidth - 1, tileWidth, tileWidth + 1]) {
        const points = blobs('float32', 3, n, {seed: n});
        await expectRight({tileWidth}, points, {bandwidth: 0.2, maxIterations: 2});
      }
    },
  );

  const boxes = [
    ['tiled', 2, 0.002],
    ['tiled', 3, 0.0005],
    ['naive', 3, 0.0005],
    ['naive', 6, 0.004],
  ] as const;
  it.for(shareOf(boxes, {of: 'boxes', familyOf: ([method]) => method}))(
    'is right in a box of many bandwidths: %s in %i dimensions',
    async ([method, dim, bandwidth]) => {
      const points = blobs('float64', dim, 500, {seed: 3, sigma: bandwidth, clusters: 20});
      await expectRight({method, tileWidth: 64}, points, {bandwidth});
    },
  );

  it.for(['tiled', 'naive'] as const)('gives the same result with dispatches of any size: %s', async (method) => {
    const points = blobs('float32', 3, 700, {seed: 2});
    for (const firstPairs of [1, 200_000, 490_000]) {
      await expectRight({method, tileWidth: 32, firstPairs}, points, {bandwidth: 0.1, maxIterations: 3});
    }
  });

  it('keeps the list of moving positions right with small dispatches', async () => {
    using whole = await createShiftGpu(rig.gpu, {tileWidth: 32});
    using cut = await createShift(rig.gpu, {tileWidth: 32}, {firstPairs: 1});
    const points = blobs('float32', 2, 500, {seed: 3, noise: 0, sigma: 0.01});
    const params = {bandwidth: 0.08, maxIterations: 100, tolerance: 1e-4};
    const [expected, actual] = [await whole.shift(points, params), await cut.shift(points, params)];
    expect(largestDifference(actual.shifted, expected.shifted)).toBeLessThan(1e-5);
    expect(actual.stats.counters['arrived']).toBe(500);
  });

  // Rounding in float32 could spoil the sum over 100,000 points. A few positions show it.
  it('sums 100,000 points within the promised bound', async () => {
    const points = transformed(blobs('float32', 3, 100_000, {seed: 1, sigma: 0.1}), 20, 0);
    const seeds = {coords: points.coords.slice(0, 3 * 16), dim: 3};
    const expected = shiftOracle(points, {bandwidth: 2}, seeds);
    for (const method of ['tiled', 'naive'] as const) {
      using algorithm = await createShiftGpu(rig.gpu, {method, tileWidth: 64});
      const {shifted} = await algorithm.shift(points, {bandwidth: 2}, {seeds});
      expect(largestDifference(shifted, expected), method).toBeLessThan(2 * AGREEMENT);
    }
  });

  it('stops soon with a million points', async () => {
    using algorithm = await createShift(rig.gpu, {tileWidth: 64}, {firstPairs: 2 ** 22});
    const points = uniform('float32', 3, 1_000_000, 1);
    const controller = new AbortController();
    let reports = 0;
    const onProgress = (): void => {
      if (++reports === 2) controller.abort();
    };
    const running = algorithm.shift(points, {bandwidth: 0.1}, {signal: controller.signal, onProgress});
    await expect(running).rejects.toBeInstanceOf(RunAbortedError);
    expect(reports).toBe(2);
  });

  it('rejects if the device is lost during a run', async () => {
    using other = await openGpu();
    using algorithm = await createShiftGpu(other, {method: 'naive'});
    const onProgress = (): void => other.device.destroy();
    const running = algorithm.shift(uniform('float32', 1, 300, 1), {bandwidth: 0.1, maxIterations: 1000}, {onProgress});
    await expect(running).rejects.toBeInstanceOf(GpuDeviceLostError);
  });

  it('refuses options and dimensions out of range', async () => {
    for (const options of [{method: 'fast' as never}, {tileWidth: 48}, {tileWidth: 8}]) {
      await expect(createShiftGpu(rig.gpu, options)).rejects.toBeInstanceOf(InvalidParameterError);
    }
    using algorithm = await createShiftGpu(rig.gpu);
    const wide = {coords: new Float32Array(34), dim: 17};
    await expect(algorithm.shift(wide, {bandwidth: 1})).rejects.toBeInstanceOf(UnsupportedDimensionError);
    const invocations = rig.gpu.device.limits.maxComputeInvocationsPerWorkgroup;
    const storage = rig.gpu.device.limits.maxComputeWorkgroupStorageSize;
    if (invocations * 64 <= storage) return;
    using large = await createShiftGpu(rig.gpu, {tileWidth: invocations});
    const points = {coords: new Float32Array(16), dim: 16};
    await expect(large.shift(points, {bandwidth: 1})).rejects.toBeInstanceOf(GpuLimitError);
  });
});
