import {WorkerPool} from '@epsball/workers';
import {describe, expect, it} from 'vitest';
import {
  clearFirsts,
  clusterNumber,
  findFirsts,
  findRoot,
  makeSets,
  markFirsts,
  numberOfFirst,
  rankFirsts,
  unite,
  type ClusterFirsts,
  type PointForest,
} from '../src/index.ts';
import {numberClusters} from '../src/workers/index.ts';

/** On shared memory, for threads. */
function int32(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(4 * length));
}

function firstsFor(n: number): ClusterFirsts {
  const words = Math.ceil(n / 32);
  const firsts = {first: int32(n), marks: int32(words), ranks: int32(words)};
  clearFirsts(firsts, 0, n);
  return firsts;
}

/** Puts core point i into cluster i mod `clusters`, with positions in another order than indices. */
function scattered(n: number, clusters: number): {forest: PointForest; pointOrder: Int32Array} {
  const parent = int32(n);
  makeSets(parent);
  const isCore = new Uint8Array(new SharedArrayBuffer(n));
  const pointOrder = int32(n);
  const last = new Map<number, number>();
  for (let position = 0; position < n; position++) {
    pointOrder[position] = (position * 7919 + 13) % n;
    isCore[position] = pointOrder[position] % 5 === 0 ? 0 : 1;
    if (isCore[position] === 0) continue;
    const cluster = pointOrder[position] % clusters;
    const before = last.get(cluster);
    if (before !== undefined) unite(parent, before, position);
    last.set(cluster, position);
  }
  return {forest: {isCore, parent}, pointOrder};
}

/** Numbers by root, computed from the definition. */
function expectedNumbers({isCore, parent}: PointForest, pointOrder: Int32Array): Map<number, number> {
  const smallest = new Map<number, number>();
  for (let position = 0; position < parent.length; position++) {
    if (isCore[position] === 0) continue;
    const root = findRoot(parent, position);
    smallest.set(root, Math.min(smallest.get(root) ?? Infinity, pointOrder[position]));
  }
  const roots = [...smallest].sort(([, a], [, b]) => a - b).map(([root]) => root);
  return new Map(roots.map((root, number) => [root, number]));
}

describe('numbers of clusters', () => {
  it('follow the smallest index of the core points, not the smallest position', () => {
    const {forest, pointOrder} = scattered(1009, 17);
    const expected = expectedNumbers(forest, pointOrder);
    const firsts = firstsFor(1009);
    const roots = findFirsts(forest, firsts, pointOrder, 0, 1009, expected.size);
    expect(roots).toEqual([...expected.keys()].toSorted((a, b) => a - b));
    expect(findFirsts(forest, firsts, pointOrder, 0, 1009, expected.size - 1)).toBeUndefined();
    markFirsts(forest, firsts, 0, 1009);
    expect(rankFirsts(firsts)).toBe(expected.size);
    for (const [root, number] of expected) {
      expect(clusterNumber(firsts, root)).toBe(number);
      expect(numberOfFirst(firsts, firsts.first[root])).toBe(number);
    }
  });

  it.for([
    ['few clusters', 10_007, 17],
    ['more clusters than a task returns', 10_007, 4001],
    ['no points', 0, 1],
  ] as const)('are the same on several threads: %s', async ([, n, clusters]) => {
    using pool = new WorkerPool({threads: 3});
    const {forest, pointOrder} = scattered(n, clusters);
    const expected = expectedNumbers(forest, pointOrder);
    const firsts = firstsFor(n);
    const bounds = Array.from({length: 8}, (_, k) => Math.floor((n * k) / 7));
    const wave = {phase: 'clusters', bounds, input: {forest, firsts, pointOrder}};
    expect(await numberClusters(pool, wave)).toBe(expected.size);
    for (const [root, number] of expected) {
      expect(forest.parent[root]).toBe(root);
      expect(clusterNumber(firsts, root)).toBe(number);
    }
  });
});
