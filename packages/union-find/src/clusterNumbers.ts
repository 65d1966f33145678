// Threads share these arrays. Words that two may write in one wave (marks, firsts of roots) change by atomics; `lower` starts from
// a plain load, which may be stale, but then is too high, and the exchange corrects it. `lockFree.ts` says why races of flattening are
// harmless. All other stores are to words of the range's own, read by others in later waves only, which the caller keeps apart.
import {rootOf} from './lockFree.ts';

/** Disjoint sets over points by position, of which only the core points count. */
export interface PointForest {
  /** 1 = core point. */
  readonly isCore: Uint8Array;
  /** Disjoint sets of the core points: parent[p] <= p. Others stay alone. */
  readonly parent: Int32Array;
}

/**
 * Numbers the clusters by their smallest core point. A root is the smallest position of its cluster, not the smallest
 * index; the smallest index is its cluster's `first`. Firsts are marked in `marks`, a bit an index, and a cluster's number
 * is the count of marks before its first one.
 */
export interface ClusterFirsts {
  /** By position of a root: the smallest index among the core points of its cluster. */
  readonly first: Int32Array;
  /** By index / 32. */
  readonly marks: Int32Array;
  /** By index / 32: marks in earlier words. */
  readonly ranks: Int32Array;
}

/** No index: behind all of them. */
export const NO_FIRST = 0x7fffffff;

/** Makes the positions [start, end) ready for `findFirsts`, before any thread is there. */
export function clearFirsts({first}: ClusterFirsts, start: number, end: number): void {
  first.fill(NO_FIRST, start, end);
}

/**
 * Points the core points in [start, end) at their roots, and lowers their clusters' firsts. Threads may take a range each.
 *
 * @param rootsMax  most roots that the caller wants to know of
 * @returns         the roots in the range, ascending; undefined where there are more
 * @complexity      O(end − start), beside the paths; memory for `rootsMax` roots
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
    // Points in a row are mostly of one cluster.
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

/** Marks the firsts of the clusters with these roots. */
export function markFirstsOf(roots: Iterable<number>, {first, marks}: ClusterFirsts): void {
  for (const root of roots) {
    const index = first[root];
    Atomics.or(marks, index >>> 5, 1 << (index & 31));
  }
}

/** Marks the firsts of the clusters whose roots are in [start, end). Threads may take a range each. */
export function markFirsts(
  {isCore, parent}: PointForest,
  {first, marks}: ClusterFirsts,
  start: number,
  end: number,
): void {
  for (let position = start; position < end; position++) {
    if (parent[position] !== position || isCore[position] === 0) continue;
    const index = first[position];
    Atomics.or(marks, index >>> 5, 1 << (index & 31));
  }
}

/** Counts the marks before each word; returns the number of clusters. A word is 32 points: nothing for many threads. */
export function rankFirsts({marks, ranks}: ClusterFirsts): number {
  let sum = 0;
  for (let word = 0; word < marks.length; word++) {
    ranks[word] = sum;
    if (marks[word] !== 0) sum += bitCount(marks[word]);
  }
  return sum;
}

/** The number of the cluster with this root. */
export function clusterNumber(firsts: ClusterFirsts, root: number): number {
  return numberOfFirst(firsts, firsts.first[root]);
}

/** The number of the cluster whose smallest core point has this index: marks before it. */
export function numberOfFirst({marks, ranks}: ClusterFirsts, index: number): number {
  const word = index >>> 5;
  return ranks[word] + bitCount(marks[word] & ((1 << (index & 31)) - 1));
}

/** Lowers a word to `value`, whoever else does the same. */
function lower(words: Int32Array, at: number, value: number): void {
  let current = words[at];
  while (value < current) {
    const found = Atomics.compareExchange(words, at, current, value);
    if (found === current) return;
    current = found;
  }
}

/** Bits that are set in 32. */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
