import {GpuLimitError, InvalidParameterError, RunAbortedError, UnsupportedDimensionError} from '@epsball/clustering';
import {blobs, dbscanOracle, onSharedMemory, toPoints, uniform} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {WorkerPool} from '@epsball/workers';
import {expect, it} from 'vitest';
import {createHybridDbscan} from '../src/index.ts';
import {expectOracle} from './expectOracle.ts';

const PARAMS = {eps: 0.05, minPts: 4};

// One device, one pool and few algorithms for all tests: software adapters are slow.
describeLongGpu('the hybrid', () => {
  const edgeBytes = 2048;
  const rig = withGpu(async (gpu) => {
    const pool = new WorkerPool({threads: 3});
    return {
      pool,
      /** Chunks of a few hundred edges, of all that there are. */
      chunked: await createHybridDbscan(gpu, {pool, index: 'none', edgeBytes}),
      /** Chunks of a few dozen edges over a grid. */
      chunkedGrid: await createHybridDbscan(gpu, {pool, edgeBytes: 256}),
    };
  });

  it('gives the same bytes in many runs over many chunks, whichever thread is first', async () => {
    for (let seed = 0; seed < sizeOfShare(60); seed++) {
      // Few clusters over many chunks: nearly every union meets another thread's.
      await expectOracle(
        seed % 2 === 0 ? rig.chunked : rig.chunkedGrid,
        blobs('float32', 2, 150 + seed, {seed, clusters: 1 + (seed % 3), sigma: 0.1}),
        PARAMS,
      );
    }
  });

  it.for([1, 2, 7])('gives the same bytes with %i threads', async (threads) => {
    using algorithm = await createHybridDbscan(rig.gpu, {threads, edgeBytes: 1024});
    await expectOracle(algorithm, blobs('float32', 2, 1500, {seed: 1, clusters: 4}), PARAMS);
    expect((await algorithm.run(uniform('float32', 2, 50, 1), PARAMS)).stats.counters['threads']).toBe(threads);
  });

  it('numbers clusters that are many beside the points', async () => {
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    // Pairs, from the last index down: more than a list of roots has room for.
    const coords = Float32Array.from({length: 2 * 1000}, (_, k) => (1000 - k) >> 1);
    await expectOracle(algorithm, {coords, dim: 1}, {eps: 0.5, minPts: 2});
    await expectOracle(algorithm, {coords, dim: 1}, {eps: 0.5, minPts: 1});
  });

  it('unites a line whose points are more than the device follows to a parent', async () => {
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    const points = toPoints(
      'float32',
      1,
      Array.from({length: 500}, (_, i) => (7 * i) % 500),
    );
    await expectOracle(algorithm, points, {eps: 1, minPts: 3});
    const {stats} = await algorithm.run(points, {eps: 1, minPts: 3});
    expect(stats.counters).toMatchObject({chunks: 1, coreEdges: 497, borderEdges: 2});
  });

  it('makes a graph in chunks that is allowed more bytes than a buffer may have', async () => {
    // 144 MB of edges; lavapipe binds 134.
    const points = {coords: new Float32Array(2 * 6000), dim: 2};
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool, index: 'none', edgeBytes: 2 ** 30});
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
      const {labels, clusterCount} = await rig.chunked.run(toPoints('float64', 1, xs), {eps: 1, minPts: 4});
      expect(clusterCount).toBe(2);
      expect(labels[xs.indexOf(0)]).toBe(0);
      await expectOracle(rig.chunkedGrid, toPoints('float64', 1, xs), {eps: 1, minPts: 4});
    }
  });

  it('finds the clusters without an index, in few and many dimensions', async () => {
    // Few edges are all there at once and chosen from; more are tested for again, chunk by chunk.
    for (const chunkBytes of [undefined, 1200]) {
      using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool, index: 'none', edgeBytes: chunkBytes});
      await expectOracle(algorithm, blobs('float32', 2, 250, {seed: 3, clusters: 3}), PARAMS);
      const many = blobs('float64', 7, 200, {seed: 4, clusters: 2, sigma: 0.02});
      await expectOracle(algorithm, many, {eps: 0.06, minPts: 5});
    }
  });

  it('leaves points on shared memory as they are', async () => {
    const points = onSharedMemory(blobs('float32', 2, 300, {seed: 5}));
    const before = points.coords.slice();
    await expectOracle(rig.chunked, points, PARAMS);
    expect(points.coords.slice()).toEqual(before);
  });

  it('refuses by name where the edges of one point exceed a chunk, and goes on', async () => {
    const crowded = toPoints('float32', 2, Array.from<number>({length: 2 * 700}).fill(1));
    const failure = await rig.chunked.run(crowded, PARAMS).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GpuLimitError);
    expect(failure).toMatchObject({allowed: edgeBytes});
    expect(String(failure)).toContain('edges of one point');
    await expectOracle(rig.chunked, blobs('float32', 2, 300, {seed: 6}), PARAMS);
    // Unless it may choose the size itself.
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    await expectOracle(algorithm, crowded, PARAMS);
  });

  it('tells its phases in order, also where one wave does all', async () => {
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    const phases = new Set<string>();
    const points = blobs('float32', 2, 700, {seed: 7, clusters: 2, sigma: 0.05});
    const {stats} = await algorithm.run(points, PARAMS, {onProgress: ({phase}) => phases.add(phase)});
    expect([...phases]).toEqual(['index', 'core', 'clusters', 'borders']);
    expect(stats.counters['chunks']).toBe(1);
    expect(Object.keys(stats.phaseMs)).toEqual(['upload', 'index', 'core', 'clusters', 'borders']);
    for (const ms of Object.values(stats.phaseMs)) expect(ms).toBeGreaterThanOrEqual(0);
  });

  it('rejects between two chunks if a signal fires; the next run works', async () => {
    const points = blobs('float32', 2, 700, {seed: 7, clusters: 2, sigma: 0.05});
    for (const wanted of ['clusters', 'borders'] as const) {
      const controller = new AbortController();
      let reports = 0;
      const run = rig.chunked.run(points, PARAMS, {
        signal: controller.signal,
        onProgress: ({phase, done}) => {
          if (phase !== wanted) return;
          reports++;
          if (wanted === 'borders' || done > 0) controller.abort(new Error('no longer wanted'));
        },
      });
      await expect(run).rejects.toThrow(RunAbortedError);
      expect(reports).toBeGreaterThan(0);
      await expectOracle(rig.chunked, blobs('float32', 2, 300, {seed: 8}), PARAMS);
    }
  });

  it('rejects if a signal fires in a run whose edges travel at once; the next run works', async () => {
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    const points = blobs('float32', 2, 700, {seed: 7, clusters: 2, sigma: 0.05});
    for (const wanted of ['index', 'core', 'clusters'] as const) {
      const controller = new AbortController();
      const reason = new Error('no longer wanted');
      const run = algorithm.run(points, PARAMS, {
        signal: controller.signal,
        onProgress: ({phase}) => {
          if (phase === wanted) controller.abort(reason);
        },
      });
      const failure = await run.catch((error: unknown) => error);
      expect(failure, wanted).toBeInstanceOf(RunAbortedError);
      expect(failure).toMatchObject({cause: reason});
      await expectOracle(algorithm, points, PARAMS);
    }
  });

  it('queues runs that start at once', async () => {
    const sets = [300, 100, 200].map((n, seed) => blobs('float32', 2, n, {seed}));
    const bad = rig.chunked.run(sets[0], {eps: -1, minPts: 4});
    const all = sets.map((points) => rig.chunked.run(points, PARAMS));
    await expect(bad).rejects.toThrow(InvalidParameterError);
    const results = await Promise.all(all);
    results.forEach(({labels}, k) => expect(labels.slice()).toEqual(dbscanOracle(sets[k], PARAMS).labels));
  });

  it('goes on after a thread has failed', async () => {
    const broken = new WorkerPool({threads: 1});
    using algorithm = await createHybridDbscan(rig.gpu, {pool: broken});
    broken.destroy();
    await expect(algorithm.run(uniform('float32', 2, 100, 1), PARAMS)).rejects.toMatchObject({code: 'WORKER_FAILED'});
    await expectOracle(rig.chunked, blobs('float32', 2, 300, {seed: 9}), PARAMS);
  });

  it('rejects invalid options', async () => {
    const refused = [
      [{index: 'tree' as never}, 'index = "tree"'],
      [{edgeBytes: 0}, 'edgeBytes = 0; expected an integer from 4 to'],
      [{threads: 0}, 'threads = 0'],
      [{threads: 2, pool: rig.pool}, 'threads = 2'],
    ] as const;
    for (const [options, message] of refused) {
      const failure = await createHybridDbscan(rig.gpu, options).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(InvalidParameterError);
      expect(String(failure)).toContain(message);
    }
    using grid = await createHybridDbscan(rig.gpu, {pool: rig.pool, index: 'grid'});
    await expect(grid.run(uniform('float32', 5, 10, 1), PARAMS)).rejects.toThrow(UnsupportedDimensionError);
    await expect(rig.chunked.run(uniform('float32', 1537, 10, 1), PARAMS)).rejects.toThrow(UnsupportedDimensionError);
    const destroyed = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    destroyed.destroy();
    destroyed.destroy();
    await expect(destroyed.run(uniform('float32', 2, 10, 1), PARAMS)).rejects.toThrow('hybrid was destroyed');
  });
});
