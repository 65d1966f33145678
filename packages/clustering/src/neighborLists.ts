import {InvalidParameterError} from './errors.ts';
import type {RunOptions} from './progress.ts';

/** Lists of neighbours in compressed rows (CSR). */
export interface NeighborLists {
  /** n + 1 offsets: point i has the neighbours from `neighbors[start[i]]` to before `neighbors[start[i + 1]]`. */
  readonly start: ArrayLike<number>;
  /** Indices of points. A list may hold the point itself; it counts as its own neighbour either way. */
  readonly neighbors: ArrayLike<number>;
}

/** Symmetric lists, each in ascending order. */
export interface CheckedLists {
  readonly start: Int32Array;
  readonly neighbors: Int32Array;
  /** The index of each pair among `neighbors` as given, and that of the same pair the other way. */
  readonly given: Int32Array;
  readonly reverse: Int32Array;
}

/** Passes over the pairs, which are the unit of progress. */
const PASSES = 4;

/**
 * @param graph  not modified
 * @returns      owned by the caller
 * @throws InvalidParameterError  if the lists do not form a symmetric graph: names the first pair that is missing
 * @complexity   O(n + pairs)
 */
export function checkNeighborLists(
  graph: NeighborLists,
  {onProgress}: Pick<RunOptions<'check'>, 'onProgress'> = {},
): CheckedLists {
  let done = 0;
  const onPass = (): void => onProgress?.({phase: 'check', done: ++done, total: PASSES});
  const given: Partial<NeighborLists> | null | undefined = graph;
  if (given?.start === undefined || given.neighbors === undefined) {
    throw new InvalidParameterError('graph', graph, 'lists of neighbours: {start, neighbors}');
  }
  const pairs = graph.neighbors.length;
  const n = graph.start.length - 1;
  if (n < 0) throw new InvalidParameterError('start.length', 0, 'n + 1 offsets, at least one');
  if (graph.start[0] !== 0) throw new InvalidParameterError('start[0]', graph.start[0], '0');
  for (let i = 0; i < n; i++) {
    const end = graph.start[i + 1];
    if (!Number.isInteger(end) || end < graph.start[i] || end > pairs) {
      throw new InvalidParameterError(`start[${i + 1}]`, end, `an integer from ${graph.start[i]} to ${pairs}`);
    }
  }
  if (graph.start[n] !== pairs)
    throw new InvalidParameterError(`start[${n}]`, graph.start[n], `${pairs}, the neighbours`);
  for (let k = 0; k < pairs; k++) {
    const j = graph.neighbors[k];
    if (!Number.isInteger(j) || j < 0 || j >= n) {
      throw new InvalidParameterError(`neighbors[${k}]`, j, `the index of a point from 0 to ${n - 1}`);
    }
  }
  const lists = {start: Int32Array.from(graph.start), neighbors: Int32Array.from(graph.neighbors)};
  onPass();
  return symmetric(lists, n, onPass);
}

/** Compares the lists with their transpose: two passes of counting sort put both in ascending order. */
function symmetric(lists: Rows, n: number, onPass: () => void): CheckedLists {
  const transposed = transpose(lists, n);
  onPass();
  const sorted = transpose(transposed, n);
  onPass();
  for (let i = 0; i < n; i++) {
    const own = sorted.neighbors.subarray(sorted.start[i], sorted.start[i + 1]);
    const other = transposed.neighbors.subarray(transposed.start[i], transposed.start[i + 1]);
    for (let k = 0; k < own.length; k++) {
      if (k > 0 && own[k] === own[k - 1]) {
        throw new InvalidParameterError(`neighbors of point ${i}`, own[k], 'each neighbour once');
      }
    }
    const missing = own.length === other.length ? own.find((j, k) => j !== other[k]) : (own.at(0) ?? other.at(0));
    if (missing !== undefined) {
      throw new InvalidParameterError(`neighbors of point ${i}`, missing, 'pairs that are in both lists');
    }
  }
  const given = sorted.from.map((k) => transposed.from[k]);
  onPass();
  return {start: sorted.start, neighbors: sorted.neighbors, given, reverse: transposed.from};
}

interface Rows {
  readonly start: Int32Array;
  readonly neighbors: Int32Array;
}

/** @returns  `from`: where each pair was */
function transpose({start, neighbors}: Rows, n: number): Rows & {readonly from: Int32Array} {
  const {length} = neighbors;
  const turned = {start: new Int32Array(n + 1), neighbors: new Int32Array(length), from: new Int32Array(length)};
  for (const j of neighbors) turned.start[j + 1]++;
  for (let i = 0; i < n; i++) turned.start[i + 1] += turned.start[i];
  const next = turned.start.slice(0, n);
  for (let i = 0; i < n; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const at = next[neighbors[k]]++;
      turned.neighbors[at] = i;
      turned.from[at] = k;
    }
  }
  return turned;
}
