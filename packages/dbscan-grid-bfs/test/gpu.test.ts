import {expect, it} from 'vitest';
import {
  GpuDeviceLostError,
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  type PointSet,
} from '@epsball/clustering';
import {openGpu, ReadBack, Uploader} from '@epsball/gpu';
import {createGridBfsSequential} from '@epsball/dbscan-grid-bfs';
import {createGridBfsGpu} from '@epsball/dbscan-grid-bfs/gpu';
import {shareOf} from '@epsball/conformance/share';
import {describeGpu, describeLongGpu, withGpu} from '@epsball/gpu/testing';

/** Seeded random numbers in [0, 1). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

interface Cloud {
  readonly coords: Float32Array<ArrayBuffer>;
  readonly dim: number;
}

/** Half of the points in a few blobs, the other half anywhere in the unit box. */
function blobs(n: number, dim: number, seed = n + dim): Cloud {
  const random = randomNumbers(seed);
  const centers = Float32Array.from({length: 5 * dim}, random);
  const coords = Float32Array.from({length: n * dim}, (_, k) => {
    const i = Math.floor(k / dim);
    if (i % 2 === 0) return random();
    return centers[(i % 5) * dim + (k % dim)] + 0.05 * (random() + random() - 1);
  });
  return {coords, dim};
}

/** Points on a line with spacing 1: with eps = 1 a search has as many levels as points. */
function line(n: number): Cloud {
  return {coords: Float32Array.from({length: n}, (_, k) => k), dim: 1};
}

describeLongGpu('grid-bfs on a device', () => {
  const rig = withGpu(async (gpu) => ({
    dbscan: await createGridBfsGpu(gpu),
    reference: createGridBfsSequential(),
  }));

  async function expectRight(points: PointSet, params: {eps: number; minPts: number}): Promise<void> {
    const [actual, expected] = [await rig.dbscan.run(points, params), await rig.reference.run(points, params)];
    expect(actual.labels).toEqual(expected.labels);
    expect(actual.coreMask).toEqual(expected.coreMask);
    expect(actual.clusterCount).toBe(expected.clusterCount);
  }

  it('serves sizes and dimensions in any order with one instance', async () => {
    for (const n of [5000, 1, 0, 257, 256, 255, 2, 9000, 3, 2049]) {
      const dim = (n % 4) + 1;
      await expectRight(blobs(n, dim), {eps: 0.02 * dim ** 2, minPts: 5});
    }
  });

  it('takes float64 after float32 and back, and modifies neither', async () => {
    const narrow = blobs(3000, 2);
    const wide = {coords: Float64Array.from(narrow.coords, (x) => x + 1e9), dim: 2};
    const copies = [narrow.coords.slice(), wide.coords.slice()];
    for (const points of [narrow, wide, narrow, wide]) await expectRight(points, {eps: 0.03, minPts: 6});
    expect([narrow.coords, wide.coords]).toEqual(copies);
  });

  it('returns the same bytes in a second run', async () => {
    const points = blobs(4000, 3);
    const runs = [
      await rig.dbscan.run(points, {eps: 0.1, minPts: 5}),
      await rig.dbscan.run(points, {eps: 0.1, minPts: 5}),
    ];
    expect(runs[1].labels).toEqual(runs[0].labels);
    expect(runs[1].coreMask).toEqual(runs[0].coreMask);
  });

  it('runOnDevice returns buffers with the labels of run, with and without weights', async () => {
    using uploader = new Uploader(rig.gpu, 'test');
    using reader = new ReadBack(rig.gpu, 'test');
    for (const [n, dim] of [
      [3001, 2],
      [2, 1],
      [1000, 4],
    ]) {
      const points = blobs(n, dim);
      using coords = rig.gpu.createBuffer('test/coords', 4 * n * dim, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
      await uploader.upload(points.coords, coords.buffer);
      const sampleWeight = Float64Array.from({length: n}, (_, i) => ((i * 7) % 9) / 2 - 1);
      for (const params of [
        {eps: 0.05 * dim, minPts: 4},
        {eps: 0.05 * dim, minPts: 4, sampleWeight},
      ]) {
        const expected = await rig.dbscan.run(points, params);
        const onDevice = await rig.dbscan.runOnDevice({coords: coords.buffer, n, dim}, params);
        const [labels, coreMask] = [new Int32Array(n), new Uint8Array(n)];
        await reader.read(onDevice.labels, labels);
        await reader.read(onDevice.coreMask, coreMask);
        expect(labels).toEqual(expected.labels);
        expect(coreMask).toEqual(expected.coreMask);
        expect(onDevice.clusterCount).toBe(expected.clusterCount);
      }
    }
  });

  it('runOnDevice accepts zero points', async () => {
    using coords = rig.gpu.createBuffer('test/coords', 0, GPUBufferUsage.STORAGE);
    const {clusterCount, labels} = await rig.dbscan.runOnDevice(
      {coords: coords.buffer, n: 0, dim: 2},
      {eps: 1, minPts: 1},
    );
    expect(clusterCount).toBe(0);
    expect(labels.size).toBeGreaterThan(0);
  });

  it.for([
    {what: 'a dimension of 0', n: 1, dim: 0, message: 'dim = 0; expected an integer ≥ 1'},
    {what: 'a dimension that is not an integer', n: 1, dim: 1.5, message: 'dim = 1.5; expected an integer ≥ 1'},
    {what: 'a negative count', n: -1, dim: 2, message: 'n = -1; expected an integer ≥ 0'},
    {what: 'a count that is not an integer', n: 0.5, dim: 2, message: 'n = 0.5; expected an integer ≥ 0'},
    {what: 'a count of NaN', n: Number.NaN, dim: 2, message: 'n = NaN; expected an integer ≥ 0'},
    {
      what: 'a buffer that is too small',
      n: 9,
      dim: 2,
      message: 'coords.size = 64; expected at least 72 bytes for n = 9, dim = 2',
    },
  ])('runOnDevice rejects $what', async ({n, dim, message}) => {
    using coords = rig.gpu.createBuffer('test/coords', 64, GPUBufferUsage.STORAGE);
    const running = rig.dbscan.runOnDevice({coords: coords.buffer, n, dim}, {eps: 1, minPts: 1});
    await expect(running).rejects.toBeInstanceOf(InvalidParameterError);
    await expect(running).rejects.toThrow(message);
  });

  it('runOnDevice rejects coordinates that are not finite, and works again', async () => {
    using coords = rig.gpu.createBuffer('test/coords', 64, GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST);
    const input = {coords: coords.buffer, n: 8, dim: 2};
    for (const bad of [NaN, Infinity, -Infinity]) {
      rig.gpu.device.queue.writeBuffer(
        coords.buffer,
        0,
        Float32Array.from({length: 16}, (_, k) => (k === 9 ? bad : k)),
      );
      await expect(rig.dbscan.runOnDevice(input, {eps: 1, minPts: 1})).rejects.toBeInstanceOf(InvalidPointsError);
    }
    rig.gpu.device.queue.writeBuffer(coords.buffer, 0, new Float32Array(16));
    expect((await rig.dbscan.runOnDevice(input, {eps: 1, minPts: 1})).clusterCount).toBe(1);
  });

  it('runOnDevice accepts at most 4 dimensions', async () => {
    using coords = rig.gpu.createBuffer('test/coords', 64, GPUBufferUsage.STORAGE);
    const running = rig.dbscan.runOnDevice({coords: coords.buffer, n: 1, dim: 5}, {eps: 1, minPts: 1});
    await expect(running).rejects.toBeInstanceOf(UnsupportedDimensionError);
  });

  it('stops at an abort during the search, and the next run is correct', async () => {
    const points = line(3000);
    const controller = new AbortController();
    const phases = new Set<string>();
    const running = rig.dbscan.run(
      points,
      {eps: 1, minPts: 2},
      {
        signal: controller.signal,
        onProgress: ({phase, done}) => {
          phases.add(phase);
          if (phase === 'clusters' && done > 0) controller.abort(new Error('enough'));
        },
      },
    );
    await expect(running).rejects.toBeInstanceOf(RunAbortedError);
    await expect(running).rejects.toMatchObject({cause: new Error('enough')});
    expect([...phases]).toEqual([...(rig.gpu.speed === 'software' ? ['core'] : []), 'clusters']);
    await expectRight(blobs(1000, 2), {eps: 0.05, minPts: 4});
    await expectRight(line(300), {eps: 1, minPts: 2});
  });

  it('rejects with the error of a progress listener, and the next run is correct', async () => {
    const onProgress = (): never => {
      throw new RangeError('mine');
    };
    await expect(rig.dbscan.run(line(3000), {eps: 1, minPts: 2}, {onProgress})).rejects.toThrow('mine');
    await expectRight(line(300), {eps: 1, minPts: 2});
  });

  it('rejects a run with an aborted signal', async () => {
    const signal = AbortSignal.abort();
    await expect(rig.dbscan.run(line(10), {eps: 1, minPts: 2}, {signal})).rejects.toBeInstanceOf(RunAbortedError);
  });

  it('counts clusters, levels, the widest frontier and batches', async () => {
    const chain = await rig.dbscan.run(line(500), {eps: 1, minPts: 2});
    expect(chain.stats.counters).toMatchObject({clusters: 1, maxFrontier: 1});
    // The seed is found first; every level adds the next point.
    expect(chain.stats.counters.levels).toBeGreaterThanOrEqual(499);
    expect(chain.stats.counters.levels).toBeLessThanOrEqual(501);
    expect(chain.stats.counters.batches).toBeLessThan(500);
    const noise = await rig.dbscan.run(line(500), {eps: 0.5, minPts: 2});
    expect(noise.stats.counters).toMatchObject({clusters: 0, levels: 0, maxFrontier: 0});
    const clump = await rig.dbscan.run({coords: new Float32Array(2000), dim: 2}, {eps: 1, minPts: 2});
    expect(clump.stats.counters).toMatchObject({clusters: 1, maxFrontier: 999});
  });

  it('reports phases in host time, and in device time with timestamps', async () => {
    const {stats} = await rig.dbscan.run(blobs(2000, 2), {eps: 0.05, minPts: 4});
    expect(Object.keys(stats.phaseMs)).toEqual(['upload', 'index', 'clusters', 'readBack']);
    if (!rig.gpu.hasTimestamps) return;
    expect(Object.keys(stats.devicePhaseMs ?? {}).toSorted()).toEqual(['clusters', 'core', 'index', 'readBack']);
  });

  it.for([
    {grid: 'dense', eps: 0.004},
    {grid: 'sparse', eps: 1e-6},
  ])('takes at most 80 bytes of device memory per point with a $grid grid', async ({eps}) => {
    const n = 100_000;
    using own = await createGridBfsGpu(rig.gpu);
    const held = rig.gpu.allocatedBytes;
    const {stats} = await own.run(blobs(n, 2), {eps, minPts: 8});
    expect(((stats.deviceBytes ?? Number.NaN) - held) / n).toBeLessThanOrEqual(80);
  });

  it('queues overlapping runs, and each returns its own labels', async () => {
    const sets = [blobs(3000, 2, 1), blobs(3000, 2, 2), line(500)];
    const params = {eps: 0.5, minPts: 3};
    const results = await Promise.all(sets.map((points) => rig.dbscan.run(points, params)));
    for (const [k, points] of sets.entries()) {
      const {labels} = await rig.reference.run(points, params);
      expect(results[k].labels).toEqual(labels);
    }
  });

  it('rejects a run after destroy()', async () => {
    const gone = await createGridBfsGpu(rig.gpu);
    gone.destroy();
    await expect(gone.run(line(3), {eps: 1, minPts: 2})).rejects.toThrow('grid-bfs was destroyed');
  });

  it('expands pairs at distance eps level by level, with few progress reports', async () => {
    // 0.1 is not a float32 value: every pair of neighbours is undecided.
    const points = {coords: Float32Array.from({length: 4000}, (_, k) => 0.1 * k), dim: 1};
    const params = {eps: Math.fround(0.1), minPts: 2};
    let reports = 0;
    const {labels} = await rig.dbscan.run(points, params, {onProgress: () => reports++});
    expect(labels).toEqual((await rig.reference.run(points, params)).labels);
    expect(reports).toBeLessThan(300);
  });

  it('frees all memory at destroy(), which can be called twice', async () => {
    const before = rig.gpu.allocatedBytes;
    const own = await createGridBfsGpu(rig.gpu);
    await own.run(blobs(1000, 2), {eps: 0.05, minPts: 4});
    await own.run({coords: Float64Array.of(1, 2, 3), dim: 1}, {eps: 1, minPts: 1});
    own.destroy();
    own.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
  });

  it('rejects points of more than 4 dimensions', async () => {
    const points = {coords: new Float32Array(10), dim: 5};
    await expect(rig.dbscan.run(points, {eps: 1, minPts: 1})).rejects.toBeInstanceOf(UnsupportedDimensionError);
  });
});

describeGpu('a device that is lost', () => {
  // Each device compiles every kernel again, which takes 5 to 25 s on SwiftShader.
  it('before or during a run rejects with GpuDeviceLostError, and a new device works', async () => {
    const points = line(200);
    const params = {eps: 1, minPts: 2};
    for (const moment of shareOf(['before', 'upload', 'clusters'], {of: 'moments of a loss'})) {
      using gpu = await openGpu();
      using dbscan = await createGridBfsGpu(gpu);
      const lose = (): void => gpu.device.destroy();
      const onProgress = ({phase}: {readonly phase: string}): void => (phase === 'clusters' ? lose() : undefined);
      if (moment === 'before') lose();
      const running = dbscan.run(points, params, moment === 'clusters' ? {onProgress} : {});
      if (moment === 'upload') lose();
      await expect(running, moment).rejects.toBeInstanceOf(GpuDeviceLostError);
    }
    using fresh = await openGpu();
    using dbscan = await createGridBfsGpu(fresh);
    expect((await dbscan.run(points, params)).clusterCount).toBe(1);
  });
});
