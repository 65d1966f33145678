import {findAdapter, openGpu, type Gpu} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {createShiftGpu, type ShiftGpuOptions} from '../src/gpu/index.ts';
import {createMeanShiftGpu} from '../src/gpu/meanShiftGpu.ts';
import {cloud, clusteredPoints, labelsOf} from './clusteredPoints.ts';
import {AGREEMENT} from './shiftContract.ts';
import {largestDifference, shiftOracle} from './shiftOracle.ts';

describeGpu('mean shift on a device with default limits', () => {
  let device: GPUDevice;
  let gpu: Gpu;
  beforeAll(async () => {
    device = await (await findAdapter()).adapter.requestDevice();
    gpu = await openGpu({device});
  });
  afterAll(() => {
    gpu?.destroy();
    device?.destroy();
  });

  it.for<ShiftGpuOptions>([{method: 'naive'}, {method: 'tiled'}])('shifts points with %o', async (options) => {
    using algorithm = await createShiftGpu(gpu, options);
    const points = cloud(300, 2, Float32Array);
    const params = {bandwidth: 0.4, maxIterations: 3};
    const {shifted} = await algorithm.shift(points, params);
    expect(largestDifference(shifted, shiftOracle(points, params)) / params.bandwidth).toBeLessThan(AGREEMENT);
  });

  it.for([{}, {lattice: 3}])('labels points with %o', async (options) => {
    using meanShift = await createMeanShiftGpu(gpu, options);
    const data = clusteredPoints(600, 2, 5, Float32Array);
    for (const assignment of ['mode', 'basin'] as const) {
      const {labels} = await meanShift.label(data.points, {bandwidth: 1.2, assignment});
      expect(labels).toEqual(labelsOf(data));
    }
  });
});
