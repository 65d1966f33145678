import {createDclustGpu} from '@epsball/dbscan-dclust/gpu';
import {createDenseGridSequential} from '@epsball/dbscan-dense-grid';
import {createDenseGridWorkers} from '@epsball/dbscan-dense-grid/workers';
import {createGdbscanGpu} from '@epsball/dbscan-gdbscan/gpu';
import {createGridBfsSequential} from '@epsball/dbscan-grid-bfs';
import {createGridBfsGpu} from '@epsball/dbscan-grid-bfs/gpu';
import {createHybridDbscan} from '@epsball/dbscan-hybrid';
import {createPdsSequential} from '@epsball/dbscan-pds';
import {createPdsWorkers} from '@epsball/dbscan-pds/workers';
import {createSequentialDbscan} from '@epsball/dbscan-sequential';
import {openGpu} from '@epsball/gpu';
import {describeGpu, withGpu} from '@epsball/gpu/testing';
import {describe, expect, it} from 'vitest';
import {createDeviceDbscan} from '../src/deviceDbscan.ts';

const POINTS = {coords: Float32Array.of(0, 0, 1, 0, 9, 9), dim: 2};
const PARAMS = {eps: 1, minPts: 2};
const UNKNOWN = 'option = "foo"; expected one of';

/** An object with a name that callers with types could not write. */
function given(options: object): never {
  return options as never;
}

describe('variants of DBSCAN refuse names that they do not know', () => {
  it.each<[string, () => unknown]>([
    ['createSequentialDbscan', () => createSequentialDbscan(given({foo: 1}))],
    ['createPdsSequential', () => createPdsSequential(given({foo: 1}))],
    ['createPdsSequential, a name of its parts', () => createPdsSequential(given({foo: 1, cells: 'eps'}))],
    ['createPdsWorkers', () => createPdsWorkers(given({foo: 1}))],
    ['createDenseGridWorkers', () => createDenseGridWorkers(given({foo: 1}))],
  ])('%s', (_, create) => {
    expect(create).toThrow(UNKNOWN);
  });

  it.each([
    ['sequential', () => createSequentialDbscan()],
    ['grid-bfs', () => createGridBfsSequential()],
    ['dense-grid', () => createDenseGridSequential()],
    ['pds', () => createPdsSequential()],
    ['pds on workers', () => createPdsWorkers({threads: 1})],
  ] as const)('among the arguments of a run: %s', async (_, create) => {
    using variant = create();
    await expect(variant.run(POINTS, given({...PARAMS, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(variant.run(POINTS, PARAMS, given({foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(variant.run(POINTS, given({...PARAMS, signal: 1}))).rejects.toThrow(
      'option = "signal"; expected it among the options, the third argument: run(points, params, {signal})',
    );
    expect((await variant.run(POINTS, PARAMS)).clusterCount).toBe(1);
  });
});

describeGpu('variants of DBSCAN on a GPU refuse names that they do not know', () => {
  const rig = withGpu();

  it('when they are created', async () => {
    await expect(openGpu(given({foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(createDclustGpu(rig.gpu, given({foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(createGdbscanGpu(rig.gpu, given({foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(createHybridDbscan(rig.gpu, given({foo: 1}))).rejects.toThrow(UNKNOWN);
  });

  it('among the arguments of a run, with points on the host and on the device', async () => {
    using variant = await createGridBfsGpu(rig.gpu);
    await expect(variant.run(POINTS, given({...PARAMS, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(variant.run(POINTS, PARAMS, given({foo: 1}))).rejects.toThrow(UNKNOWN);
    using onDevice = await createDeviceDbscan({gpu: rig.gpu});
    const coords = rig.gpu.device.createBuffer({size: 24, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC});
    const input = {coords, n: 3, dim: 2};
    await expect(onDevice.run(input, given({...PARAMS, foo: 1}))).rejects.toThrow(UNKNOWN);
    await expect(onDevice.run(input, PARAMS, given({foo: 1}))).rejects.toThrow(UNKNOWN);
    coords.destroy();
  });
});
