import {
  checkKnownOptions,
  InvalidParameterError,
  NOISE,
  toWeights,
  WeightSum,
  type DbscanResult,
} from '@epsball/clustering';

/** Lists of neighbours in compressed rows (CSR). */
export interface NeighborLists {
  /** n + 1 offsets: point i has the neighbours from `neighbors[start[i]]` to before `neighbors[start[i + 1]]`. */
  readonly start: ArrayLike<number>;
  /** Indices of points. A list may hold the point itself; it counts as its own neighbour either way. */
  readonly neighbors: ArrayLike<number>;
}

export interface DbscanGraphOptions {
  /** As for `dbscan`. */
  readonly minPts: number;
  /** As for `dbscan`. */
  readonly sampleWeight?: ArrayLike<number> | undefined;
}

/** The result of `dbscanGraph`, as that of `dbscan`. */
export type DbscanGraphResult = Pick<DbscanResult, 'labels' | 'coreMask' | 'clusterCount'>;

/**
 * Clusters points whose neighbours the caller has computed, with any distance. The labels are those of `dbscan` for the
 * same neighbours.
 *
 * @param graph    symmetric: each pair is in both lists, once; not modified
 * @param options  minPts, and weights
 * @returns        owned by the caller
 * @throws InvalidParameterError  if the lists do not form a symmetric graph: names the first pair that is missing; or
 *                                if an option is out of range or does not exist
 * @complexity O(n + edges)
 */
export function dbscanGraph(graph: NeighborLists, options: DbscanGraphOptions): DbscanGraphResult {
  checkKnownOptions(options, ['minPts', 'sampleWeight'], 'options', 'an object with minPts');
  const {minPts, sampleWeight} = options;
  if (!Number.isInteger(minPts) || minPts < 1) throw new InvalidParameterError('minPts', minPts, 'an integer ≥ 1');
  const {start, neighbors} = checkedLists(graph);
  const n = start.length - 1;
  const coreMask = markCore({start, neighbors}, minPts, sampleWeight && toWeights(sampleWeight, n));
  const labels = new Int32Array(n).fill(NOISE);
  const pending = new Int32Array(n);
  let clusterCount = 0;
  for (let first = 0; first < n; first++) {
    if (coreMask[first] === 0 || labels[first] !== NOISE) continue;
    const label = clusterCount++;
    labels[first] = label;
    pending[0] = first;
    for (let count = 1; count > 0;) {
      const i = pending[--count];
      for (let k = start[i]; k < start[i + 1]; k++) {
        const j = neighbors[k];
        // A border point keeps its first label, which is its lowest.
        if (labels[j] !== NOISE) continue;
        labels[j] = label;
        if (coreMask[j] === 1) pending[count++] = j;
      }
    }
  }
  return {labels, coreMask, clusterCount};
}

interface CheckedLists {
  readonly start: Int32Array;
  readonly neighbors: Int32Array;
}

function markCore({start, neighbors}: CheckedLists, minPts: number, weights: Float64Array | undefined): Uint8Array {
  const n = start.length - 1;
  const coreMask = new Uint8Array(n);
  const sum = weights && new WeightSum(weights, minPts);
  for (let i = 0; i < n; i++) {
    const list = neighbors.subarray(start[i], start[i + 1]);
    const hasSelf = list.includes(i);
    if (sum === undefined) {
      coreMask[i] = list.length + (hasSelf ? 0 : 1) >= minPts ? 1 : 0;
      continue;
    }
    sum.start();
    sum.add(list, list.length);
    if (!hasSelf) sum.addOne(i);
    coreMask[i] = sum.isEnough() ? 1 : 0;
  }
  return coreMask;
}

function checkedLists(graph: NeighborLists): CheckedLists {
  const given: Partial<NeighborLists> | null | undefined = graph;
  if (given?.start === undefined || given.neighbors === undefined) {
    throw new InvalidParameterError('graph', graph, 'lists of neighbours: {start, neighbors}');
  }
  const edges = graph.neighbors.length;
  const n = graph.start.length - 1;
  if (n < 0) throw new InvalidParameterError('start.length', 0, 'n + 1 offsets, at least one');
  if (graph.start[0] !== 0) throw new InvalidParameterError('start[0]', graph.start[0], '0');
  for (let i = 0; i < n; i++) {
    const end = graph.start[i + 1];
    if (!Number.isInteger(end) || end < graph.start[i] || end > edges) {
      throw new InvalidParameterError(`start[${i + 1}]`, end, `an integer from ${graph.start[i]} to ${edges}`);
    }
  }
  if (graph.start[n] !== edges)
    throw new InvalidParameterError(`start[${n}]`, graph.start[n], `${edges}, the neighbours`);
  for (let k = 0; k < edges; k++) {
    const j = graph.neighbors[k];
    if (!Number.isInteger(j) || j < 0 || j >= n) {
      throw new InvalidParameterError(`neighbors[${k}]`, j, `the index of a point from 0 to ${n - 1}`);
    }
  }
  const lists = {start: Int32Array.from(graph.start), neighbors: Int32Array.from(graph.neighbors)};
  checkSymmetry(lists, n);
  return lists;
}

/** Compares the lists with their transpose: two passes of counting sort put both in ascending order. */
function checkSymmetry(lists: CheckedLists, n: number): void {
  const transposed = transpose(lists, n);
  const sorted = transpose(transposed, n);
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
}

function transpose({start, neighbors}: CheckedLists, n: number): CheckedLists {
  const turned = {start: new Int32Array(n + 1), neighbors: new Int32Array(neighbors.length)};
  for (const j of neighbors) turned.start[j + 1]++;
  for (let i = 0; i < n; i++) turned.start[i + 1] += turned.start[i];
  const next = turned.start.slice(0, n);
  for (let i = 0; i < n; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) turned.neighbors[next[neighbors[k]]++] = i;
  }
  return turned;
}
