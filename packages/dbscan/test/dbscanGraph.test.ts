import {isNeighbor, type DbscanParams, type PointSet} from '@epsball/clustering';
import {dbscanOracle} from '@epsball/clustering/definition';
import {seededRandom, shuffled, toPoints} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import {dbscanGraph, type DbscanGraphOptions, type NeighborLists} from '../src/index.ts';

/** The lists of neighbours of points, with or without the points themselves. */
function listsOf(points: PointSet, params: DbscanParams, withSelf: boolean): NeighborLists {
  const n = points.coords.length / points.dim;
  const start = [0];
  const neighbors: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = n - 1; j >= 0; j--) {
      if ((j !== i || withSelf) && isNeighbor(points.coords, points.dim, i, j, params)) neighbors.push(j);
    }
    start.push(neighbors.length);
  }
  return {start, neighbors};
}

describe('dbscanGraph', () => {
  it('reports its phases', () => {
    const n = 20_000;
    const start = Array.from({length: n + 1}, (_, i) => (i === 0 ? 0 : Math.min(2 * i - 1, 2 * n - 2)));
    const neighbors = Array.from({length: n}, (_, i) => [i - 1, i + 1].filter((j) => j >= 0 && j < n)).flat();
    const shares: Record<string, number> = {};
    const onProgress: DbscanGraphOptions['onProgress'] = ({phase, done, total}) => (shares[phase] = done / total);
    expect(dbscanGraph({start, neighbors}, {minPts: 2, onProgress}).clusterCount).toBe(1);
    expect(Object.keys(shares)).toEqual(['check', 'core', 'clusters']);
    for (const share of Object.values(shares)) expect(share).toBeGreaterThan(0.7);
  });

  it('has the labels of the definition, in any metric and with weights', () => {
    for (let run = 0; run < 60; run++) {
      const random = seededRandom(run);
      const values = Array.from({length: 120}, () => Math.floor(random() * 8));
      const points = shuffled(toPoints('float64', 2, values), run);
      const metric = (['euclidean', 'manhattan', 'chebyshev'] as const)[run % 3];
      const sampleWeight =
        run % 2 === 0 ? undefined : Float64Array.from({length: 60}, () => Math.floor(random() * 5) - 1);
      const params = {eps: 1, minPts: 1 + (run % 7), metric, sampleWeight};
      const lists = listsOf(points, params, run % 4 < 2);
      expect(dbscanGraph(lists, {minPts: params.minPts, sampleWeight})).toEqual(dbscanOracle(points, params));
    }
  });

  it('takes no points, and names what is no symmetric graph', () => {
    expect(dbscanGraph({start: [0], neighbors: []}, {minPts: 1}).clusterCount).toBe(0);
    const refuse = (start: number[], neighbors: number[], message: string): void =>
      expect(() => dbscanGraph({start, neighbors}, {minPts: 1})).toThrow(message);
    refuse([0, 1, 1], [1], 'neighbors of point 0 = 1; expected pairs that are in both lists');
    refuse([0, 2, 4], [1, 1, 0, 0], 'neighbors of point 0 = 1; expected each neighbour once');
    refuse([0, 1, 2], [2, 0], 'neighbors[0] = 2; expected the index of a point from 0 to 1');
    refuse([0, 2, 1], [1, 0], 'start[2] = 1; expected an integer from 2 to 2');
    refuse([0, 1, 1], [1, 0], 'start[2] = 1; expected 2, the neighbours');
    expect(() => dbscanGraph(null as never, {minPts: 1})).toThrow('lists of neighbours: {start, neighbors}');
    expect(() => dbscanGraph({start: [0], neighbors: []}, {min_samples: 1} as never)).toThrow('did you mean minPts?');
  });
});
