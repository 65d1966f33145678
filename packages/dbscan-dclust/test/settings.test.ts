import {
  cases,
  dbscanOracle,
  expectedResult,
  highDimensionalCases,
  seededRandom,
  toPoints,
  uniform,
  type DbscanCase,
} from '@epsball/conformance';
import {SHARE, sizeOfShare} from '@epsball/conformance/share';
import {createDclustGpu} from '@epsball/dbscan-dclust/gpu';
import {describeLongGpu, withGpu} from '@epsball/gpu/testing';
import type {DbscanParams, PointSet} from '@epsball/clustering';
import {expect, it} from 'vitest';
import {DCLUST_INDEXES, type DclustIndex} from '../src/options.ts';

/** p, and the length of seed lists. */
const CHAINS = [1, 2, 7, 64, 256];
const SEED_LENGTHS = [1, 8, 1024];

const ALL: readonly DbscanCase[] = [...cases, ...highDimensionalCases];
/** Small cases with many kinds of collisions: at borders, on lattices, in lines, in many dimensions. */
const SELECTED: readonly DbscanCase[] = [
  'border point of four clusters, float32',
  'forty clusters and their shared border points, last first, float32',
  'zigzag path of 3-4-5 steps, scale 7.000, float32',
  '250 points in clusters, 8-D float64',
].map((name) => {
  const found = ALL.find((one) => one.name === name);
  if (!found) throw new Error(`no case ${name}`);
  return found;
});

interface Setting {
  readonly chains: number;
  readonly seedLength: number;
  readonly index: DclustIndex;
}

/** Both indexes with the whole share, else one of them in turn. */
const SETTINGS = CHAINS.flatMap((chains, row) =>
  SEED_LENGTHS.flatMap((seedLength, column) =>
    DCLUST_INDEXES.filter((_, k) => SHARE >= 1 || k === (row + column) % 2).map((index) => ({
      chains,
      seedLength,
      index,
    })),
  ),
);

describeLongGpu('dclust returns the bytes of the oracle', () => {
  const rig = withGpu();

  it.for(SETTINGS)('with $chains chains, seed lists of $seedLength, index $index', async (setting) => {
    using dbscan = await createDclustGpu(rig.gpu, {...setting, fanout: 16});
    for (const one of casesOf(setting)) {
      const {labels, coreMask, clusterCount} = await dbscan.run(one.points(), one.params);
      expect({labels, coreMask, clusterCount}, one.name).toEqual(expectedResult(one));
    }
  });

  it.for([1, 2, 7].flatMap((chains) => [1, 2, 8].map((seedLength) => ({chains, seedLength}))))(
    'on seeded sets with $chains chains, seed lists of $seedLength',
    async ({chains, seedLength}) => {
      const index = DCLUST_INDEXES[(chains + seedLength) % 2];
      using dbscan = await createDclustGpu(rig.gpu, {chains, seedLength, index, fanout: 4});
      for (let seed = 0; seed < sizeOfShare(56); seed++) {
        const {points, params} = seededSet(1000 * chains + 100 * seedLength + seed);
        const {labels, coreMask} = await dbscan.run(points, params);
        const expected = dbscanOracle(points, params);
        expect(labels, `seed ${seed}`).toEqual(expected.labels);
        expect(coreMask, `seed ${seed}`).toEqual(expected.coreMask);
      }
    },
  );
});

/** The whole share runs every case with every setting. */
function casesOf({chains}: Setting): readonly DbscanCase[] {
  if (SHARE >= 1) return ALL;
  // Many workgroups are slow on software adapters.
  return chains > 7 ? [SELECTED[0], SELECTED[3]] : SELECTED;
}

/** A small point set that depends on the seed only. */
function seededSet(seed: number): {points: PointSet; params: DbscanParams} {
  const random = seededRandom(seed);
  const dim = 1 + (seed % 3);
  const n = 20 + Math.floor(40 * random());
  const minPts = 2 + Math.floor(4 * random());
  const precision = seed % 5 === 0 ? 'float64' : 'float32';
  // Lattice coordinates: duplicates, and pairs exactly eps apart.
  const coords = Array.from({length: n * dim}, () => Math.floor(random() * (dim === 1 ? 24 : 7 - dim)));
  if (seed % 2 === 0) return {points: toPoints(precision, dim, coords), params: {eps: 1, minPts}};
  return {points: uniform(precision, dim, n, seed), params: {eps: 0.06 * dim ** 2, minPts}};
}
