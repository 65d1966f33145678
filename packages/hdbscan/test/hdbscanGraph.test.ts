import {describe, expect, it} from 'vitest';
import {pointCount, squaredDistance, type PointSet, type Progress} from '@epsball/clustering';
import {SHARE, shareOf} from '@epsball/conformance/share';
import {hdbscanGraph, type DistanceLists} from '@epsball/hdbscan';
import {randomHdbscanCase, weightedHdbscanCase} from './oracle/cases.ts';
import {hdbscanOracle} from './oracle/oracle.ts';

/** All pairs of points, in lists of descending indices. */
function completeGraph(points: PointSet, withSelf: boolean): DistanceLists {
  const n = pointCount(points);
  const graph = {start: [0], neighbors: [] as number[], distances: [] as number[]};
  for (let i = 0; i < n; i++) {
    for (let j = n - 1; j >= 0; j--) {
      if (j === i && !withSelf) continue;
      graph.neighbors.push(j);
      graph.distances.push(Math.sqrt(squaredDistance(points.coords, points.dim, i, j)));
    }
    graph.start.push(graph.neighbors.length);
  }
  return graph;
}

/** Cliques of points that are 1 apart. */
function cliques(sizes: readonly number[]): DistanceLists {
  const graph = {start: [0], neighbors: [] as number[], distances: [] as number[]};
  let first = 0;
  for (const size of sizes) {
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) if (i !== j) graph.neighbors.push(first + j);
      graph.start.push(graph.neighbors.length);
    }
    first += size;
  }
  graph.distances = graph.neighbors.map(() => 1);
  return graph;
}

describe('hdbscanGraph', () => {
  it('reports its phases', () => {
    const shares: Record<string, number> = {};
    const onProgress = ({phase, done, total}: Progress): void => void (shares[phase] = done / total);
    const {clusterCount} = hdbscanGraph(cliques([100, 150]), {minClusterSize: 20}, {onProgress});
    expect(clusterCount).toBe(2);
    expect(shares).toMatchObject({check: 1, core: 0, hierarchy: 1});
    expect(shares.tree).toBeGreaterThan(0.5);
    expect(Object.keys(shares)).toEqual(['check', 'core', 'tree', 'hierarchy']);
  });

  // On a lattice a root is a distance whose square is the square again.
  const sets = [randomHdbscanCase, weightedHdbscanCase]
    .flatMap((caseOf) => Array.from({length: 600}, (_, k) => caseOf(20_000 + k, 80)))
    .filter(({name, params}) => {
      return name.includes(', lattice, 1-D') && params.duplicates !== 'once';
    });

  it.for(shareOf(sets, {of: 'hdbscanGraph', share: SHARE >= 1 ? 1 : 0.4}))(
    'has the bytes of the oracle for a complete graph: $name',
    ({points: make, params, cuts}) => {
      const points = make();
      const expected = hdbscanOracle(points, params);
      for (const withSelf of [true, false]) {
        const actual = hdbscanGraph(completeGraph(points, withSelf), params);
        const {labels, probabilities, outlierScores, clusterCount} = actual;
        const {hierarchy, condensedTree, ...fields} = expected;
        expect({labels, probabilities, outlierScores, clusterCount}).toEqual(fields);
        expect(actual.condensedTree.stability.toSorted()).toEqual(condensedTree.stability.toSorted());
        for (const eps of cuts) expect(actual.hierarchy.cut(eps)).toEqual(hierarchy.cut(eps));
      }
    },
  );

  it('finds two cliques of 20, and takes a vertex with too few neighbours as noise', () => {
    const {labels, clusterCount} = hdbscanGraph(cliques([20, 20]), {minClusterSize: 5});
    expect(clusterCount).toBe(2);
    expect(labels).toEqual(Int32Array.from({length: 40}, (_, i) => (i < 20 ? 0 : 1)));
    const {labels: mixed, hierarchy} = hdbscanGraph(cliques([20, 3, 20]), {minClusterSize: 5, minSamples: 5});
    expect(mixed).toEqual(Int32Array.from({length: 43}, (_, i) => (i < 20 ? 0 : i < 23 ? -1 : 1)));
    expect([...hierarchy.coreSquared.subarray(19, 24)]).toEqual([1, Infinity, Infinity, Infinity, 1]);
    expect(hierarchy.cut(1e300)).toEqual(mixed);
  });

  it('has one tree, with infinite edges between components', async () => {
    const {hierarchy} = hdbscanGraph(cliques([2, 2]), {minClusterSize: 2, minSamples: 1});
    const {from, to, squared} = await hierarchy.edges();
    expect([[...from], [...to], [...squared]]).toEqual([
      [0, 2, 0],
      [1, 3, 2],
      [1, 1, Infinity],
    ]);
    expect([...hierarchy.select({minClusterSize: 3}).labels]).toEqual([-1, -1, -1, -1]);
  });

  it('takes no vertices, and names what is wrong', () => {
    expect(hdbscanGraph({start: [0], neighbors: [], distances: []}).clusterCount).toBe(0);
    const refuse = (start: number[], neighbors: number[], distances: number[], message: string): void =>
      expect(() => hdbscanGraph({start, neighbors, distances})).toThrow(message);
    refuse([0, 1, 1], [1], [1], 'neighbors of point 0 = 1; expected pairs that are in both lists');
    refuse([0, 1, 2], [1, 0], [1, 2], 'distance of 0 and 1 = 1; expected 2, as of 1 and 0');
    refuse([0, 1, 2], [1, 0], [-1, -1], 'distance of 0 and 1 = -1; expected a number ≥ 0');
    refuse([0, 1, 2], [1, 0], [Number.NaN, 1], 'distance of 0 and 1 = NaN; expected a number ≥ 0');
    refuse([0, 1], [0], [2], 'distance of 0 and 0 = 2; expected 0');
    refuse([0, 1, 2], [1, 0], [1], 'distances.length = 1; expected 2, as many as neighbors');
    expect(() => hdbscanGraph({start: [0], neighbors: []} as never)).toThrow('distances.length = undefined');
    const graph = {start: [0], neighbors: [], distances: []};
    expect(() => hdbscanGraph(graph, {duplicates: 'once'} as never)).toThrow('duplicates');
  });
});
