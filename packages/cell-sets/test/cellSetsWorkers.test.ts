import {
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  type DbscanPhase,
  type PointSet,
  type Progress,
} from '@epsball/clustering';
import {blobs, dbscanOracle, insideLargerBuffer, onSharedMemory, uniform} from '@epsball/conformance';
import {sizeOfShare} from '@epsball/conformance/share';
import {WorkerPool} from '@epsball/workers';
import {describe, expect, it} from 'vitest';
import {createCellSets, type CellSetsOptions} from '../src/index.ts';
import {createMeetingPool} from './meetingPool.ts';
import {createCellSetsWorkers, type CellSetsWorkersOptions} from '../src/workers/index.ts';

type PdsWorkersOptions = Omit<CellSetsWorkersOptions, 'name'>;

/** Both backends, with cells by eps. */
const createPdsSequential = (options: Omit<CellSetsOptions, 'name'> = {}) => createCellSets({...options, name: 'pds'});
const createPdsWorkers = (options: PdsWorkersOptions = {}) => createCellSetsWorkers({...options, name: 'pds'});

const PARAMS = {eps: 0.05, minPts: 4};

describe('pds on worker threads', () => {
  it.for([
    ['lock-free', 'cells'],
    ['lock', 'cells'],
    ['lock-free', 'index'],
    ['lock', 'index'],
  ] as const)(
    'returns the same bytes in many runs under contention: %s, partition by %s',
    async ([union, partition]) => {
      using pool = createMeetingPool(7, 3);
      using algorithm = createPdsWorkers({pool, union, partition, pointsPerChunk: 1});
      for (let seed = 0; seed < sizeOfShare(250); seed++) {
        // Few clusters over many parts: nearly every union competes with another thread's.
        const points = blobs('float32', 2, 120 + seed, {seed, clusters: 1 + (seed % 3), sigma: 0.1});
        const expected = dbscanOracle(points, PARAMS);
        const {labels, coreMask, clusterCount, stats} = await algorithm.run(points, PARAMS);
        const merging = Object.entries(stats.counters).filter(([name, ms]) => name.startsWith('mergeMsOf') && ms > 0);
        expect(merging.length, `seed ${seed}`).toBeGreaterThanOrEqual(3);
        expect({labels: labels.slice(), coreMask: coreMask.slice(), clusterCount}, `seed ${seed}`).toEqual({
          labels: expected.labels,
          coreMask: expected.coreMask,
          clusterCount: expected.clusterCount,
        });
      }
    },
  );

  it.for(['lock-free', 'lock'] as const)(
    'returns the same bytes over a tree, where threads unite with the points of others at once: %s',
    async (union) => {
      using pool = createMeetingPool(7, 3, 'uniteCells');
      using algorithm = createPdsWorkers({pool, union, pointsPerChunk: 1});
      for (let seed = 0; seed < sizeOfShare(250); seed++) {
        const dim = 5 + (seed % 12);
        const points = blobs('float32', dim, 200 + seed, {seed, clusters: 1 + (seed % 3), sigma: 0.05});
        // From many small clusters to one.
        const params = {eps: 0.02 * Math.sqrt(dim) * (1 + (seed % 4)), minPts: 1 + (seed % 5)};
        const expected = dbscanOracle(points, params);
        const {labels, coreMask, clusterCount, stats} = await algorithm.run(points, params);
        expect(stats.counters.crossPairs).toBe(0);
        expect({labels: labels.slice(), coreMask: coreMask.slice(), clusterCount}, `seed ${seed}`).toEqual({
          labels: expected.labels,
          coreMask: expected.coreMask,
          clusterCount: expected.clusterCount,
        });
      }
    },
  );

  it('lists pairs over a tree with a partition by index', async () => {
    using algorithm = createPdsWorkers({threads: 3, partition: 'index', pointsPerChunk: 1});
    const points = blobs('float32', 6, 400, {seed: 3, clusters: 2, sigma: 0.05});
    const params = {eps: 0.1, minPts: 4};
    const expected = dbscanOracle(points, params);
    const {labels, stats} = await algorithm.run(points, params);
    expect(labels.slice()).toEqual(expected.labels);
    expect(stats.counters.crossPairs).toBeGreaterThan(0);
  });

  it('splits a crowded cell among threads', async () => {
    using algorithm = createPdsWorkers({threads: 3, pointsPerChunk: 50});
    const crowd = blobs('float64', 2, 3000, {seed: 1, clusters: 1, sigma: 0.005});
    for (const minPts of [1, 40, 2000, 3001]) {
      const params = {eps: 0.05, minPts};
      const {labels, coreMask, stats} = await algorithm.run(crowd, params);
      const expected = dbscanOracle(crowd, params);
      expect(labels.slice()).toEqual(expected.labels);
      expect(coreMask.slice()).toEqual(expected.coreMask);
      expect(stats.counters).toMatchObject({threads: 3});
    }
  });

  it('reports progress: phases in order, each from 0 to n, with steps in between', async () => {
    using algorithm = createPdsWorkers({threads: 2, index: 'none'});
    const reports: Progress<DbscanPhase>[] = [];
    const n = 30_000;
    // Tests all pairs, about 10⁹.
    await algorithm.run(uniform('float32', 2, n, 6), {eps: 1e-9, minPts: 4}, {onProgress: (one) => reports.push(one)});
    const phases = [...new Set(reports.map(({phase}) => phase))];
    expect(phases).toEqual(['index', 'core', 'clusters', 'borders']);
    for (const phase of phases) {
      const done = reports.filter((one) => one.phase === phase).map((one) => one.done);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
      expect([done[0], done.at(-1)], phase).toEqual([0, n]);
    }
    expect(reports.filter(({phase}) => phase === 'core').length).toBeGreaterThan(2);
  });

  it('lists pairs between threads, and reports the time of each thread', async () => {
    using algorithm = createPdsWorkers({threads: 2, pointsPerChunk: 100});
    const {stats, clusterCount} = await algorithm.run(uniform('float32', 2, 5000, 1), {eps: 0.05, minPts: 4});
    expect(clusterCount).toBe(1);
    expect(stats.counters['threads']).toBe(2);
    expect(stats.counters['crossPairs']).toBeGreaterThan(0);
    expect(stats.counters['localMs']).toBeGreaterThan(0);
    expect(stats.counters['mergeMs']).toBeGreaterThan(0);
    // One of them may have come too late for any chunk.
    const {localMsOfThread1, localMsOfThread2} = stats.counters;
    expect(localMsOfThread1 + localMsOfThread2).toBeGreaterThan(0);
  });

  it('reports the times of all threads, also of idle ones', async () => {
    using algorithm = createPdsWorkers({threads: 3});
    const {stats} = await algorithm.run(blobs('float32', 2, 5, {seed: 1}), PARAMS);
    const names = ['localMsOfThread1', 'localMsOfThread2', 'localMsOfThread3'];
    names.push(...names.map((name) => name.replace('local', 'merge')));
    for (const name of names) expect(stats.counters[name], name).toBeGreaterThanOrEqual(0);
    expect(Object.keys(stats.counters).filter((name) => /OfThread/.test(name))).toEqual(names);
  });

  it('lists far fewer pairs between runs of cells than between ranges of the input', async () => {
    const pairsBy = async (partition: PdsWorkersOptions['partition']): Promise<number> => {
      using algorithm = createPdsWorkers({threads: 3, partition});
      const {stats} = await algorithm.run(uniform('float32', 2, 20_000, 1), {eps: 0.01, minPts: 4});
      return stats.counters['crossPairs'];
    };
    expect(await pairsBy('cells')).toBeLessThan((await pairsBy('index')) / 4);
  });

  it('counts pairs of points, and pairs of cells searched for them', async () => {
    using algorithm = createPdsWorkers({threads: 2, pointsPerChunk: 100});
    const sparse = await algorithm.run(uniform('float32', 2, 2000, 1), {eps: 0.02, minPts: 2});
    expect(sparse.stats.counters['crossPairs']).toBeGreaterThan(0);
    expect(sparse.stats.counters['crossCellPairs']).toBe(0);
    const crowded = await algorithm.run(uniform('float32', 2, 2000, 1), {eps: 0.2, minPts: 2});
    expect(crowded.stats.counters['crossCellPairs']).toBeGreaterThan(0);
    // All cells are whole, also those that chunks cut: one pair of points for each pair of cells suffices.
    expect(crowded.stats.counters['crossPairs']).toBeLessThanOrEqual(crowded.stats.counters['crossCellPairs']);
    const again = await algorithm.run(uniform('float32', 2, 2000, 1), {eps: 0.2, minPts: 2});
    expect(again.stats.counters['crossPairs']).toBe(crowded.stats.counters['crossPairs']);
  });

  it('lists no pairs with one thread', async () => {
    using algorithm = createPdsWorkers({threads: 1, pointsPerChunk: 50});
    const {stats} = await algorithm.run(uniform('float32', 2, 5000, 1), PARAMS);
    expect(stats.counters).toMatchObject({threads: 1, crossPairs: 0, mergeMs: 0});
  });

  it('keeps lists of pairs that outgrow their memory', async () => {
    using algorithm = createPdsWorkers({threads: 3, partition: 'index', pointsPerChunk: 1});
    // Pairs of points far from each other, half of them between threads: no pair is a duplicate.
    const n = 3000;
    const xs = Float64Array.from({length: n}, (_, i) => (i % (n / 3)) * 10 + Math.floor(i / (n / 3)) * 0.4);
    const {labels, clusterCount, stats} = await algorithm.run({coords: xs, dim: 1}, {eps: 1, minPts: 2});
    expect(stats.counters['crossPairs']).toBeGreaterThan(n / 2);
    expect(clusterCount).toBe(n / 3);
    expect(labels.slice()).toEqual(Int32Array.from({length: n}, (_, i) => i % (n / 3)));
  });

  it('accepts points on shared memory and views into larger buffers', async () => {
    using algorithm = createPdsWorkers({threads: 2});
    const points = blobs('float64', 3, 2000, {seed: 5});
    const expected = dbscanOracle(points, PARAMS).labels;
    for (const input of [points, onSharedMemory(points), insideLargerBuffer(points)]) {
      const before = input.coords.slice();
      expect((await algorithm.run(input, PARAMS)).labels.slice()).toEqual(expected);
      expect(input.coords.slice()).toEqual(before);
    }
  });

  it('borrows a pool and does not destroy it', async () => {
    using pool = new WorkerPool({threads: 2});
    const points = blobs('float32', 2, 1000, {seed: 3});
    const expected = dbscanOracle(points, PARAMS).labels;
    const first = createPdsWorkers({pool});
    const second = createPdsWorkers({pool, union: 'lock'});
    const both = await Promise.all([first.run(points, PARAMS), second.run(points, PARAMS)]);
    for (const {labels} of both) expect(labels.slice()).toEqual(expected);
    first.destroy();
    expect((await second.run(points, PARAMS)).labels.slice()).toEqual(expected);
  });

  it('queues concurrent runs, and goes on after a run that fails', async () => {
    using algorithm = createPdsWorkers({threads: 2});
    const sets = [3000, 1000, 2000].map((n, seed) => blobs('float32', 2, n, {seed}));
    const bad = algorithm.run(uniform('float32', 2, 100, 1), {eps: -1, minPts: 4});
    const all = sets.map((points) => algorithm.run(points, PARAMS));
    await expect(bad).rejects.toThrow(InvalidParameterError);
    const results = await Promise.all(all);
    results.forEach(({labels}, k) => expect(labels.slice()).toEqual(dbscanOracle(sets[k], PARAMS).labels));
  });

  it('clusters few points with many threads, without starting them all', async () => {
    const points = uniform('float32', 2, 3000, 4);
    const before = process.cpuUsage();
    using algorithm = createPdsWorkers({threads: 200});
    const {labels} = await algorithm.run(points, PARAMS);
    expect(process.cpuUsage(before).user).toBeLessThan(5e6);
    expect(labels.slice()).toEqual(dbscanOracle(points, PARAMS).labels);
  });

  it.for(['cells', 'index'] as const)('ends soon when a signal fires, with one thread, by %s', async (partition) => {
    using algorithm = createPdsWorkers({threads: 1, partition, index: 'none'});
    const points = onSharedMemory(uniform('float32', 2, 100_000, 6));
    // Tests all 10¹⁰ pairs: each of the 64 chunks of 'core' takes long.
    const params = {eps: 1e-9, minPts: 4};
    const controller = new AbortController();
    let atAbort = process.cpuUsage();
    const run = algorithm.run(points, params, {
      signal: controller.signal,
      onProgress: ({phase}) => {
        if (phase !== 'core') return;
        // By then the thread works, and would for many seconds.
        setTimeout(() => {
          atAbort = process.cpuUsage();
          controller.abort();
        }, 700);
      },
    });
    await expect(run).rejects.toThrow(RunAbortedError);
    expect(process.cpuUsage(atAbort).user).toBeLessThan(5e6);
  });

  it.for(['cells', 'index'] as const)('has one part with one thread, by %s', async (partition) => {
    using algorithm = createPdsWorkers({threads: 1, partition, pointsPerChunk: 1});
    const points = blobs('float32', 2, 3000, {seed: 3});
    const {labels, stats} = await algorithm.run(points, PARAMS);
    expect(stats.counters['crossPairs']).toBe(0);
    expect(labels.slice()).toEqual(dbscanOracle(points, PARAMS).labels);
  });

  it('refuses to run after destroy', async () => {
    const algorithm = createPdsWorkers({threads: 1});
    algorithm.destroy();
    await expect(algorithm.run(uniform('float32', 2, 100, 1), PARAMS)).rejects.toThrow('pds was destroyed');
    const sequential = createPdsSequential();
    sequential.destroy();
    await expect(sequential.run(uniform('float32', 2, 100, 1), PARAMS)).rejects.toThrow('pds was destroyed');
  });

  it('needs no index in many dimensions, and refuses a grid there', async () => {
    const points: PointSet = uniform('float32', 6, 500, 2);
    const params = {eps: 0.6, minPts: 4};
    const expected = dbscanOracle(points, params).labels;
    using auto = createPdsWorkers({threads: 3, pointsPerChunk: 1});
    expect((await auto.run(points, params)).labels.slice()).toEqual(expected);
    using grid = createPdsWorkers({threads: 1, index: 'grid'});
    await expect(grid.run(points, params)).rejects.toThrow(UnsupportedDimensionError);
    using none = createPdsWorkers({threads: 2, index: 'none'});
    const flat = uniform('float64', 2, 500, 3);
    expect((await none.run(flat, PARAMS)).labels.slice()).toEqual(dbscanOracle(flat, PARAMS).labels);
  });

  it('refuses unknown options and invalid points', async () => {
    expect(() => createPdsWorkers({threads: 0})).toThrow(InvalidParameterError);
    expect(() => createPdsWorkers({threads: 1, union: 'none' as never})).toThrow('union = "none"');
    expect(() => createPdsWorkers({threads: 1, partition: 'none' as never})).toThrow('partition = "none"');
    expect(() => createPdsWorkers({threads: 1, index: 'list' as never})).toThrow('index = "list"');
    expect(() => createPdsSequential({index: 'list' as never})).toThrow('index = "list"');
    expect(() => createPdsWorkers({threads: 1, pointsPerChunk: 0})).toThrow('pointsPerChunk = 0');
    using pool = new WorkerPool({threads: 1});
    expect(() => createPdsWorkers({threads: 1, pool})).toThrow(InvalidParameterError);
    using algorithm = createPdsWorkers({threads: 2});
    const points = uniform('float64', 2, 500, 3);
    points.coords[731] = NaN;
    await expect(algorithm.run(points, PARAMS)).rejects.toThrow(InvalidPointsError);
    await expect(algorithm.run(points, PARAMS)).rejects.toMatchObject({index: 365});
  });
});

describe('pds on the calling thread', () => {
  it('yields to the event loop in a long run', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    try {
      using algorithm = createPdsSequential({index: 'none'});
      await algorithm.run(uniform('float32', 2, 12_000, 7), {eps: 2, minPts: 12_000});
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(0);
  });
});
