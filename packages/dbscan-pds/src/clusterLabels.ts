// Threads share these arrays. Words that two may write in one wave (marks, firsts of roots) change by atomics; `lower` starts from
// a plain load, which may be stale, but then is too high, and the exchange corrects it. `flattenShared` says why its races are
// harmless. All other stores are to words of the chunk's own, read by others in later waves only: `WorkerPool` orders these.
import {NOISE} from '@epsball/clustering';
import {RANGES_LENGTH} from '@epsball/spatial-grid';
import {flattenShared} from '@epsball/union-find';
import {BallTest, BLOCK} from './ballTest.ts';
import type {PointForest, SearchSpace} from './forest.ts';

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

/** No index. */
const NO_FIRST = 0x7fffffff;

/** Makes the positions [start, end) ready for `findFirsts`, before any thread is there. */
export function clearFirsts({first}: ClusterFirsts, start: number, end: number): void {
  first.fill(NO_FIRST, start, end);
}

/** Points the positions [start, end) at their roots, and lowers their clusters' firsts. Threads may take a range each. */
export function findFirsts(
  {isCore, parent}: PointForest,
  {first}: ClusterFirsts,
  pointOrder: Int32Array,
  start: number,
  end: number,
): void {
  flattenShared(parent, start, end);
  let root = -1;
  let lowest = NO_FIRST;
  for (let position = start; position < end; position++) {
    if (isCore[position] === 0) continue;
    const index = pointOrder[position];
    // Points in a row are mostly of one cluster.
    if (parent[position] === root) {
      if (index < lowest) lowest = index;
      continue;
    }
    if (root >= 0) lower(first, root, lowest);
    root = parent[position];
    lowest = index;
  }
  if (root >= 0) lower(first, root, lowest);
}

/** The roots in [start, end), unless there are more than `most`. */
export function listRoots(
  {isCore, parent}: PointForest,
  start: number,
  end: number,
  most: number,
): number[] | undefined {
  const roots: number[] = [];
  for (let position = start; position < end; position++) {
    if (parent[position] !== position || isCore[position] === 0) continue;
    if (roots.length === most) return undefined;
    roots.push(position);
  }
  return roots;
}

/** Marks the firsts of the clusters with these roots. */
export function markFirstsOf(roots: readonly number[], {first, marks}: ClusterFirsts): void {
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

/** What a run returns, by original index. */
export interface RunResult {
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
}

/**
 * Writes labels and core flags of the cells [firstCell, endCell): a core point has its cluster's number, any other point
 * the lowest number among its neighbouring core points. So borders are assigned after all unions and never bridge two clusters.
 *
 * @param space  its forest flat
 */
export function assignLabels(
  {index, eps, forest}: SearchSpace,
  firsts: ClusterFirsts,
  {labels, coreMask}: RunResult,
  firstCell: number,
  endCell: number,
): void {
  const {cellStart, pointOrder} = index;
  const {isCore, parent} = forest;
  const ball = new BallTest(index, eps);
  const ranges = new Int32Array(RANGES_LENGTH);
  let root = -1;
  let number = NOISE;
  for (let cell = firstCell; cell < endCell; cell++) {
    let last = -1;
    for (let position = cellStart[cell]; position < cellStart[cell + 1]; position++) {
      const i = pointOrder[position];
      coreMask[i] = isCore[position];
      if (isCore[position] === 1) {
        if (parent[position] !== root) {
          root = parent[position];
          number = clusterNumber(firsts, root);
        }
        labels[i] = number;
        continue;
      }
      if (last < 0) last = 2 * index.neighborRanges(cell, ranges);
      labels[i] = lowestNumber(forest, firsts, ball, position, ranges, last);
    }
  }
}

/** The lowest number among the core points around a position, or `NOISE`. */
function lowestNumber(
  {isCore, parent}: PointForest,
  firsts: ClusterFirsts,
  ball: BallTest,
  position: number,
  ranges: Int32Array,
  last: number,
): number {
  const {found} = ball;
  let lowest = NO_FIRST;
  let root = -1;
  for (let r = 0; r < last; r += 2) {
    for (let block = ranges[r]; block < ranges[r + 1]; block += BLOCK) {
      const count = ball.collect(position, block, Math.min(block + BLOCK, ranges[r + 1]));
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        if (isCore[neighbor] === 0 || parent[neighbor] === root) continue;
        root = parent[neighbor];
        lowest = Math.min(lowest, firsts.first[root]);
      }
    }
  }
  return lowest === NO_FIRST ? NOISE : numberOfFirst(firsts, lowest);
}

function clusterNumber(firsts: ClusterFirsts, root: number): number {
  return numberOfFirst(firsts, firsts.first[root]);
}

/** Marks before an index. */
function numberOfFirst({marks, ranks}: ClusterFirsts, index: number): number {
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
