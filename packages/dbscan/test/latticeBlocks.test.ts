import {latticeBlockLabels, latticeBlocks} from '@epsball/datasets';
import {expect, it} from 'vitest';
import {dbscan} from '../src/index.ts';

/** Whole lattices, and prefixes that end in a block of one point, one row or one layer. */
const SIZES: readonly (readonly [n: number, dim: number])[] = [
  [0, 3],
  [1, 2],
  [2, 2],
  [250, 1],
  [201, 1],
  [101 ** 2, 2],
  [101 ** 2 - 1, 2],
  [100 * 101 + 1, 2],
  [100 * 101 + 101, 2],
  [205 ** 2 - 1000, 2],
  [50_000, 3],
  [101 ** 3, 3],
  [101 ** 3 - 1, 3],
  [100 * 101 ** 2 + 101, 3],
  [100 * 101 ** 2 + 50, 3],
];

it.for(SIZES)('gives a lattice in blocks its known labels: %i points in %i-D', async ([n, dim]) => {
  const options = {eps: 1, minPts: 2, algorithm: 'dense-grid', backend: 'sequential'} as const;
  const {labels, coreMask, clusterCount} = await dbscan(latticeBlocks({n, dim}), options);
  const known = latticeBlockLabels({n, dim});
  expect(Buffer.compare(Buffer.from(labels.buffer), Buffer.from(known.buffer))).toBe(0);
  expect(coreMask.every((core, i) => core === Number(known[i] >= 0))).toBe(true);
  expect(clusterCount).toBe(known.reduce((most, label) => Math.max(most, label), -1) + 1);
});

it('makes each block inside a lattice a cluster of 100^dim points', () => {
  const labels = latticeBlockLabels({n: 201 ** 3, dim: 3});
  const sizes = new Int32Array(27);
  for (const label of labels) if (label >= 0) sizes[label]++;
  expect([sizes[0], sizes[1], sizes[2], sizes[25], sizes[26]]).toEqual([1_000_000, 1_000_000, 10_000, 100, 0]);
});
