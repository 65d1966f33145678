import type {PointSet} from '@epsball/clustering';
import type {Worker} from 'node:worker_threads';
import {afterAll, describe, expect, it, vi} from 'vitest';
import {createDbscan, dbscan} from '../src/dbscan.ts';
import {createDeviceDbscan} from '../src/deviceDbscan.ts';
import {isGpu, openGpuOrExplain} from './testGpu.ts';

const gpu = await openGpuOrExplain();
const canRun = isGpu(gpu) || process.env['REQUIRE_GPU'] === '1';

// Two pairs of neighbours and a loner.
const POINTS: PointSet = {coords: new Float32Array([0, 0, 1, 0, 50, 0, 9, 9, 9, 10]), dim: 2};
const PARAMS = {eps: 1, minPts: 2};
const LABELS = [0, 0, -1, 1, 1];
const DESTROYED = 'dbscan was destroyed';

/** Worker threads that this process started and that have not ended. */
const alive = new Set<Worker>();
let started = 0;
process.on('worker', (worker) => {
  started++;
  alive.add(worker);
  worker.once('exit', () => alive.delete(worker));
});

afterAll(() => {
  if (isGpu(gpu)) gpu.destroy();
});

function fourAtOnce<Result>(run: () => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({length: 4}, run));
}

describe('runs of one object that start at the same time', () => {
  it('share one pool of threads, which destroy() ends', async () => {
    started = 0;
    const reusable = await createDbscan({backend: 'workers', threads: 2});
    const outcomes = await fourAtOnce(() => reusable.run(POINTS, PARAMS));
    for (const {labels} of outcomes) expect([...labels]).toEqual(LABELS);
    expect(started).toBeLessThanOrEqual(2);
    reusable.destroy();
    await expect.poll(() => alive.size).toBe(0);
  });
});

describe('destroy() during the first run', () => {
  it('rejects the run and leaves no thread behind', async () => {
    const reusable = await createDbscan({backend: 'workers', threads: 2});
    const running = reusable.run(POINTS, PARAMS);
    reusable.destroy();
    await expect(running).rejects.toThrow(DESTROYED);
    await expect.poll(() => alive.size).toBe(0);
  });
});

describe.runIf(canRun)('on a GPU', () => {
  it('runs that start at the same time share one set of pipelines and buffers', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const before = gpu.allocatedBytes;
    const reusable = await createDbscan({gpu});
    await reusable.run(POINTS, PARAMS);
    const ofOne = gpu.allocatedBytes;
    reusable.destroy();
    const shared = await createDbscan({gpu});
    const outcomes = await fourAtOnce(() => shared.run(POINTS, PARAMS));
    for (const {labels} of outcomes) expect([...labels]).toEqual(LABELS);
    expect(gpu.allocatedBytes).toBe(ofOne);
    shared.destroy();
    expect(gpu.allocatedBytes).toBe(before);
  });

  it('runs that start at the same time open one device', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const requests = vi.spyOn(GPUAdapter.prototype, 'requestDevice');
    using reusable = await createDbscan({adapter: gpu.info.kind});
    const outcomes = await fourAtOnce(() => reusable.run(POINTS, PARAMS));
    for (const {labels} of outcomes) expect([...labels]).toEqual(LABELS);
    expect(requests).toHaveBeenCalledTimes(1);
    requests.mockRestore();
  });

  it('one-shot calls at the same time open one device, and close it', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const requests = vi.spyOn(GPUAdapter.prototype, 'requestDevice');
    const closed = vi.spyOn(GPUDevice.prototype, 'destroy');
    const {kind} = gpu.info;
    const outcomes = await fourAtOnce(() => dbscan(POINTS, {...PARAMS, adapter: kind}));
    for (const {labels} of outcomes) expect([...labels]).toEqual(LABELS);
    expect(requests).toHaveBeenCalledTimes(1);
    expect(closed).toHaveBeenCalledTimes(1);
    requests.mockRestore();
    closed.mockRestore();
  });

  it('destroy() during the first run rejects it and frees what was made', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const before = gpu.allocatedBytes;
    const reusable = await createDbscan({gpu});
    const running = reusable.run(POINTS, PARAMS);
    reusable.destroy();
    await expect(running).rejects.toThrow(DESTROYED);
    await expect.poll(() => gpu.allocatedBytes).toBe(before);
  });

  it('points on a device: runs that start at the same time share one variant', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const before = gpu.allocatedBytes;
    const onDevice = await createDeviceDbscan({gpu});
    const coords = gpu.device.createBuffer({size: 40, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST});
    gpu.device.queue.writeBuffer(coords, 0, Float32Array.from(POINTS.coords));
    const input = {coords, n: 5, dim: 2};
    const results = await fourAtOnce(() => onDevice.run(input, PARAMS));
    expect(results.map(({clusterCount}) => clusterCount)).toEqual([2, 2, 2, 2]);
    onDevice.destroy();
    coords.destroy();
    expect(gpu.allocatedBytes).toBe(before);
    await expect(onDevice.run(input, PARAMS)).rejects.toThrow(DESTROYED);
  });
});
