import {pointCount, squaredDistance, type DbscanParams, type PointSet} from '@epsball/clustering';
import {blobs, dbscanOracle, integerLattice, toPoints, uniform} from '@epsball/conformance';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import {WorkerPool} from '@epsball/workers';
import {expect, it} from 'vitest';
import {createHybridDbscan} from '../src/index.ts';
import {expectOracle} from './expectOracle.ts';

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

describeLongGpu('what the hybrid sends', () => {
  const edgeBytes = 2048;
  const rig = withGpu(async (gpu) => {
    const pool = new WorkerPool({threads: 3});
    return {
      pool,
      /** Chunks of a few hundred edges, of all that there are. */
      chunked: await createHybridDbscan(gpu, {pool, index: 'none', edgeBytes}),
    };
  });

  it('sends each pair of core points once, and from border points what they need, and says so', async () => {
    const points = blobs('float32', 2, 800, {seed: 2, clusters: 5});
    const {coreMask, stats} = await rig.chunked.run(points, PARAMS);
    const {core, border} = countEdges(points, PARAMS, coreMask);
    expect(stats.counters).toMatchObject({coreEdges: core, borderEdges: border, threads: 3});
    expect(border).toBeGreaterThan(0);
    expect(stats.counters['chunks']).toBeGreaterThanOrEqual((4 * (core + border)) / edgeBytes);
    // Edges; order and core flags; row starts of both kinds of edges.
    expect(stats.counters['travelledBytes']).toBe(4 * (core + border) + 4 * 800 + 2 * 4 * (800 + 1));
    for (const name of ['deviceWaitMs', 'transferMs', 'threadWaitMs', 'uniteMs', 'uniteMsOfThread3']) {
      expect(stats.counters[name], name).toBeGreaterThanOrEqual(0);
    }
    expect(stats.deviceBytes).toBeGreaterThan(0);
  });

  it('sends over a grid only edges that join something, with the degrees, and says so', async () => {
    const points = blobs('float32', 2, 800, {seed: 2, clusters: 5});
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
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
    // How many rows; order and core flags, row starts, parents, and room for two edges a point.
    expect(stats.counters['travelledBytes']).toBe(4 + 4 * 800 + 4 * (800 + 1) + 4 * 800 + 4 * 2 * 800);
    // Where that is more than a chunk may have, edges follow.
    using chunkedGrid = await createHybridDbscan(rig.gpu, {pool: rig.pool, edgeBytes: 256});
    await expectOracle(chunkedGrid, points, PARAMS);
    expectFew((await chunkedGrid.run(points, PARAMS)).stats.counters);
  });

  it('sends some more rows and edges than the last run had, and all of them if that is too few', async () => {
    const n = 5000;
    const params = {eps: 0.02, minPts: 4};
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    const bytesOf = (rows: number, edges: number): number => 4 + 8 * rows + 4 * (rows + 1) + 4 * edges;
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

  it('sends edges behind the degrees where they are more than a point may be expected to have', async () => {
    // On a lattice whose spacing is eps float32 decides no row, and all edges of a row are stored.
    const points = toPoints('float32', 3, integerLattice(3, 7));
    using algorithm = await createHybridDbscan(rig.gpu, {pool: rig.pool});
    await expectOracle(algorithm, points, {eps: 1, minPts: 3});
    const {stats} = await algorithm.run(points, {eps: 1, minPts: 3});
    expect(stats.counters).toMatchObject({coreEdges: 3 * 7 * 7 * 6, borderEdges: 0, chunks: 1});
  });
});
