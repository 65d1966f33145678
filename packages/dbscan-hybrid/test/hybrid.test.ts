import {
  GpuLimitError,
  InvalidParameterError,
  pointCount,
  RunAbortedError,
  squaredDistance,
  UnsupportedDimensionError,
  type DbscanAlgorithm,
  type DbscanParams,
  type PointSet,
} from '@epsball/clustering';
import {blobs, dbscanOracle, integerLattice, onSharedMemory, toPoints, uniform} from '@epsball/conformance';
import {openGpu, type Gpu} from '@epsball/gpu';
import {describeGpu} from '@epsball/gpu/testing';
import {WorkerPool} from '@epsball/workers';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {createHybridDbscan} from '../src/index.ts';

const PARAMS = {eps: 0.05, minPts: 4};

/** Edges as the contract decides them: pairs of core points, and from border points to core points. */
function countEdges(points: PointSet, {eps}: DbscanParams, isCore: Uint8Array): {core: number; border: number} {
  const {coords, dim} = points;
  const n = pointCount(points);
  const counts = {core: 0, border: 0};
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (squaredDistance(coords, dim, i, j) > eps * eps) continue;
      if (isCore[i] === 1 && isCore[j] === 1) counts.core++;
      else if (isCore[i] !== isCore[j]) counts.border++;
    }
  }
  return counts;
}

// One device, one pool and few algorithms for all tests: software adapters are slow.
describeGpu('the hybrid', () => {
  let gpu: Gpu;
  let pool: WorkerPool;
  /** Chunks of a few hundred edges, of all that there are. */
  let chunked: DbscanAlgorithm;
  const edgeBytes = 2048;
  /** Chunks of a few dozen edges over a grid. */
  let chunkedGrid: DbscanAlgorithm;

  beforeAll(async () => {
    gpu = await openGpu();
    pool = new WorkerPool({threads: 3});
    chunked = await createHybridDbscan(gpu, {pool, index: 'none', edgeBytes});
    chunkedGrid = await createHybridDbscan(gpu, {pool, edgeBytes: 256});
  });

  afterAll(() => {
    chunked.destroy();
    chunkedGrid.destroy();
    pool.destroy();
    gpu.destroy();
  });

  async function expectOracle(algorithm: DbscanAlgorithm, points: PointSet, params: DbscanParams): Promise<void> {
    const expected = dbscanOracle(points, params);
    const {labels, coreMask, clusterCount} = await algorithm.run(points, params);
    expect({labels: labels.slice(), coreMask: coreMask.slice(), clusterCount}).toEqual({
      labels: expected.labels,
      coreMask: expected.coreMask,
      clusterCount: expected.clusterCount,
    });
  }

  it('gives the same bytes in 60 runs over many chunks, whichever thread is first', async () => {
    for (let seed = 0; seed < 60; seed++) {
      // Few clusters over many chunks: nearly every union meets another thread's.
      await expectOracle(
        seed % 2 === 0 ? chunked : chunkedGrid,
        blobs('float32', 2, 150 + seed, {seed, clusters: 1 + (seed % 3), sigma: 0.1}),
        PARAMS,
      );
    }
  });

  it.for([1, 2, 7])('gives the same bytes with %i threads', async (threads) => {
    using algorithm = await createHybridDbscan(gpu, {threads, edgeBytes: 1024});
    await expectOracle(algorithm, blobs('float32', 2, 1500, {seed: 1, clusters: 4}), PARAMS);
    expect((await algorithm.run(uniform('float32', 2, 50, 1), PARAMS)).stats.counters['threads']).toBe(threads);
  });

  it('sends each pair of core points once, and from border points what they need, and says so', async () => {
    const points = blobs('float32', 2, 800, {seed: 2, clusters: 5});
    const {coreMask, stats} = await chunked.run(points, PARAMS);
    const {core, border} = countEdges(points, PARAMS, coreMask);
    expect(stats.counters).toMatchObject({coreEdges: core, borderEdges: border, threads: 3});
    expect(border).toBeGreaterThan(0);
    expect(stats.counters['chunks']).toBeGreaterThanOrEqual((4 * (core + border)) / edgeBytes);
    // Edges; order and core flags; row starts of all edges, and of both kinds, because these chunks are too many to be kept.
    expect(stats.counters['travelledBytes']).toBe(4 * (core + border) + 4 * 800 + 3 * 4 * (800 + 1));
    for (const name of ['deviceWaitMs', 'transferMs', 'threadWaitMs', 'uniteMs', 'uniteMsOfThread3']) {
      expect(stats.counters[name], name).toBeGreaterThanOrEqual(0);
    }
    expect(stats.deviceBytes).toBeGreaterThan(0);
  });

  it('keeps the edges of few chunks, and says the same of them', async () => {
    const points = blobs('float32', 2, 800, {seed: 2, clusters: 5});
    using algorithm = await createHybridDbscan(gpu, {pool, index: 'none', edgeBytes: 65_536});
    await expectOracle(algorithm, points, PARAMS);
    const {coreMask, stats} = await algorithm.run(points, PARAMS);
    const {core, border} = countEdges(points, PARAMS, coreMask);
    const edgeTotal = 4 * (core + border);
    expect(stats.counters).toMatchObject({coreEdges: core, borderEdges: border});
    expect(stats.counters['chunks']).toBe(Math.ceil(edgeTotal / 65_536));
    expect(stats.counters['chunks']).toBeGreaterThan(1);
    expect(stats.counters['travelledBytes']).toBe(edgeTotal + 4 * 800 + 4 * (800 + 1));
  });

  it('sends over a grid only edges that join something, with the degrees, and says so', async () => {
    const points = blobs('float32', 2, 800, {seed: 2, clusters: 5});
    using algorithm = await createHybridDbscan(gpu, {pool});
    await expectOracle(algorithm, points, PARAMS);
    const {coreMask, clusterCount, stats} = await algorithm.run(points, PARAMS);
    const {core, border} = countEdges(points, PARAMS, coreMask);
    const joined = coreMask.filter((flag) => flag === 1).length - clusterCount;
    // Which ones go depends on the order of points within a cell, which is another one in each run.
    const expectFew = ({coreEdges, borderEdges}: Readonly<Record<string, number>>): void => {
      expect(coreEdges).toBeGreaterThanOrEqual(joined);
      expect(coreEdges).toBeLessThan(Math.min(4 * joined, core / 5));
      expect(borderEdges).toBeGreaterThan(0);
      expect(borderEdges).toBeLessThanOrEqual(border);
    };
    expectFew(stats.counters);
    expect(stats.counters['chunks']).toBe(1);
    // How many rows; order and core flags, row starts, and room for two edges a point.
    expect(stats.counters['travelledBytes']).toBe(4 + 4 * 800 + 4 * (800 + 1) + 4 * 2 * 800);
    // Where that is more than a chunk may have, edges follow.
    await expectOracle(chunkedGrid, points, PARAMS);
    expectFew((await chunkedGrid.run(points, PARAMS)).stats.counters);
  });

  it('sends as many rows and edges as the run before had and some more, and all of them where that was too few', async () => {
    const n = 5000;
    const params = {eps: 0.02, minPts: 4};
    using algorithm = await createHybridDbscan(gpu, {pool});
    const bytesOf = (rows: number, edges: number): number => 4 + 4 * rows + 4 * (rows + 1) + 4 * edges;
    /** Bytes of a run of which so many points lie together and the others alone, and bytes of its rows and edges. */
    const run = async (together: number): Promise<{sent: number; needed: number}> => {
      const blob = uniform('float32', 2, together, 5).coords;
      const coords = Float32Array.from({length: 2 * n}, (_, k) => (k < 2 * together ? blob[k] : 10 + k));
      const {labels, coreMask, stats} = await algorithm.run({coords, dim: 2}, params);
      const expected = dbscanOracle({coords, dim: 2}, params);
      expect(labels).toEqual(expected.labels);
      expect(coreMask).toEqual(expected.coreMask);
      const {coreEdges, borderEdges, travelledBytes, chunks} = stats.counters;
      expect(chunks).toBe(1);
      const rows = labels.filter((label) => label >= 0).length;
      return {sent: travelledBytes, needed: bytesOf(rows, coreEdges + borderEdges)};
    };
    const most = bytesOf(n, 2 * n);
    expect((await run(2000)).sent).toBe(most);
    const few = await run(2000);
    expect(few.sent).toBeGreaterThan(1.1 * few.needed);
    expect(few.sent).toBeLessThan(most);
    const many = await run(n);
    // The edges that go are not the same ones in each run.
    expect(many.sent / (few.sent + many.needed)).toBeCloseTo(1, 2);
    expect((await run(n)).sent).toBeGreaterThan(many.needed);
  });

  it('numbers clusters that are many beside the points', async () => {
    using algorithm = await createHybridDbscan(gpu, {pool});
    // Pairs, from the last index down: more than a list of roots has room for.
    const coords = Float32Array.from({length: 2 * 1000}, (_, k) => (1000 - k) >> 1);
    await expectOracle(algorithm, {coords, dim: 1}, {eps: 0.5, minPts: 2});
    await expectOracle(algorithm, {coords, dim: 1}, {eps: 0.5, minPts: 1});
  });

  it('sends edges behind the degrees where they are more than a point may be expected to have', async () => {
    // On a lattice whose spacing is eps float32 decides no row, and all edges of a row are stored.
    const points = toPoints('float32', 3, integerLattice(3, 7));
    using algorithm = await createHybridDbscan(gpu, {pool});
    await expectOracle(algorithm, points, {eps: 1, minPts: 3});
    const {stats} = await algorithm.run(points, {eps: 1, minPts: 3});
    expect(stats.counters).toMatchObject({coreEdges: 3 * 7 * 7 * 6, borderEdges: 0, chunks: 1});
  });

  it('makes a graph in chunks that is allowed more bytes than a buffer may have', async () => {
    // 144 MB of edges; lavapipe binds 134.
    const points = {coords: new Float32Array(2 * 6000), dim: 2};
    using algorithm = await createHybridDbscan(gpu, {pool, index: 'none', edgeBytes: 2 ** 30});
    const {labels, clusterCount} = await algorithm.run(points, {eps: 1, minPts: 5});
    expect(clusterCount).toBe(1);
    expect(labels.every((label) => label === 0)).toBe(true);
  });

  it('takes the lowest number for a border point between two clusters, wherever it stands in the input', async () => {
    const left = [-1, -1.5, -2, -2.5];
    const right = [1, 1.5, 2, 2.5];
    for (const xs of [
      [0, ...right, ...left],
      [...right, 0, ...left],
      [...left, ...right, 0],
    ]) {
      const {labels, clusterCount} = await chunked.run(toPoints('float64', 1, xs), {eps: 1, minPts: 4});
      expect(clusterCount).toBe(2);
      expect(labels[xs.indexOf(0)]).toBe(0);
      await expectOracle(chunkedGrid, toPoints('float64', 1, xs), {eps: 1, minPts: 4});
    }
  });

  it('works without an index, in few dimensions and in many', async () => {
    // Few edges are all there at once and chosen from; more are tested for again, chunk by chunk.
    for (const chunkBytes of [undefined, 1200]) {
      using algorithm = await createHybridDbscan(gpu, {pool, index: 'none', edgeBytes: chunkBytes});
      await expectOracle(algorithm, blobs('float32', 2, 250, {seed: 3, clusters: 3}), PARAMS);
      const many = blobs('float64', 7, 200, {seed: 4, clusters: 2, sigma: 0.02});
      await expectOracle(algorithm, many, {eps: 0.06, minPts: 5});
    }
  });

  it('leaves points on shared memory as they are', async () => {
    const points = onSharedMemory(blobs('float32', 2, 300, {seed: 5}));
    const before = points.coords.slice();
    await expectOracle(chunked, points, PARAMS);
    expect(points.coords.slice()).toEqual(before);
  });

  it('refuses by name where the edges of one point exceed a chunk, and goes on', async () => {
    const crowded = toPoints('float32', 2, Array.from<number>({length: 2 * 700}).fill(1));
    const failure = await chunked.run(crowded, PARAMS).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GpuLimitError);
    expect(failure).toMatchObject({allowed: edgeBytes});
    expect(String(failure)).toContain('edges of one point');
    await expectOracle(chunked, blobs('float32', 2, 300, {seed: 6}), PARAMS);
    // Unless it may choose the size itself.
    using algorithm = await createHybridDbscan(gpu, {pool});
    await expectOracle(algorithm, crowded, PARAMS);
  });

  it('tells its phases in order, also where one wave does all', async () => {
    using algorithm = await createHybridDbscan(gpu, {pool});
    const phases = new Set<string>();
    const points = blobs('float32', 2, 700, {seed: 7, clusters: 2, sigma: 0.05});
    const {stats} = await algorithm.run(points, PARAMS, {onProgress: ({phase}) => phases.add(phase)});
    expect([...phases]).toEqual(['index', 'core', 'clusters', 'borders']);
    expect(stats.counters['chunks']).toBe(1);
    expect(Object.keys(stats.phaseMs)).toEqual(['upload', 'index', 'core', 'clusters', 'borders']);
    for (const ms of Object.values(stats.phaseMs)) expect(ms).toBeGreaterThanOrEqual(0);
  });

  it('ends between two chunks when a signal fires, and goes on', async () => {
    const points = blobs('float32', 2, 700, {seed: 7, clusters: 2, sigma: 0.05});
    for (const wanted of ['clusters', 'borders'] as const) {
      const controller = new AbortController();
      let reports = 0;
      const run = chunked.run(points, PARAMS, {
        signal: controller.signal,
        onProgress: ({phase, done}) => {
          if (phase !== wanted) return;
          reports++;
          if (wanted === 'borders' || done > 0) controller.abort(new Error('no longer wanted'));
        },
      });
      await expect(run).rejects.toThrow(RunAbortedError);
      expect(reports).toBeGreaterThan(0);
      await expectOracle(chunked, blobs('float32', 2, 300, {seed: 8}), PARAMS);
    }
  });

  it('runs one after another what is asked for at once', async () => {
    const sets = [300, 100, 200].map((n, seed) => blobs('float32', 2, n, {seed}));
    const bad = chunked.run(sets[0], {eps: -1, minPts: 4});
    const all = sets.map((points) => chunked.run(points, PARAMS));
    await expect(bad).rejects.toThrow(InvalidParameterError);
    const results = await Promise.all(all);
    results.forEach(({labels}, k) => expect(labels.slice()).toEqual(dbscanOracle(sets[k], PARAMS).labels));
  });

  it('goes on after a thread has failed', async () => {
    const broken = new WorkerPool({threads: 1});
    using algorithm = await createHybridDbscan(gpu, {pool: broken});
    broken.destroy();
    await expect(algorithm.run(uniform('float32', 2, 100, 1), PARAMS)).rejects.toMatchObject({code: 'WORKER_FAILED'});
    await expectOracle(chunked, blobs('float32', 2, 300, {seed: 9}), PARAMS);
  });

  it('refuses what it does not take', async () => {
    const refused = [
      [{index: 'tree' as never}, 'index = "tree"'],
      [{edgeBytes: 0}, 'edgeBytes = 0; expected an integer from 4 to'],
      [{threads: 0}, 'threads = 0'],
      [{threads: 2, pool}, 'threads = 2'],
    ] as const;
    for (const [options, message] of refused) {
      const failure = await createHybridDbscan(gpu, options).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(InvalidParameterError);
      expect(String(failure)).toContain(message);
    }
    using grid = await createHybridDbscan(gpu, {pool, index: 'grid'});
    await expect(grid.run(uniform('float32', 5, 10, 1), PARAMS)).rejects.toThrow(UnsupportedDimensionError);
    await expect(chunked.run(uniform('float32', 65, 10, 1), PARAMS)).rejects.toThrow(UnsupportedDimensionError);
    const destroyed = await createHybridDbscan(gpu, {pool});
    destroyed.destroy();
    destroyed.destroy();
    await expect(destroyed.run(uniform('float32', 2, 10, 1), PARAMS)).rejects.toThrow('hybrid = "destroyed"');
  });
});
