import {
  InvalidParameterError,
  InvalidPointsError,
  RunAbortedError,
  UnsupportedDimensionError,
  type DbscanResult,
  type PointSet,
  type Progress,
} from '@epsball/clustering';
import {gaussians, spiral, uniform} from '@epsball/datasets';
import {describe, expect, it} from 'vitest';
import {createSequentialDbscan} from '../src/index.ts';

/** Seeded points in the unit box. */
function randomPoints(n: number, dim: number, seed: number): PointSet {
  return uniform({n, dim, seed, precision: 'float64'});
}

function cluster(
  index: 'grid' | 'directory' | 'none',
  points: PointSet,
  eps: number,
  minPts: number,
): Promise<DbscanResult> {
  return createSequentialDbscan({index}).run(points, {eps, minPts});
}

describe.for(['grid', 'directory', 'none'] as const)('sequential DBSCAN with index %s', (index) => {
  it('numbers clusters by their smallest core point', async () => {
    // 0 is noise, 1 a border point of the right cluster, 2 the first core point (left), 3 a core point (right).
    const coords = Float32Array.of(50, 21, 1, 20, 0, 2, 19, 18.5);
    const {labels, coreMask, clusterCount} = await cluster(index, {coords, dim: 1}, 1, 3);
    expect([...labels]).toEqual([-1, 1, 0, 1, 0, 0, 1, 1]);
    expect([...coreMask]).toEqual([0, 0, 1, 1, 0, 0, 1, 0]);
    expect(clusterCount).toBe(2);
  });

  it('gives a shared border point to the lower cluster, at any place in the input', async () => {
    const left = [-1, -1.5, -2, -2.5];
    const right = [1, 1.5, 2, 2.5];
    for (const xs of [
      [0, ...right, ...left],
      [...right, 0, ...left],
      [...left, ...right, 0],
    ]) {
      const {labels, coreMask, clusterCount} = await cluster(index, {coords: Float64Array.from(xs), dim: 1}, 1, 4);
      expect(clusterCount).toBe(2);
      expect(coreMask[xs.indexOf(0)]).toBe(0);
      expect(labels[xs.indexOf(0)]).toBe(0);
    }
  });

  it('counts a point at distance exactly eps, and the point itself', async () => {
    const coords = Float64Array.from({length: 2 * 64}, (_, k) => (k % 2 === 0 ? (k >> 1) % 8 : k >> 4));
    const lattice = {coords, dim: 2};
    const corners = (await cluster(index, lattice, 1, 4)).coreMask;
    expect([corners[0], corners[7], corners[56], corners[63]]).toEqual([0, 0, 0, 0]);
    expect((await cluster(index, lattice, 1, 4)).clusterCount).toBe(1);
    expect((await cluster(index, lattice, 1, 3)).coreMask).toEqual(new Uint8Array(64).fill(1));
    expect((await cluster(index, lattice, 1, 6)).labels).toEqual(new Int32Array(64).fill(-1));
  });

  it('accepts no points, one point, identical points and minPts beyond n', async () => {
    expect(await cluster(index, {coords: new Float64Array(0), dim: 2}, 1, 1)).toMatchObject({
      labels: new Int32Array(0),
      clusterCount: 0,
    });
    const one = {coords: Float64Array.of(3, -0), dim: 2};
    expect((await cluster(index, one, 1, 1)).labels).toEqual(Int32Array.of(0));
    expect((await cluster(index, one, 1, 2)).labels).toEqual(Int32Array.of(-1));
    const same = {coords: new Float32Array(20).fill(7), dim: 2};
    expect((await cluster(index, same, 1e-9, 10)).labels).toEqual(new Int32Array(10));
    expect((await cluster(index, same, 1e9, 11)).labels).toEqual(new Int32Array(10).fill(-1));
  });

  it('leaves no noise with minPts 1', async () => {
    const {labels, clusterCount} = await cluster(index, randomPoints(200, 2, 5), 0.001, 1);
    expect(clusterCount).toBe(200);
    expect(labels).toEqual(Int32Array.from({length: 200}, (_, i) => i));
  });

  it('returns the same bytes twice and does not modify the input', async () => {
    const points = randomPoints(500, 3, 9);
    const before = points.coords.slice();
    const algorithm = createSequentialDbscan({index});
    const first = await algorithm.run(points, {eps: 0.12, minPts: 4});
    const second = await algorithm.run(points, {eps: 0.12, minPts: 4});
    expect(second.labels).toEqual(first.labels);
    expect(second.coreMask).toEqual(first.coreMask);
    expect(points.coords).toEqual(before);
  });

  it('makes one region query a point', async () => {
    const {stats} = await cluster(index, randomPoints(777, 2, 3), 0.05, 4);
    expect(stats.counters['regionQueries']).toBe(777);
    expect(stats.counters['neighborTests']).toBeGreaterThan(777);
  });

  it('rejects once the signal has fired, then works again', async () => {
    const points = randomPoints(3000, 2, 4);
    const algorithm = createSequentialDbscan({index});
    await expect(algorithm.run(points, {eps: 0.1, minPts: 4}, {signal: AbortSignal.abort()})).rejects.toThrow(
      RunAbortedError,
    );
    const controller = new AbortController();
    const onProgress = (): void => controller.abort('enough');
    const running = algorithm.run(points, {eps: 2, minPts: 4}, {signal: controller.signal, onProgress});
    await expect(running).rejects.toMatchObject({code: 'RUN_ABORTED', cause: 'enough'});
    expect((await algorithm.run(points, {eps: 2, minPts: 4})).clusterCount).toBe(1);
  });

  it('reports progress that ascends', async () => {
    const reports: Progress[] = [];
    const algorithm = createSequentialDbscan({index});
    await algorithm.run(randomPoints(3000, 2, 6), {eps: 2, minPts: 4}, {onProgress: (report) => reports.push(report)});
    expect(reports.length).toBeGreaterThan(1);
    const phases = Map.groupBy(reports, ({phase}) => phase);
    expect([...phases.keys()]).toEqual(index === 'grid' ? ['index', 'clusters'] : ['clusters']);
    expect(reports.every(({total}) => total === 3000)).toBe(true);
    for (const one of phases.values()) {
      const done = one.map((report) => report.done);
      expect(done).toEqual(done.toSorted((a, b) => a - b));
    }
    expect(phases.get('index')?.at(-1)?.done).toBe(index === 'grid' ? 3000 : undefined);
  });

  it('yields to the event loop in a long run', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    try {
      // 1e8 distance tests take longer than 50 ms on any machine.
      await cluster(index, randomPoints(10_000, 2, 7), 2, 10_001);
    } finally {
      clearInterval(timer);
    }
    expect(turns).toBeGreaterThan(0);
  });

  it('refuses bad points and parameters', async () => {
    await expect(cluster(index, randomPoints(3, 2, 1), 0, 1)).rejects.toThrow(InvalidParameterError);
    await expect(cluster(index, randomPoints(3, 2, 1), 1, 0)).rejects.toThrow('minPts = 0; expected an integer ≥ 1');
    await expect(cluster(index, {coords: Float64Array.of(0, Number.NaN), dim: 1}, 1, 1)).rejects.toThrow(
      InvalidPointsError,
    );
  });
});

describe('sequential DBSCAN', () => {
  it.for([1, 2, 3, 4])('returns the same labels with every index, in %i dimensions', async (dim) => {
    for (const [eps, minPts] of [
      [0.01, 2],
      [0.1, 3],
      [0.3, 9],
      [1, 40],
    ] as const) {
      const points = randomPoints(400, dim, 31 * dim + minPts);
      const float32 = {coords: Float32Array.from(points.coords), dim};
      for (const some of [points, float32]) {
        const byGrid = await cluster('grid', some, eps, minPts);
        const byAll = await cluster('none', some, eps, minPts);
        const byDirectory = await cluster('directory', some, eps, minPts);
        for (const one of [byGrid, byDirectory]) {
          expect(one.labels).toEqual(byAll.labels);
          expect(one.coreMask).toEqual(byAll.coreMask);
        }
      }
    }
  });

  it.for([5, 8, 16, 64])('returns the same labels with a directory of any shape, in %i dimensions', async (dim) => {
    const points = gaussians({n: 1200, dim, seed: dim});
    const params = {eps: 0.05, minPts: 4};
    const byAll = await createSequentialDbscan({index: 'none'}).run(points, params);
    expect(byAll.clusterCount).toBeGreaterThan(1);
    for (const directory of [{}, {levels: 1, fanout: 7}, {levels: 4, fanout: 3}, {pca: true}]) {
      const byDirectory = await createSequentialDbscan({index: 'directory', directory}).run(points, params);
      expect(byDirectory.labels).toEqual(byAll.labels);
      expect(byDirectory.coreMask).toEqual(byAll.coreMask);
      expect(byDirectory.stats.counters['neighborTests']).toBeLessThan(1200 * 1200);
    }
  });

  it('refuses an unknown index, and a directory of too many leaves or levels', () => {
    expect(() => createSequentialDbscan({index: 'tree' as 'grid'})).toThrow(
      'index = "tree"; expected one of auto, grid, directory, none',
    );
    expect(() => createSequentialDbscan({directory: {levels: 0}})).toThrow('levels = 0; expected an integer, 1 … 4');
    expect(() => createSequentialDbscan({directory: {levels: 4, fanout: 33}})).toThrow(
      'fanout = 33; expected an integer, 2 … 32 with 4 levels',
    );
  });

  it('uses the directory beyond four dimensions by default', async () => {
    const points = gaussians({n: 1000, dim: 7, seed: 2});
    const [auto, byAll] = [
      await createSequentialDbscan().run(points, {eps: 0.05, minPts: 4}),
      await cluster('none', points, 0.05, 4),
    ];
    expect(auto.labels).toEqual(byAll.labels);
    expect(auto.stats.counters['neighborTests']).toBeLessThan((byAll.stats.counters['neighborTests'] ?? 0) / 5);
    await expect(cluster('grid', points, 0.05, 4)).rejects.toThrow(UnsupportedDimensionError);
  });

  it('follows a spiral of 12,000 points to its end', async () => {
    const points = spiral({n: 12_000});
    expect((await cluster('grid', points, 2.5, 3)).clusterCount).toBe(1);
  });

  it('may be destroyed twice', () => {
    using algorithm = createSequentialDbscan();
    algorithm.destroy();
    algorithm.destroy();
  });
});
