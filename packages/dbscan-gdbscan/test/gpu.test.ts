import {expect, it} from 'vitest';
import {
  GpuDeviceLostError,
  GpuLimitError,
  InvalidParameterError,
  pointCount,
  RunAbortedError,
  UnsupportedDimensionError,
  type DbscanParams,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {blobs, dbscanOracle, integerLattice, spiral, toPoints} from '@epsball/conformance';
import {createGdbscanGpu, type GdbscanGpuOptions} from '@epsball/dbscan-gdbscan/gpu';
import {openGpu} from '@epsball/gpu';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';

/** Points on a line with spacing 1, in shuffled order: with eps = 1 a search has as many levels as points. */
function line(n: number): PointSet {
  return {coords: Float32Array.from({length: n}, (_, k) => (k * 97) % n), dim: 1};
}

describeLongGpu('gdbscan on a device', () => {
  const rig = withGpu();

  /** Runs once on each point set and compares with the oracle. */
  async function expectRight(
    options: GdbscanGpuOptions,
    sets: readonly (readonly [points: PointSet, params: DbscanParams])[],
  ): Promise<DbscanStats[]> {
    using dbscan = await createGdbscanGpu(rig.gpu, options);
    const stats: DbscanStats[] = [];
    for (const [points, params] of sets) {
      const actual = await dbscan.run(points, params);
      const expected = dbscanOracle(points, params);
      expect(actual.labels).toEqual(expected.labels);
      expect(actual.coreMask).toEqual(expected.coreMask);
      expect(actual.clusterCount).toBe(expected.clusterCount);
      stats.push(actual.stats);
    }
    return stats;
  }

  /** Many clusters with borders, one deep cluster, duplicates, pairs at distance eps, all noise, no points. */
  const samples: readonly (readonly [PointSet, DbscanParams])[] = [
    [blobs('float32', 2, 900, {seed: 5, clusters: 12}), {eps: 0.02, minPts: 5}],
    [line(400), {eps: 1, minPts: 2}],
    [spiral('float32', 300, 1), {eps: 1.5, minPts: 2}],
    [toPoints('float32', 2, Array.from<number>({length: 800}).fill(7)), {eps: 1, minPts: 300}],
    [
      toPoints(
        'float32',
        2,
        integerLattice(2, 17).map((x) => x * 0.1),
      ),
      {eps: Math.fround(0.1), minPts: 5},
    ],
    [line(300), {eps: 0.5, minPts: 2}],
    [
      {coords: new Float32Array(0), dim: 2},
      {eps: 1, minPts: 1},
    ],
  ];

  it.for([
    {index: 'grid', searches: 'many'},
    {index: 'none', searches: 'many'},
    {index: 'none', searches: 'one'},
    {index: 'grid', searches: 'one'},
  ] as const)('finds the clusters with index $index, searches $searches', async (options) => {
    const stats = await expectRight(options, samples);
    for (const {counters} of stats) {
      expect(counters.searches).toBeGreaterThanOrEqual(counters.clusters);
      if (options.searches === 'one') expect(counters.searches).toBe(counters.clusters);
    }
    expect(stats[0].counters).toMatchObject({chunks: 1});
    expect(stats[3].counters).toMatchObject({edges: 400 * 399, maxDegree: 399, clusters: 1});
  });

  it('takes n levels on a line with one search at a time, and fewer levels with many searches', async () => {
    const [one] = await expectRight({searches: 'one'}, [samples[1]]);
    // The first point is an end of the line.
    expect(one.counters.levels).toBe(400);
    const [many] = await expectRight({}, [samples[1]]);
    expect(many.counters.levels).toBeLessThan(one.counters.levels / 2);
    expect(many.counters.searches).toBeGreaterThan(1);
  });

  it.for([
    // Chunks over a grid skip edges that unite nothing new.
    ['grid', 256],
    ['none', 2048],
  ] as const)(
    'completes in chunks if the edges exceed edgeBytes, and the next call works, index %s',
    async ([index, edgeBytes]) => {
      const stats = await expectRight({index, edgeBytes}, [samples[0], samples[1], samples[4], samples[5]]);
      expect(4 * stats[0].counters.edges).toBeGreaterThan(4 * edgeBytes);
      expect(stats[0].counters.chunks).toBeGreaterThan(4);
      expect(4 * stats[3].counters.edges).toBeLessThan(edgeBytes);
      expect(stats[3].counters.chunks).toBe(1);
    },
  );

  it('takes no more memory for edges than edgeBytes', async () => {
    const [points, params] = samples[0];
    const bytes: number[] = [];
    let edges = 0;
    for (const edgeBytes of [2048, 2 ** 20]) {
      using dbscan = await createGdbscanGpu(rig.gpu, {edgeBytes});
      const {stats} = await dbscan.run(points, params);
      bytes.push(stats.deviceBytes ?? Number.NaN);
      edges = stats.counters.edges;
    }
    // Chunks take one more word per point, for the row lengths, and more parameters, in blocks of 8 KiB.
    const expected = bytes[1] - 4 * edges + 2048 + 4 * (pointCount(points) + 1) + 2 * 8192;
    expect(bytes[0]).toBeLessThanOrEqual(expected);
    expect(4 * edges).toBeGreaterThan(40_000);
  });

  it('rejects edgeBytes too small for a row, with the bytes needed, and the next call works', async () => {
    using dbscan = await createGdbscanGpu(rig.gpu, {index: 'none', edgeBytes: 400});
    const [points, params] = samples[3];
    const running = dbscan.run(points, params);
    await expect(running).rejects.toBeInstanceOf(GpuLimitError);
    await expect(running).rejects.toMatchObject({asked: 4 * 399, allowed: 400});
    const [line300, params300] = samples[5];
    expect((await dbscan.run(line300, params300)).labels).toEqual(dbscanOracle(line300, params300).labels);
  });

  it('uses chunks if the device lacks memory for all edges, and rejects if it lacks memory for one row', async () => {
    const [points, params] = samples[0];
    const expected = dbscanOracle(points, params).labels;
    const {device} = rig.gpu;
    using dbscan = await createGdbscanGpu(rig.gpu, {index: 'none'});
    for (const free of [10_000, 100]) {
      // A buffer of this size fails on every device, like a buffer larger than the free memory.
      device.createBuffer = (descriptor) => {
        const isRefused = descriptor.label === 'dbscan-gdbscan/edges' && descriptor.size > free;
        const size = isRefused ? 2 ** 50 : descriptor.size;
        return Object.getPrototypeOf(device).createBuffer.call(device, {...descriptor, size});
      };
      try {
        const running = dbscan.run(points, params);
        if (free === 100) {
          await expect(running).rejects.toBeInstanceOf(GpuLimitError);
          await expect(running).rejects.toThrow('edgeBytes');
        } else {
          const {labels, stats} = await running;
          expect(labels).toEqual(expected);
          expect(stats.counters.chunks).toBeGreaterThan(2);
        }
      } finally {
        Reflect.deleteProperty(device, 'createBuffer');
      }
    }
    const {labels, stats} = await dbscan.run(points, params);
    expect(labels).toEqual(expected);
    expect(stats.counters.chunks).toBe(1);
  });

  it('frees all memory if creation fails', async () => {
    // A new device, on which no pipeline is compiled yet.
    using own = await openGpu();
    const {device} = own;
    device.createComputePipelineAsync = (descriptor) =>
      String(descriptor.label).includes('beginLevel')
        ? Promise.reject(new Error('no pipeline'))
        : Object.getPrototypeOf(device).createComputePipelineAsync.call(device, descriptor);
    await expect(createGdbscanGpu(own)).rejects.toThrow('no pipeline');
    expect(own.allocatedBytes).toBe(0);
  });

  it('stops at an abort during the search or between chunks, and the next run is correct', async () => {
    for (const edgeBytes of [2 ** 20, 1000]) {
      using dbscan = await createGdbscanGpu(rig.gpu, {edgeBytes, searches: 'one'});
      const controller = new AbortController();
      const phases = new Set<string>();
      const onProgress = ({phase, done}: {readonly phase: string; readonly done: number}): void => {
        phases.add(phase);
        if (phase === 'clusters' && done > 0) controller.abort(new Error('enough'));
      };
      const running = dbscan.run(line(2000), {eps: 1, minPts: 2}, {signal: controller.signal, onProgress});
      await expect(running).rejects.toBeInstanceOf(RunAbortedError);
      const before = rig.gpu.speed === 'software' ? ['index', 'core'] : ['core'];
      expect([...phases]).toEqual([...before, 'clusters']);
      const [points, params] = samples[5];
      expect((await dbscan.run(points, params)).labels).toEqual(dbscanOracle(points, params).labels);
    }
  });

  it('reports the phases of a run', async () => {
    using dbscan = await createGdbscanGpu(rig.gpu);
    const {stats} = await dbscan.run(...samples[0]);
    expect(Object.keys(stats.phaseMs)).toEqual(['upload', 'index', 'core', 'clusters', 'borders', 'readBack']);
    if (!rig.gpu.hasTimestamps) return;
    const phases = Object.keys(stats.devicePhaseMs ?? {}).toSorted();
    expect(phases).toEqual(['borders', 'clusters', 'core', 'index', 'readBack']);
  });

  it.for([
    [{index: 'kdtree'}, 'index = "kdtree"; expected auto or grid or none'],
    [{searches: 2}, 'searches = 2; expected one or many'],
    [{edgeBytes: 3}, 'edgeBytes = 3; expected an integer ≥ 4'],
    [{edgeBytes: 5.5}, 'edgeBytes = 5.5; expected an integer ≥ 4'],
  ] as const)('rejects the options %o', async ([options, message]) => {
    const made = createGdbscanGpu(rig.gpu, options as GdbscanGpuOptions);
    await expect(made).rejects.toBeInstanceOf(InvalidParameterError);
    await expect(made).rejects.toThrow(message);
  });

  it('accepts up to 1536 dimensions, and 4 with a grid', async () => {
    const params = {eps: 1, minPts: 1};
    using any = await createGdbscanGpu(rig.gpu);
    await expect(any.run({coords: new Float32Array(1537), dim: 1537}, params)).rejects.toBeInstanceOf(
      UnsupportedDimensionError,
    );
    using grid = await createGdbscanGpu(rig.gpu, {index: 'grid'});
    await expect(grid.run({coords: new Float32Array(10), dim: 5}, params)).rejects.toBeInstanceOf(
      UnsupportedDimensionError,
    );
  });

  it('rejects with GpuDeviceLostError if the device is lost during the search', async () => {
    using own = await openGpu();
    using dbscan = await createGdbscanGpu(own, {index: 'none', searches: 'one'});
    const onProgress = ({phase}: {readonly phase: string}): void => {
      if (phase === 'clusters') own.device.destroy();
    };
    const running = dbscan.run(line(2000), {eps: 1, minPts: 2}, {onProgress});
    await expect(running).rejects.toBeInstanceOf(GpuDeviceLostError);
    await expect(dbscan.run(...samples[5])).rejects.toBeInstanceOf(GpuDeviceLostError);
  });

  it('frees all memory at destroy(), which can be called twice, and then rejects runs', async () => {
    const before = rig.gpu.allocatedBytes;
    const own = await createGdbscanGpu(rig.gpu);
    await own.run(...samples[0]);
    own.destroy();
    own.destroy();
    expect(rig.gpu.allocatedBytes).toBe(before);
    await expect(own.run(...samples[0])).rejects.toThrow('gdbscan was destroyed');
  });
});
