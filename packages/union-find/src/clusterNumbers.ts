// Threads share these arrays. Words that two threads may write in one wave (marks, firsts of roots) change by
// atomics. `lower` starts from a plain load, which may be stale; a stale value is too high, and the exchange corrects
// it. `lockFree.ts` shows why races of flattening are harmless. All other stores go to words of the thread's own
// range. Other threads read them in later waves only; the caller keeps the waves apart.
import {rootOf} from './lockFree.ts';

/** Disjoint sets of core points, by position. */
export interface PointForest {
  readonly isCore: Uint8Array;
  /** Disjoint sets of the core points: parent[p] <= p. Each other point is a set of its own. */
  readonly parent: Int32Array;
}

/**
 * Numbers of clusters, in the order of their smallest core point. A root is the smallest position in its cluster, not
 * the smallest index. The smallest index is the cluster's *first*. `marks` has a bit for each index, 1 for a first.
 * The number of a cluster is the count of marks before its first.
 */
export interface ClusterFirsts {
  /** By position of a root: the smallest index of the core points of its cluster. */
  readonly first: Int32Array;
  /** A bit for each index: 32 to a word. */
  readonly marks: Int32Array;
  /** By word of `marks`: number of marks in the words before. */
  readonly ranks: Int32Array;
}

export const NO_FIRST = 0x7fffffff;

/** Prepares the positions [start, end) for `findFirsts`. Must end before any thread calls `findFirsts`. */
export function clearFirsts({first}: ClusterFirsts, start: number, end: number): void {
  first.fill(NO_FIRST, start, end);
}

/**
 * Points the core points in [start, end) at their roots, and lowers the firsts of their clusters. Several threads may
 * call it, each for its own range. Returns the roots in the range, ascending; undefined if more than `rootsMax`.
 */
export function findFirsts(
  {isCore, parent}: PointForest,
  {first}: ClusterFirsts,
  pointOrder: Int32Array,
  start: number,
  end: number,
  rootsMax = 0,
): number[] | undefined {
  let roots: number[] | undefined = [];
  let root = -1;
  let lowest = NO_FIRST;
  for (let position = start; position < end; position++) {
    if (isCore[position] === 0) continue;
    const own = rootOf(parent, position, start);
    parent[position] = own;
    if (own === position && roots !== undefined && roots.push(own) > rootsMax) roots = undefined;
    const index = pointOrder[position];
    // Consecutive points mostly belong to one cluster.
    if (own === root) {
      if (index < lowest) lowest = index;
      continue;
    }
    if (root >= 0) lower(first, root, lowest);
    root = own;
    lowest = index;
  }
  if (root >= 0) lower(first, root, lowest);
  return roots;
}

export function markFirstsOf(roots: Iterable<number>, firsts: ClusterFirsts): void {
  for (const root of roots) mark(firsts, root);
}

/** Marks the firsts of the clusters whose roots are in [start, end). Threads may call it, each for its own range. */
export function markFirsts({isCore, parent}: PointForest, firsts: ClusterFirsts, start: number, end: number): void {
  for (let position = start; position < end; position++) {
    if (parent[position] === position && isCore[position] === 1) mark(firsts, position);
  }
}

function mark({first, marks}: ClusterFirsts, root: number): void {
  const index = first[root];
  Atomics.or(marks, index >>> 5, 1 << (index & 31));
}

/** Counts the marks before each word. Returns the number of clusters. For one thread: a word covers 32 points. */
export function rankFirsts({marks, ranks}: ClusterFirsts): number {
  let sum = 0;
  for (let word = 0; word < marks.length; word++) {
    ranks[word] = sum;
    if (marks[word] !== 0) sum += bitCount(marks[word]);
  }
  return sum;
}

/** The number of the cluster with the given root. */
export function clusterNumber(firsts: ClusterFirsts, root: number): number {
  return numberOfFirst(firsts, firsts.first[root]);
}

/** The number of the cluster with the given first: the count of marks before it. */
export function numberOfFirst({marks, ranks}: ClusterFirsts, index: number): number {
  const word = index >>> 5;
  return ranks[word] + bitCount(marks[word] & ((1 << (index & 31)) - 1));
}

/** Lowers a word to `value`, while other threads may lower it too. */
function lower(words: Int32Array, at: number, value: number): void {
  let current = words[at];
  while (value < current) {
    const found = Atomics.compareExchange(words, at, current, value);
    if (found === current) return;
    current = found;
  }
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
