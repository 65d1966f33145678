import {InvalidParameterError, RunAbortedError, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {dbscanOracle} from '@epsball/conformance';
import {uniform} from '@epsball/datasets';
import {describe, expect, it} from 'vitest';
import {createGridBfsSequential} from '../src/index.ts';

/** Seeded points in the unit box. */
function randomPoints(n: number, dim: number, seed: number): PointSet {
  return uniform({n, dim, seed, precision: 'float64'});
}

describe('grid-bfs on one thread', () => {
  it.for([1, 2, 3, 4])('returns the labels of the oracle, in %i dimensions', async (dim) => {
    const algorithm = createGridBfsSequential();
    for (const [eps, minPts] of [
      [0.004, 1],
      [0.02, 2],
      [0.1, 4],
      [0.3, 12],
      [2, 300],
      [2, 301],
    ] as const) {
      const points = randomPoints(300, dim, 17 * dim + minPts);
      const {labels, coreMask, clusterCount} = await algorithm.run(points, {eps, minPts});
      expect({labels, coreMask, clusterCount}).toEqual(dbscanOracle(points, {eps, minPts}));
    }
  });

  it('counts clusters, levels and the widest level', async () => {
    // A chain of 5 and a chain of 3: from an end, each level is one point; from the middle, two.
    const coords = Float32Array.of(0, 1, 2, 3, 4, 11, 10, 12);
    const {stats, labels} = await createGridBfsSequential().run({coords, dim: 1}, {eps: 1, minPts: 2});
    expect([...labels]).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
    expect(stats.counters).toEqual({clusters: 2, levels: 5 + 2, maxFrontier: 2});
    expect(Object.keys(stats.phaseMs)).toEqual(['index', 'core', 'clusters']);
  });

  it('gives a shared border point the lower label, at any index', async () => {
    const left = [-1, -1.5, -2, -2.5];
    const right = [1, 1.5, 2, 2.5];
    for (const xs of [
      [0, ...right, ...left],
      [...right, 0, ...left],
      [...left, ...right, 0],
    ]) {
      const points = {coords: Float64Array.from(xs), dim: 1};
      const {labels, coreMask, clusterCount} = await createGridBfsSequential().run(points, {eps: 1, minPts: 4});
      expect(clusterCount).toBe(2);
      expect(coreMask[xs.indexOf(0)]).toBe(0);
      expect(labels[xs.indexOf(0)]).toBe(0);
    }
  });

  it('accepts zero points and one point', async () => {
    const algorithm = createGridBfsSequential();
    const none = await algorithm.run({coords: new Float32Array(0), dim: 2}, {eps: 1, minPts: 1});
    expect(none).toMatchObject({labels: new Int32Array(0), coreMask: new Uint8Array(0), clusterCount: 0});
    const one = {coords: Float32Array.of(3, -0), dim: 2};
    expect((await algorithm.run(one, {eps: 1, minPts: 1})).labels).toEqual(Int32Array.of(0));
    expect((await algorithm.run(one, {eps: 1, minPts: 2})).labels).toEqual(Int32Array.of(-1));
  });

  it('expands a path of 12,000 levels', async () => {
    const coords = Float64Array.from({length: 12_000}, (_, i) => i);
    const {clusterCount, stats} = await createGridBfsSequential().run({coords, dim: 1}, {eps: 1, minPts: 2});
    expect(clusterCount).toBe(1);
    expect(stats.counters['levels']).toBe(12_000);
  });

  it('returns the same bytes twice and does not modify the input', async () => {
    const points = randomPoints(500, 3, 9);
    const before = points.coords.slice();
    const algorithm = createGridBfsSequential();
    const first = await algorithm.run(points, {eps: 0.12, minPts: 4});
    const second = await algorithm.run(points, {eps: 0.12, minPts: 4});
    expect(second.labels).toEqual(first.labels);
    expect(second.coreMask).toEqual(first.coreMask);
    expect(points.coords).toEqual(before);
  });

  it.for(['core', 'clusters'])('rejects after an abort in phase %s, then works again', async (phase) => {
    const points = randomPoints(3000, 2, 4);
    const params = {eps: 2, minPts: 3000};
    using algorithm = createGridBfsSequential();
    const controller = new AbortController();
    const running = algorithm.run(points, params, {
      signal: controller.signal,
      onProgress: (report) => {
        if (report.phase === phase) controller.abort('enough');
      },
    });
    await expect(running).rejects.toThrow(`run aborted in ${phase}`);
    await expect(algorithm.run(points, params, {signal: controller.signal})).rejects.toThrow(RunAbortedError);
    expect((await algorithm.run(points, params)).clusterCount).toBe(1);
  });

  it('rejects invalid parameters and five dimensions', async () => {
    const algorithm = createGridBfsSequential();
    await expect(algorithm.run(randomPoints(3, 2, 1), {eps: -1, minPts: 1})).rejects.toThrow(InvalidParameterError);
    await expect(algorithm.run(randomPoints(3, 5, 1), {eps: 1, minPts: 1})).rejects.toThrow(UnsupportedDimensionError);
  });
});
