import {describe, expect, it} from 'vitest';
import {seededRandom} from '@epsball/conformance';
import {SHARE, shareOf} from '@epsball/conformance/share';
import {createHdbscan, createHdbscanSequential, hdbscan, hierarchy, type HdbscanAlgorithm} from '@epsball/hdbscan';
import {createHdbscanWorkers} from '@epsball/hdbscan/workers';
import {randomHdbscanCase} from './oracle/cases.ts';
import {componentsAt, kruskalTree} from './oracle/uniqueTree.ts';
import {distinctPlaces} from './oracle/places.ts';
import {differencesOfSettings} from './settings.ts';

const sets = shareOf(
  Array.from({length: 200}, (_, k) => randomHdbscanCase(9000 + k, 300, 4)),
  {of: 'hierarchy', share: SHARE >= 1 ? 1 : 0.2},
);

describe.for<[string, () => HdbscanAlgorithm]>([
  ['sequential', () => createHdbscanSequential()],
  ['workers', () => createHdbscanWorkers({threads: 2})],
])('a hierarchy on %s', ([id, create]) => {
  it('selects, for every setting, the bytes of a fresh run', async () => {
    using algorithm = create();
    expect(await differencesOfSettings(algorithm, shareOf(sets, {of: id}))).toEqual([]);
  });
});

describe('a hierarchy', () => {
  it('has the one tree of Kruskal, by weight and indices', async () => {
    using algorithm = createHdbscanSequential();
    for (const {name, points: make, params} of sets) {
      const points = make();
      const {minSamples = params.minClusterSize, countSelf, duplicates = 'count'} = params;
      const tree = await algorithm.hierarchy(points, {minSamples, countSelf, duplicates});
      const {from, to, squared} = await tree.edges();
      const {points: places, copies} = distinctPlaces(points);
      const first = copies.map(([smallest]) => smallest);
      const isOnce = duplicates === 'once';
      const core = isOnce ? Float64Array.from(first, (i) => tree.coreSquared[i]) : tree.coreSquared;
      const expected = core.includes(Infinity) ? [] : kruskalTree(isOnce ? places : points, core);
      const nameOf = (i: number): number => (isOnce ? first[i] : i);
      const found = Array.from(from, (a, edge) => ({a, b: to[edge], squared: squared[edge]}));
      expect(found, name).toEqual(expected.map((edge) => ({...edge, a: nameOf(edge.a), b: nameOf(edge.b)})));
      expect(squared, name).toEqual(tree.treeSquared);
    }
  });

  it('takes infinite squares from the smallest point to each part', async () => {
    const far = [[1e300], [0], [-1e300], [1]];
    const tree = await hierarchy(far, {minSamples: 1});
    const {from, to, squared} = await tree.edges();
    expect([[...from], [...to], [...squared]]).toEqual([
      [1, 0, 0],
      [3, 1, 2],
      [1, Infinity, Infinity],
    ]);
    expect([...tree.treeSquared]).toEqual([1, Infinity, Infinity]);
  });

  it('plots reachability: at each radius the components are ranges, by their smallest members', async () => {
    using algorithm = createHdbscanSequential();
    for (const {name, points: make, params} of sets) {
      const points = make();
      const minSamples = params.minSamples ?? params.minClusterSize;
      const tree = await algorithm.hierarchy(points, {minSamples});
      const {order, heights} = tree.reachability();
      expect(order.toSorted(), name).toEqual(Int32Array.from(order.keys()));
      if (tree.treeSquared.length === 0) continue;
      const edges = kruskalTree(points, tree.coreSquared);
      const levels = [...new Set(tree.treeSquared)];
      for (const level of levels.filter((_, k) => k % 7 === 0)) {
        const ranges: number[][] = [];
        order.forEach((i, k) => (heights[k] > level ? ranges.push([i]) : ranges.at(-1)?.push(i)));
        expect(ranges[0].includes(0), name).toBe(true);
        const sorted = ranges.map((range) => range.toSorted((a, b) => a - b)).toSorted((a, b) => a[0] - b[0]);
        expect(sorted, name).toEqual(componentsAt(edges, order.length, level));
      }
    }
  });

  it('orders the parts of one step by their smallest members', async () => {
    const {order, heights} = (await hierarchy([[3], [1], [2], [0], [9]], {minSamples: 1})).reachability();
    expect([...order]).toEqual([0, 1, 2, 3, 4]);
    expect([...heights]).toEqual([Infinity, 1, 1, 1, 36]);
  });

  it('is carried by each result, and takes settings and cuts in the unit of the metric', async () => {
    const coords = Float64Array.from({length: 400}, seededRandom(3)).map((x) => 10 + x);
    const globe = {metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;
    const params = {minClusterSize: 4, minSamples: 3, clusterSelectionEpsilon: 20, ...globe};
    const result = await hdbscan({coords, dim: 2}, params);
    using kept = await createHdbscan();
    const tree = await kept.hierarchy({coords, dim: 2}, {minSamples: 3, ...globe});
    for (const one of [result.hierarchy, tree]) {
      const {labels, probabilities, condensedTree} = one.select({minClusterSize: 4, clusterSelectionEpsilon: 20});
      expect({labels, probabilities, condensedTree}).toEqual({
        labels: result.labels,
        probabilities: result.probabilities,
        condensedTree: result.condensedTree,
      });
      expect(one.cut(30)).toEqual(result.hierarchy.cut(30));
    }
    expect(tree.stats.counters['rounds']).toBeGreaterThan(0);
    expect(tree.backend).toBe('sequential');
  });

  it('needs minSamples, and knows its names', async () => {
    const points = [[0], [1], [9]];
    await expect(hierarchy(points, {} as never)).rejects.toThrow('minSamples = undefined; expected an integer ≥ 1');
    await expect(hierarchy(points, {minSamples: 2, minClusterSize: 5} as never)).rejects.toThrow('minClusterSize');
    const tree = await hierarchy(points, {minSamples: 2});
    expect(() => tree.select({minSamples: 2} as never)).toThrow('minSamples');
    expect(() => tree.select({minClusterSize: 1})).toThrow('minClusterSize = 1; expected an integer ≥ 2');
    expect(() => tree.select({clusterSelectionEpsilon: -1})).toThrow('clusterSelectionEpsilon = -1');
    await expect(tree.edges({foo: 1} as never)).rejects.toThrow('option = "foo"');
    await expect(tree.edges({signal: AbortSignal.abort()})).rejects.toThrow('run aborted');
  });

  it('of no points, of one, and of fewer than minSamples has no edges', async () => {
    for (const points of [[], [[1]], [[1], [2]]]) {
      const tree = await hierarchy({coords: Float64Array.from(points.flat()), dim: 1}, {minSamples: 3});
      expect((await tree.edges()).from.length).toBe(0);
      expect(tree.reachability().order.length).toBe(points.length);
      expect([...tree.select().labels]).toEqual(points.map(() => -1));
      expect([...tree.cut(5)]).toEqual(points.map(() => -1));
    }
  });
});
