import {filled, indicesBelow, pointCount, type ProgressListener} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import type {DistanceLists} from '@epsball/hdbscan';
import {UsageError} from '../errors.ts';

const VERTEX_MAX = 2 ** 31 - 2;

/** Passes over the edges, of about the same time. */
const PASSES = 5;

/** The lists of a graph, each ascending. */
export type Graph = DistanceLists & Record<'start' | 'neighbors', Int32Array> & {readonly distances: Float64Array};

/**
 * The graph of a table of edges. A pair may be listed in one direction or in both. A vertex is its own neighbour,
 * listed or not.
 *
 * @param table     two columns of vertices, and one of distances if there are three
 * @param vertices  number of vertices. Default: one more than the largest in the table
 * @param flag      what tells this number, for errors
 * @throws UsageError  if a value is no vertex or no distance, or a pair has two distances
 * @complexity      O(n + edges)
 */
export function graphOf(
  input: string,
  table: LoadedPoints,
  onProgress: ProgressListener,
  vertices?: number,
  flag = '--vertices',
): Graph {
  const {coords, dim} = table;
  let done = 0;
  const onPass = (): void => onProgress({phase: 'sort', done: done++, total: PASSES});
  if (dim !== 2 && dim !== 3) {
    throw new UsageError('EDGES', input, `2 or 3 columns: two vertices, and their distance; it has ${dim}`);
  }
  const edges = pointCount(table);
  let largest = -1;
  onPass();
  for (let e = 0; e < edges; e++) {
    for (let k = e * dim; k < e * dim + 2; k++) {
      const vertex = coords[k];
      const isVertex = Number.isInteger(vertex) && vertex >= 0 && vertex <= VERTEX_MAX;
      if (!isVertex) throw wrong(input, e, `vertex ${vertex}`, 'integers from 0');
      largest = Math.max(largest, vertex);
    }
    const distance = dim === 2 ? 0 : coords[e * dim + 2];
    if (!(distance >= 0)) throw wrong(input, e, `distance ${distance}`, 'numbers ≥ 0');
  }
  const n = vertices ?? largest + 1;
  if (largest >= n) throw new UsageError(flag, String(n), `at least ${largest + 1}: vertex ${largest} is in EDGES`);
  onPass();
  const sorted = sortedRows(table, n, onPass);
  onPass();
  return mergedRows(input, sorted);
}

function wrong(input: string, edge: number, found: string, expectation: string): UsageError {
  return new UsageError('EDGES', input, `${expectation}; row ${edge} has the ${found}`);
}

/** Both directions of each edge, by row, then by neighbour: counting sort by neighbour, then by row. */
function sortedRows({coords, dim}: LoadedPoints, n: number, onPass: () => void): Graph {
  const edges = coords.length / dim;
  const ends = {from: new Int32Array(2 * edges), to: new Int32Array(2 * edges), distance: new Float64Array(2 * edges)};
  for (let e = 0; e < edges; e++) {
    const [a, b] = [coords[e * dim], coords[e * dim + 1]];
    ends.from.set([a, b], 2 * e);
    ends.to.set([b, a], 2 * e);
    if (dim === 3) ends.distance.fill(coords[e * dim + 2], 2 * e, 2 * e + 2);
  }
  onPass();
  const byNeighbor = placesBy(ends.to, n, indicesBelow(ends.to.length));
  onPass();
  const {order, start} = placesBy(ends.from, n, byNeighbor.order);
  return {
    start,
    neighbors: order.map((arc) => ends.to[arc]),
    distances: filled(new Float64Array(order.length), (k) => ends.distance[order[k]]),
  };
}

/** Sorts arcs by key; arcs of one key keep their order. `start` has the first place of each key. */
function placesBy(
  keys: Int32Array,
  n: number,
  arcs: Int32Array,
): {readonly order: Int32Array; readonly start: Int32Array} {
  const start = new Int32Array(n + 1);
  for (const key of keys) start[key + 1]++;
  for (let key = 0; key < n; key++) start[key + 1] += start[key];
  const next = start.slice();
  const order = new Int32Array(arcs.length);
  for (const arc of arcs) order[next[keys[arc]]++] = arc;
  return {order, start};
}

/** Each pair once, without self-edges. */
function mergedRows(input: string, {start, neighbors, distances}: Graph): Graph {
  const n = start.length - 1;
  const merged = {start: new Int32Array(n + 1), neighbors: neighbors.slice(), distances: distances.slice()};
  let count = 0;
  for (let i = 0; i < n; i++) {
    const first = count;
    for (let k = start[i]; k < start[i + 1]; k++) {
      const j = neighbors[k];
      const known = j === i ? 0 : count > first && merged.neighbors[count - 1] === j ? merged.distances[count - 1] : -1;
      if (known >= 0 && known !== distances[k]) {
        const two = `${Math.min(known, distances[k])} and ${Math.max(known, distances[k])}`;
        const what = j === i ? `vertex ${i} is ${distances[k]} from itself` : `vertices ${i} and ${j} have ${two}`;
        throw new UsageError('EDGES', input, `one distance a pair; ${what}`);
      }
      if (known >= 0) continue;
      merged.neighbors[count] = j;
      merged.distances[count++] = distances[k];
    }
    merged.start[i + 1] = count;
  }
  return {...merged, neighbors: merged.neighbors.subarray(0, count), distances: merged.distances.subarray(0, count)};
}

/** The pairs of at most a distance. */
export function pairsWithin({start, neighbors, distances}: Graph, eps: number): Pick<Graph, 'start' | 'neighbors'> {
  const kept = new Int32Array(neighbors.length);
  const begin = new Int32Array(start.length);
  let count = 0;
  for (let i = 0; i + 1 < start.length; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) if (distances[k] <= eps) kept[count++] = neighbors[k];
    begin[i + 1] = count;
  }
  return {start: begin, neighbors: kept.subarray(0, count)};
}
