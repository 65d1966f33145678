import {describe, expect, it} from 'vitest';
import {metricPoints, metricRadius} from '@epsball/clustering';
import {dbscanOracle, seededRandom} from '@epsball/conformance';
import {createHdbscan, createHdbscanSequential, hdbscan, HDBSCAN_PHASES, type HdbscanParams} from '@epsball/hdbscan';

const points = {coords: Float64Array.of(0, 9, 1, 10, 2, 11, 50), dim: 1};

describe('hdbscan()', () => {
  it('clusters with defaults, and says what ran', async () => {
    const {labels, clusterCount, algorithm, backend, stats} = await hdbscan(points, {minClusterSize: 3});
    expect([...labels]).toEqual([0, 1, 0, 1, 0, 1, -1]);
    expect(clusterCount).toBe(2);
    expect([algorithm, backend]).toEqual(['boruvka', 'sequential']);
    expect(Object.keys(stats.phaseMs).every((phase) => HDBSCAN_PHASES.includes(phase as 'core'))).toBe(true);
  });

  it('needs no options', async () => {
    const {labels} = await hdbscan(points);
    expect([...labels]).toEqual([-1, -1, -1, -1, -1, -1, -1]);
  });

  it('takes threads or a GPU for few points in many dimensions', async () => {
    const coords = Float32Array.from({length: 600 * 1536}, seededRandom(3));
    expect((await hdbscan({coords, dim: 1536})).backend).not.toBe('sequential');
    expect((await hdbscan({coords: coords.subarray(0, 50 * 1536), dim: 1536})).backend).toBe('sequential');
  });

  it('refuses names that it does not know, in a variant too', async () => {
    using variant = createHdbscanSequential();
    await expect(variant.run(points, {foo: 1} as never)).rejects.toThrow('option = "foo"; expected one of');
    await expect(variant.run(points, {}, {foo: 1} as never)).rejects.toThrow('option = "foo"; expected one of');
  });

  it('has no tree for fewer points than minSamples', async () => {
    const {treeSquared, coreSquared} = (await hdbscan(points, {minClusterSize: 2, minSamples: 8})).hierarchy;
    expect(treeSquared.length).toBe(0);
    expect(coreSquared).toEqual(new Float64Array(7).fill(Infinity));
  });

  it('joins clusters below the selection epsilon, also beyond maxClusterSize', async () => {
    const params = {minClusterSize: 2, minSamples: 1, maxClusterSize: 2, allowSingleCluster: true};
    const pairs = [[0], [1], [9], [10]];
    expect([...(await hdbscan(pairs, params)).labels]).toEqual([0, 0, 1, 1]);
    const {labels} = await hdbscan(pairs, {...params, clusterSelectionEpsilon: 20});
    expect([...labels]).toEqual([0, 0, 0, 0]);
  });

  it.for(['sequential', 'workers'] as const)(
    'compares the selection epsilon of cosine without a root on %s',
    async (backend) => {
      const right = [
        [1, 0],
        [1, 0],
        [0, 1],
        [0, 1],
      ];
      const request = {minClusterSize: 2, minSamples: 1, metric: 'cosine', allowSingleCluster: true} as const;
      // The pairs part at the distance 1, w² = 2. The square of √2 is larger than 2.
      const {labels} = await hdbscan(right, {...request, clusterSelectionEpsilon: 1, backend});
      expect([...labels]).toEqual([0, 0, 1, 1]);
      const joined = await hdbscan(right, {...request, clusterSelectionEpsilon: 1 + 2 ** -52, backend});
      expect([...joined.labels]).toEqual([0, 0, 0, 0]);
    },
  );

  it('cuts to the core partition of DBSCAN', async () => {
    const random = seededRandom(5);
    const set = {coords: Float32Array.from({length: 800}, () => random() * 20), dim: 2};
    const {cut} = (await hdbscan(set, {minClusterSize: 5, minSamples: 4})).hierarchy;
    for (const eps of [0.3, 0.7, 1.1, 2]) {
      const {labels, coreMask} = dbscanOracle(set, {eps, minPts: 4});
      expect(cut(eps)).toEqual(labels.map((label, i) => (coreMask[i] === 1 ? label : -1)));
    }
    expect(() => cut(0)).toThrow('eps = 0; expected a finite number > 0');
  });

  it('describes the condensed tree', async () => {
    const {condensedTree, hierarchy: tree} = await hdbscan(points, {minClusterSize: 3, minSamples: 2});
    expect([...condensedTree.parent]).toEqual([-1, 0, 0]);
    expect([...condensedTree.birthSquared]).toEqual([Infinity, 49, 49]);
    expect([...condensedTree.deathSquared]).toEqual([49, 1, 1]);
    expect([...condensedTree.size]).toEqual([7, 3, 3]);
    expect([...condensedTree.isSelected]).toEqual([0, 1, 1]);
    expect([...condensedTree.clusterOf]).toEqual([1, 2, 1, 2, 1, 2, 0]);
    expect([...condensedTree.leavesSquared]).toEqual([1, 1, 1, 1, 1, 1, 39 * 39]);
    expect([...tree.coreSquared]).toEqual([1, 1, 1, 1, 1, 1, 39 * 39]);
    expect([...tree.treeSquared]).toEqual([1, 1, 1, 1, 49, 39 * 39]);
  });

  it('takes rows, and names the nearest option for an unknown one', async () => {
    const {labels} = await hdbscan([[0], [1], [9], [10]], {minClusterSize: 2, minSamples: 1});
    expect([...labels]).toEqual([0, 0, 1, 1]);
    const misspelled = {minClustersize: 2} as HdbscanParams;
    await expect(hdbscan(points, misspelled)).rejects.toThrow('minClusterSize');
  });

  it('clusters places on the globe and directions, as DBSCAN does at a cut', async () => {
    const random = seededRandom(8);
    const coords = Float64Array.from({length: 240}, (_, k) => (k % 2 === 0 ? 40 : 170) + 20 * random());
    const globe = {metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;
    const {labels, hierarchy: tree} = await hdbscan({coords, dim: 2}, {minClusterSize: 4, ...globe});
    expect(labels.length).toBe(120);
    const vectors = metricPoints({coords, dim: 2}, globe);
    for (const eps of [50, 150, 300]) {
      const expected = dbscanOracle(vectors, {eps: metricRadius(eps, globe).eps, minPts: 4});
      expect(tree.cut(eps)).toEqual(expected.labels.map((label, i) => (expected.coreMask[i] === 1 ? label : -1)));
    }
    const cosine = await hdbscan(
      {coords, dim: 2},
      {minClusterSize: 4, metric: 'cosine', clusterSelectionEpsilon: 1e-9},
    );
    expect(cosine.labels.length).toBe(120);
    await expect(hdbscan(points, {metric: 'manhattan'})).rejects.toThrow('expected euclidean, haversine or cosine');
  });

  it.for<[HdbscanParams, string]>([
    [{minClusterSize: 1}, 'minClusterSize = 1; expected an integer ≥ 2'],
    [{minSamples: 0}, 'minSamples = 0; expected an integer ≥ 1'],
    [{maxClusterSize: 0}, 'maxClusterSize = 0; expected an integer ≥ 1'],
    [{clusterSelectionEpsilon: -1}, 'clusterSelectionEpsilon = -1; expected a finite number ≥ 0'],
    [{clusterSelectionEpsilon: Number.NaN}, 'clusterSelectionEpsilon = NaN; expected a finite number ≥ 0'],
    [{clusterSelectionEpsilon: 1, clusterSelectionEpsilon2: 1}, 'clusterSelectionEpsilon2'],
    [{selection: 'tree' as 'leaf'}, "selection = \"tree\"; expected 'eom' or 'leaf'"],
    [{countSelf: 1 as unknown as boolean}, 'countSelf = 1; expected true or false'],
  ])('rejects %o', async ([params, message]) => {
    await expect(hdbscan(points, params)).rejects.toThrow(message);
  });

  it('takes a bound of squares that is nearly the square of the selection epsilon', async () => {
    using sequential = createHdbscanSequential();
    const limits = {clusterSelectionEpsilon: 1, clusterSelectionEpsilon2: 0.9};
    const message = 'clusterSelectionEpsilon2 = 0.9; expected clusterSelectionEpsilon² = 1, or up to 2^-49 of it less';
    await expect(sequential.run(points, limits)).rejects.toThrow(message);
  });

  it('rejects bad points and unknown names', async () => {
    const bad = {coords: Float64Array.of(0, Number.NaN), dim: 1};
    await expect(hdbscan(bad)).rejects.toThrow('point 1, axis 0 = NaN; expected a finite coordinate');
    await expect(hdbscan(points, {algorithm: 'prim'})).rejects.toThrow('expected one of auto, boruvka');
    await expect(hdbscan({coords: new Float64Array(1537), dim: 1537})).rejects.toThrow(
      'dim = 1537; expected 1 to 1536',
    );
  });
});

describe('createHdbscan', () => {
  it('runs many times, also on worker threads, until it is destroyed', async () => {
    const reusable = await createHdbscan({backend: 'workers', threads: 2});
    const runs = await Promise.all([reusable.run(points, {minClusterSize: 3}), reusable.run(points)]);
    expect(runs.map(({clusterCount}) => clusterCount)).toEqual([2, 0]);
    expect(runs[0].backend).toBe('workers');
    await expect(reusable.hierarchy(points, undefined as never)).rejects.toThrow('params = undefined; expected');
    reusable.destroy();
    reusable.destroy();
    await expect(reusable.run(points)).rejects.toThrow('hdbscan was destroyed');
  });

  it.for(['sequential', 'workers'] as const)(
    'ends a run on %s when the signal fires, and runs again',
    async (backend) => {
      using reusable = await createHdbscan({backend});
      const random = seededRandom(1);
      const many = {coords: Float64Array.from({length: 60_000}, random), dim: 2};
      const controller = new AbortController();
      const onProgress = (): void => controller.abort(new Error('enough'));
      await expect(reusable.run(many, {}, {signal: controller.signal, onProgress})).rejects.toThrow('run aborted in');
      expect((await reusable.run(points, {minClusterSize: 3})).clusterCount).toBe(2);
    },
  );

  it.for(['sequential', 'workers'] as const)('a run on %s that waits ends when its signal fires', async (backend) => {
    using reusable = await createHdbscan({backend});
    const many = {coords: Float64Array.from({length: 40_000}, seededRandom(1)), dim: 2};
    const controller = new AbortController();
    const first = reusable.run(many);
    const second = reusable.run(points, {minClusterSize: 3}, {signal: controller.signal});
    controller.abort(new Error('enough'));
    const ended: string[] = [];
    await Promise.all([first.then(() => ended.push('first')), second.catch(() => ended.push('second'))]);
    expect(ended).toEqual(['second', 'first']);
  });

  it.for(['sequential', 'workers'] as const)(
    'reports progress of index, core distances, tree and hierarchy on %s',
    async (backend) => {
      const random = seededRandom(2);
      const many = {coords: Float64Array.from({length: 40_000}, random), dim: 2};
      const shares = new Map<string, number[]>();
      const onProgress = ({phase, done, total}: {phase: string; done: number; total: number}): void => {
        shares.set(phase, [...(shares.get(phase) ?? []), done / total]);
      };
      await hdbscan(many, {backend, onProgress});
      expect([...shares.keys()]).toEqual(['index', 'core', 'tree', 'hierarchy']);
      for (const all of shares.values()) {
        expect(all).toEqual(all.toSorted((a, b) => a - b));
        expect(all.at(-1)).toBeLessThanOrEqual(1);
      }
      expect([shares.get('index')?.at(-1), shares.get('hierarchy')?.at(-1)]).toEqual([1, 1]);
      // The first round finds half of the edges and more, and is one of several.
      expect(shares.get('tree')?.some((share) => share > 0.1 && share < 0.4)).toBe(true);
    },
  );
});
