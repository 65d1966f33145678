import {
  checkKnownOptions,
  checkNeighborLists,
  indicesBelow,
  InvalidParameterError,
  ProgressMeter,
  reportParts,
  squaredEps,
  type CheckedLists,
  type NeighborLists,
  type ProgressListener,
  type RunOptions,
} from '@epsball/clustering';
import {makeSets, uniteByIndex} from '@epsball/union-find';
import type {HdbscanHierarchy, HdbscanParams, HdbscanSelection} from './algorithm.ts';
import {checkParams, SELECTION_PARAMS} from './checkParams.ts';
import {hierarchyOf} from './hierarchy/hierarchy.ts';
import {sortEdges} from './hierarchy/sortEdges.ts';
import {NO_EDGES, type TreeEdges} from './hierarchy/treeEdges.ts';
import {withFarEdges} from './tree/farEdges.ts';
import {checkWeights, weightParts} from './weightParts.ts';

/** Lists of neighbours with their distances. */
export interface DistanceLists extends NeighborLists {
  /** The distance of each pair in `neighbors`: ≥ 0, the same in both lists; infinite counts as no pair. */
  readonly distances: ArrayLike<number>;
}

export type HdbscanGraphPhase = 'check' | 'core' | 'tree' | 'hierarchy';

/** Vertices or pairs between two reports. */
const BLOCK = 2 ** 12;

/** The parameters of `hdbscan` without metric and duplicates. */
export type HdbscanGraphParams = Omit<HdbscanParams, 'duplicates' | 'clusterSelectionEpsilon2'>;

export type HdbscanGraphResult = HdbscanSelection & {readonly hierarchy: HdbscanHierarchy};

/**
 * Clusters the vertices of a graph by HDBSCAN*, with any distance: the distances of pairs that are not in the lists are
 * infinite. Components of the graph are parts of one root, so several of them can be clusters without
 * `allowSingleCluster`. A vertex with fewer than `minSamples` neighbours, itself counted, is noise.
 *
 * @param graph   symmetric: each pair is in both lists, once, with one distance; not modified. A vertex is its own
 *                neighbour at the distance 0, in its list or not
 * @returns       arrays owned by the caller; `edges` joins components by infinite edges from vertex 0
 * @throws InvalidParameterError  if the lists do not form such a graph, and names the pair; or if a parameter is out of
 *                                range or does not exist
 * @complexity    O(n + pairs · log pairs)
 */
export function hdbscanGraph(
  graph: DistanceLists,
  params: HdbscanGraphParams = {},
  options: Pick<RunOptions<HdbscanGraphPhase>, 'onProgress'> = {},
): HdbscanGraphResult {
  checkKnownOptions(params, [...SELECTION_PARAMS, 'minSamples', 'countSelf', 'sampleWeight'], 'params', 'an object');
  checkKnownOptions(options, ['onProgress'], 'options', 'an object such as {onProgress}');
  const {onProgress} = options;
  const checked = checkParams(params);
  const lists = checkNeighborLists(graph, options);
  const squares = checkedSquares(graph.distances, lists);
  const n = lists.start.length - 1;
  const weights = checked.sampleWeight && weightParts(checkWeights(checked.sampleWeight, n));
  const coreSquared = coreSquares(lists, squares, checked.rank, onProgress);
  const edges = checked.rank > n ? NO_EDGES : spanningTree(lists, squares, coreSquared, onProgress);
  const report = reportParts('hierarchy', n, onProgress);
  report?.(0);
  const pointOrder = indicesBelow(coreSquared.length);
  const {hierarchy, select} = hierarchyOf({coreSquared, edges, pointOrder}, {total: n, weights}, checked, {
    heavyPoints: 0,
    firstPoints: () => undefined,
    edges: async () => ({from: edges.from.slice(), to: edges.to.slice(), squared: edges.squared.slice()}),
  });
  // An infinite core distance has no neighbours, at no radius.
  const cut: HdbscanHierarchy['cut'] = (eps, eps2 = squaredEps(eps)) =>
    hierarchy.cut(eps, Math.min(eps2, Number.MAX_VALUE));
  const selection = select(checked, report);
  report?.(1);
  return {...selection, hierarchy: {...hierarchy, cut}};
}

/** The squared distances of the sorted lists. */
function checkedSquares(given: ArrayLike<number> | undefined, lists: CheckedLists): Float64Array {
  const {start, neighbors, given: at, reverse} = lists;
  if (given?.length !== neighbors.length) {
    throw new InvalidParameterError('distances.length', given?.length, `${neighbors.length}, as many as neighbors`);
  }
  const squares = new Float64Array(neighbors.length);
  for (let i = 0; i + 1 < start.length; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const distance = given[at[k]];
      const expected = neighbors[k] === i ? 0 : given[reverse[k]];
      if (!(distance >= 0) || distance !== expected) {
        const wanted = distance >= 0 ? `${expected}, as of ${neighbors[k]} and ${i}` : 'a number ≥ 0';
        throw new InvalidParameterError(`distance of ${i} and ${neighbors[k]}`, distance, wanted);
      }
      squares[k] = distance * distance;
    }
  }
  return squares;
}

/** Squared core distances; infinite for fewer neighbours than the rank. */
function coreSquares(
  {start, neighbors}: CheckedLists,
  squares: Float64Array,
  rank: number,
  onProgress: ProgressListener<'core'> | undefined,
): Float64Array {
  const cores = new Float64Array(start.length - 1);
  const meter = new ProgressMeter(cores.length, onProgress);
  for (let i = 0; i < cores.length; i++) {
    if (i % BLOCK === 0) meter.report('core', i);
    if (rank === 1) continue;
    const others = squares.slice(start[i], start[i + 1]).filter((_, k) => neighbors[start[i] + k] !== i);
    cores[i] = others.sort()[rank - 2] ?? Infinity;
  }
  return cores;
}

/** The minimum spanning tree of mutual reachability by Kruskal's algorithm, in the order of (w², i, j). */
function spanningTree(
  {start, neighbors}: CheckedLists,
  squares: Float64Array,
  core: Float64Array,
  onProgress: ProgressListener<'tree'> | undefined,
): TreeEdges {
  const n = core.length;
  const {length} = neighbors;
  const found = {from: new Int32Array(length), to: new Int32Array(length), squared: new Float64Array(length)};
  let listed = 0;
  for (let i = 0; i < n; i++) {
    for (let k = start[i]; k < start[i + 1]; k++) {
      const j = neighbors[k];
      const squared = Math.max(squares[k], core[i], core[j]);
      if (j <= i || squared === Infinity) continue;
      found.from[listed] = i;
      found.to[listed] = j;
      found.squared[listed++] = squared;
    }
  }
  // The sort keeps the order of equal weights.
  const pairs = sortEdges({
    from: found.from.subarray(0, listed),
    to: found.to.subarray(0, listed),
    squared: found.squared.subarray(0, listed),
  });
  const parent = new Int32Array(n);
  makeSets(parent);
  const edges = {from: new Int32Array(n - 1), to: new Int32Array(n - 1), squared: new Float64Array(n - 1)};
  const meter = new ProgressMeter(listed, onProgress);
  let count = 0;
  for (let k = 0; k < listed; k++) {
    if (k % BLOCK === 0) meter.report('tree', k);
    if (!uniteByIndex(parent, pairs.from[k], pairs.to[k])) continue;
    edges.from[count] = pairs.from[k];
    edges.to[count] = pairs.to[k];
    edges.squared[count++] = pairs.squared[k];
  }
  return withFarEdges(edges, count, parent);
}
