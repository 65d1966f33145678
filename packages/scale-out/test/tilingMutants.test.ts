import type {DbscanParams, PointSet} from '@epsball/clustering';
import {dbscanOracle, integerLattice, seededRandom, shuffled, toPoints, type DbscanLabels} from '@epsball/conformance';
import {describe, expect, it} from 'vitest';
import type {AdjacentClusters} from '../src/tiling/adjacentClusters.ts';
import {tilingFromCuts, type CutTree} from '../src/tiling/tiling.ts';
import {clusterInTiles, cutsAtPoints, type Flaw} from './clusterInTiles.ts';
import {borderInHalo, borderOfTwo, borderOwned} from './tilingFixtures.ts';

const mutants: Readonly<Record<string, Flaw>> = {
  'merges through points that are not core in their owner': {
    ofTile: (report) => {
      const {band} = report;
      return {...report, band: {...band, isCore: Uint8Array.from(band.clusters, (cluster) => (cluster < 0 ? 0 : 1))}};
    },
  },
  'reports no halo points that are not core': {
    ofTile: (report, {rows}, {coreMask}) => {
      const cores = new Set(rows.filter((_, i) => coreMask[i] === 1));
      const owned = new Set(report.band.rows);
      return {...report, adjacent: selectPairs(report.adjacent, (row) => cores.has(row) || owned.has(row))};
    },
  },
  'has no candidates for border points': {
    ofJoin: (joined) => ({...joined, candidateRows: new Float64Array(0), candidateKeys: new Float64Array(0)}),
  },
  'keeps one label per owned border point': {
    ofTile: (report, {rows, box, points: {coords, dim}}) => {
      const isOwned = (i: number): boolean =>
        box.low.every((low, d) => low <= coords[i * dim + d] && coords[i * dim + d] < box.high[d]);
      const owned = new Set(rows.filter((_, i) => isOwned(i)));
      return {...report, adjacent: selectPairs(report.adjacent, (row) => !owned.has(row))};
    },
  },
  'keeps one label per halo point': {
    ofTile: (report) => {
      const {rows} = report.adjacent;
      return {...report, adjacent: selectPairs(report.adjacent, (row, k) => k === 0 || rows[k - 1] !== row)};
    },
  },
};

/** Small sets in which borders, bridges and duplicates meet cuts. */
const SETS = 400;

describe('mutants of the merge are rejected:', () => {
  it.each(Object.keys(mutants))('%s', (name) => {
    const isRejected = [...randomSets()].some(({points, params, seed}) => {
      const tiling = cutsAtPoints(points, params.eps, 4, seed);
      return differs(clusterInTiles(points, params, tiling, mutants[name]), dbscanOracle(points, params));
    });
    const isRejectedByFixture = [borderOwned, borderInHalo].some((tree) => isFixtureWrong(tree, mutants[name]));
    expect(isRejected || isRejectedByFixture).toBe(true);
  });

  it('the algorithm itself is not', () => {
    for (const {points, params, seed} of randomSets()) {
      const labels = clusterInTiles(points, params, cutsAtPoints(points, params.eps, 4, seed));
      expect(differs(labels, dbscanOracle(points, params)), `set ${seed}`).toBe(false);
    }
  });
});

describe('a border point with two clusters of one tile', () => {
  it('takes the higher one, which has the lower label after the merge', () => {
    expect(isFixtureWrong(borderOwned)).toBe(false);
    expect(isFixtureWrong(borderInHalo)).toBe(false);
  });

  it('rejects mutants that random sets rarely reject', () => {
    expect(isFixtureWrong(borderOwned, mutants['keeps one label per owned border point'])).toBe(true);
    expect(isFixtureWrong(borderInHalo, mutants['keeps one label per halo point'])).toBe(true);
  });
});

function isFixtureWrong(tree: CutTree, flaw?: Flaw): boolean {
  const {points, params} = borderOfTwo;
  return differs(clusterInTiles(points, params, tilingFromCuts(2, tree), flaw), dbscanOracle(points, params));
}

function* randomSets(): Generator<{points: PointSet; params: DbscanParams; seed: number}> {
  for (let seed = 1; seed <= SETS; seed++) {
    const random = seededRandom(seed);
    const dim = 1 + (seed % 3);
    const side = dim === 1 ? 40 : dim === 2 ? 7 : 4;
    // Points of a lattice, some missing, some twice: many pairs at exactly eps, many border points.
    const chosen: number[] = [];
    const lattice = integerLattice(dim, side);
    for (let k = 0; k < lattice.length; k += dim) {
      const copies = random() < 0.45 ? 0 : random() < 0.25 ? 2 : 1;
      for (let c = 0; c < copies; c++) chosen.push(...lattice.slice(k, k + dim));
    }
    yield {
      points: shuffled(toPoints('float64', dim, chosen), seed),
      params: {eps: 1, minPts: 2 + dim + (seed % 2)},
      seed,
    };
  }
}

function differs(a: DbscanLabels, b: DbscanLabels): boolean {
  const isEqual = (x: ArrayLike<number>, y: ArrayLike<number>): boolean =>
    x.length === y.length && Array.from(x).every((value, i) => value === y[i]);
  return a.clusterCount !== b.clusterCount || !isEqual(a.labels, b.labels) || !isEqual(a.coreMask, b.coreMask);
}

function selectPairs({rows, clusters}: AdjacentClusters, keeps: (row: number, k: number) => boolean): AdjacentClusters {
  const kept = [...rows.keys()].filter((k) => keeps(rows[k], k));
  return {rows: Float64Array.from(kept, (k) => rows[k]), clusters: Int32Array.from(kept, (k) => clusters[k])};
}
