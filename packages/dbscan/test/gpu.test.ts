import type {DbscanPhase, PointSet, Progress} from '@epsball/clustering';
import {uniform} from '@epsball/conformance';
import {ReadBack} from '@epsball/gpu';
import {HAS_SLOW_COMPILER} from '@epsball/gpu/testing';
import {afterAll, describe, expect, it} from 'vitest';
import {catalogue} from '../src/catalogue.ts';
import {GPU_PAYS_FROM} from '../src/crossovers.ts';
import {createDbscan, dbscan} from '../src/dbscan.ts';
import {createDeviceDbscan} from '../src/deviceDbscan.ts';
import {isGpu, openGpuOrExplain} from './testGpu.ts';

// Opened while tests are collected, because whether there is an adapter decides what is reported as skipped.
const gpu = await openGpuOrExplain();
// With REQUIRE_GPU the tests run without an adapter, and fail.
const canRun = isGpu(gpu) || process.env['REQUIRE_GPU'] === '1';

// Two pairs of neighbours and a loner.
const POINTS: PointSet = {coords: new Float32Array([0, 0, 1, 0, 50, 0, 9, 9, 9, 10]), dim: 2};
const PARAMS = {eps: 1, minPts: 2};
const LABELS = [0, 0, -1, 1, 1];
const WITH_WEIGHTS = HAS_SLOW_COMPILER ? ['auto'] : ['auto', 'grid-bfs'];
/** Phases that a run on a software adapter reports, and at least how often. */
const REPORTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'dense-grid': {clusters: 7},
  'grid-bfs': {core: 5, clusters: 3},
  gdbscan: {index: 4, core: 4, clusters: 3},
  hybrid: {index: 4, core: 4, clusters: 2, borders: 2},
  dclust: {index: 4, clusters: 3},
};
const REPORTING = Object.entries(REPORTS).slice(0, HAS_SLOW_COMPILER ? 1 : undefined);

afterAll(() => {
  if (isGpu(gpu)) gpu.destroy();
});

describe.runIf(canRun)('dbscan on a GPU', () => {
  it('opens a device, reports the adapter, and closes the device', async () => {
    const outcome = await dbscan(POINTS, {...PARAMS, backend: 'gpu'});
    expect([...outcome.labels]).toEqual(LABELS);
    expect(outcome.algorithm).toBe('dense-grid');
    expect(outcome.backend).toBe('gpu');
    expect(outcome.adapter?.kind).toMatch(/^(?:hardware|system-software|bundled)$/);
  });

  it("runs on the caller's Gpu and leaves it open", async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    for (let run = 0; run < 2; run++) {
      const outcome = await dbscan(POINTS, {...PARAMS, gpu});
      expect([...outcome.labels]).toEqual(LABELS);
      expect(outcome.adapter).toBe(gpu.info);
    }
  });

  it("runs on the caller's device and leaves it open", async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    for (let run = 0; run < 2; run++) {
      const outcome = await dbscan(POINTS, {...PARAMS, device: gpu.device});
      expect([...outcome.labels]).toEqual(LABELS);
      expect(outcome.backend).toBe('gpu');
    }
  });

  it.for(REPORTING)('reports phases of %s from 0 to the whole, on software in parts', async ([algorithm, least]) => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const reports: Progress<DbscanPhase>[] = [];
    const points = uniform('float32', 2, 2 ** 16, 1);
    await dbscan(points, {eps: 0.03, minPts: 100, gpu, algorithm, onProgress: (report) => reports.push(report)});
    const byPhase = Map.groupBy(reports, (report) => report.phase);
    if (gpu.speed === 'software') expect([...byPhase.keys()]).toEqual(Object.keys(least));
    for (const [phase, ofPhase] of byPhase) {
      const parts = ofPhase.map(({done, total}) => done / total);
      expect(parts, phase).toEqual(parts.toSorted((a, b) => a - b));
      if (gpu.speed !== 'software') continue;
      expect([parts[0], parts.at(-1)], phase).toEqual([0, 1]);
      expect(parts.length, phase).toBeGreaterThanOrEqual(least[phase]);
    }
  });

  it('keeps one device between runs', async () => {
    using reusable = await createDbscan({backend: 'gpu'});
    const first = await reusable.run(POINTS, PARAMS);
    const second = await reusable.run({coords: new Float32Array([3, 3, 3, 3]), dim: 2}, PARAMS);
    expect([...first.labels]).toEqual(LABELS);
    expect([...second.labels]).toEqual([0, 0]);
    expect(second.adapter).toBe(first.adapter);
  });

  it('leaves the labels of points on a device on that device', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const {device} = gpu;
    const coords = device.createBuffer({
      size: POINTS.coords.byteLength,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    device.queue.writeBuffer(coords, 0, Float32Array.from(POINTS.coords));
    using onDevice = await createDeviceDbscan({device});
    const {labels, clusterCount} = await onDevice.run({coords, n: 5, dim: 2}, PARAMS);
    const staging = device.createBuffer({size: 20, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(labels, 0, staging, 0, 20);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    expect([...new Int32Array(staging.getMappedRange())]).toEqual(LABELS);
    expect(clusterCount).toBe(2);
    for (const buffer of [coords, staging]) buffer.destroy();
  });

  it('takes weights with points on a device, and refuses those that it cannot sum', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    using coords = gpu.createBuffer('dbscan/test', POINTS.coords.byteLength, usage);
    gpu.device.queue.writeBuffer(coords.buffer, 0, Float32Array.from(POINTS.coords));
    const input = {coords: coords.buffer, n: 5, dim: 2};
    for (const algorithm of WITH_WEIGHTS) {
      using onDevice = await createDeviceDbscan({gpu, algorithm});
      const run = async (sampleWeight: ArrayLike<number>): Promise<readonly number[]> => {
        using reader = new ReadBack(gpu, 'dbscan/test');
        const {labels} = await onDevice.run(input, {...PARAMS, sampleWeight});
        const read = new Int32Array(5);
        await reader.read(labels, read);
        return [...read];
      };
      expect(await run([0.5, 1.25, 3, 1, 1])).toEqual([-1, -1, 0, 1, 1]);
      expect(await run(Float32Array.of(1, 1, 0, -1, 3))).toEqual([0, 0, -1, 1, 1]);
      await expect(run([0.1, 1.9, 3, 1, 1])).rejects.toThrow('exact in int32');
      await expect(run([1, 1])).rejects.toThrow('sampleWeight.length = 2; expected 5, one weight a point');
      await expect(run([1, 1, Number.NaN, 1, 1])).rejects.toThrow('sampleWeight[2] = NaN');
      expect(await run([1, 1, 1, 1, 1])).toEqual(LABELS);
    }
  });

  it('clusters one point of one coordinate in a buffer of four bytes', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const coords = gpu.device.createBuffer({size: 4, usage: GPUBufferUsage.STORAGE});
    using onDevice = await createDeviceDbscan({gpu});
    const input = {coords, n: 1, dim: 1};
    expect((await onDevice.run(input, {eps: 1, minPts: 1})).clusterCount).toBe(1);
    expect((await onDevice.run(input, {eps: 1, minPts: 2})).clusterCount).toBe(0);
    coords.destroy();
  });

  it('takes weights whose sums are exact in int32, and runs others on the processor and says so', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    for (const algorithm of WITH_WEIGHTS) {
      using reusable = await createDbscan({gpu, algorithm});
      const exact = await reusable.run(POINTS, {eps: 1, minPts: 2, sampleWeight: [0.5, 1.25, 3, 1, 1]});
      expect([...exact.labels]).toEqual([-1, -1, 0, 1, 1]);
      expect(exact.backend).toBe('gpu');
      expect(exact.fallback).toBeUndefined();
      const other = await reusable.run(POINTS, {eps: 1, minPts: 2, sampleWeight: [0.1, 1.9, 3, 1, 1]});
      expect([...other.labels]).toEqual([0, 0, 1, 2, 2]);
      expect(other.backend).toBe('sequential');
      expect(other.fallback).toMatchObject([{backend: 'gpu', reason: expect.stringContaining('exact in int32')}]);
    }
  });

  it('refuses weights that int32 does not hold where there is no other backend', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    const row = catalogue.find(({id}) => id === 'dense-grid');
    using algorithm = await row?.create({backend: 'gpu', gpu});
    const params = {...PARAMS, sampleWeight: Float64Array.of(0.1, 1, 1, 1, 1)};
    await expect(algorithm?.run(POINTS, params)).rejects.toThrow('exact in int32');
    expect([...((await algorithm?.run(POINTS, PARAMS))?.labels ?? [])]).toEqual(LABELS);
  });

  it('rejects points on a device without exactly one of device and gpu', async () => {
    await expect(createDeviceDbscan({})).rejects.toThrow('expected exactly one of device and gpu');
  });

  it('names the variants that take more dimensions than those for points on a device', async () => {
    if (!isGpu(gpu)) throw new Error(gpu);
    using coords = gpu.createBuffer('dbscan/test', 20, GPUBufferUsage.STORAGE);
    using onDevice = await createDeviceDbscan({gpu, algorithm: 'grid-bfs'});
    const input = {coords: coords.buffer, n: 1, dim: 5};
    await expect(onDevice.run(input, PARAMS)).rejects.toThrow(
      /dim = 5; expected 1 to 4 for points on a device \(sequential, pds.* can\)/,
    );
    await expect(onDevice.run({...input, dim: 0}, PARAMS)).rejects.toThrow('dim = 0; expected an integer ≥ 1');
  });

  it('rejects an algorithm that does not take points on a device', async () => {
    await expect(createDeviceDbscan({algorithm: 'sequential'})).rejects.toThrow('algorithm = "sequential"');
  });

  it('names the variants that take more dimensions than those on a GPU', async () => {
    const points = {coords: new Float32Array(1537), dim: 1537};
    await expect(dbscan(points, {...PARAMS, backend: 'gpu'})).rejects.toThrow('(sequential, pds can)');
  });
});

describe('dbscan by default', () => {
  it('opens no software GPU by default, also for many points', async () => {
    const points = {coords: Float32Array.from({length: 2 * GPU_PAYS_FROM}, (_, i) => i), dim: 2};
    const outcome = await dbscan(points, {eps: 0.5, minPts: 1});
    expect(outcome.clusterCount).toBe(GPU_PAYS_FROM);
    if (outcome.backend === 'gpu') expect(outcome.adapter?.kind).toBe('hardware');
    else expect(outcome.adapter).toBeUndefined();
  });
});
