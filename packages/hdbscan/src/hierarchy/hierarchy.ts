import {
  indicesBelow,
  InvalidParameterError,
  NOISE,
  pointCount,
  squaredEps,
  type PartListener,
} from '@epsball/clustering';
import type {HdbscanHierarchy, HdbscanSelection} from '../algorithm.ts';
import {checkSelection, type CheckedSelection, type CheckedTree} from '../checkParams.ts';
import {firstPoints, integersByPoint, numbersByPoint, type Copies, type Places} from '../places.ts';
import {uniqueTree} from '../tree/uniqueTree.ts';
import {chooseClusters, type ChosenClusters} from './chooseClusters.ts';
import {condense, type CondensedClusters, type EntryList} from './condense.ts';
import {cutList} from './cutList.ts';
import {describePoints, type DescribedPoints, type PointDetails} from './describePoints.ts';
import {leafOrder, type LeafOrder} from './leafOrder.ts';
import {RangeSums} from './rangeSums.ts';
import {reachability} from './reachability.ts';
import {NO_EDGES, type TreeEdges} from './treeEdges.ts';
import {stepsOf} from './steps.ts';
import {pointsOnHeavyPlaces, warningsOf} from './warnings.ts';

/** A minimum spanning tree of places. Its edges are between positions: neighbours in space are neighbours in memory. */
export interface PlaceTree {
  /** Squared core distances by place; infinite if the places are fewer than the rank. */
  readonly coreSquared: Float64Array;
  /** One edge fewer than places, ascending; none if the places are fewer than the rank. */
  readonly edges: TreeEdges;
  /** The index of the place at each position. */
  readonly pointOrder: Int32Array;
}

/** A hierarchy, and how clusters are selected from a condensed tree of it. */
export interface GrownHierarchy {
  readonly hierarchy: HdbscanHierarchy;
  /** @param onProgress  hears of its steps */
  readonly select: (params: CheckedSelection, onProgress?: PartListener) => HdbscanSelection;
  /** The two steps of `select` for a tree that was condensed elsewhere: its clusters, then what they say of places. */
  readonly choose: (
    clusters: CondensedClusters,
    smallest: Int32Array,
    params: CheckedSelection,
  ) => {readonly chosen: ChosenClusters; readonly selectionOf: (places: DescribedPoints) => HdbscanSelection};
}

/**
 * The hierarchy of a minimum spanning tree of places.
 *
 * @param places  its points are read by `edges`
 */
export function hierarchyOfPlaces(tree: PlaceTree, places: Places, checked: CheckedTree): GrownHierarchy {
  const {coreSquared, edges, pointOrder} = tree;
  return hierarchyOf(tree, places, checked, {
    heavyPoints: pointsOnHeavyPlaces(edges, pointOrder, places, checked),
    firstPoints: () => firstPoints(places),
    edges: async (options) => uniqueTree(places, edges.squared.length === 0 ? undefined : coreSquared, options),
  });
}

/**
 * The hierarchy of a minimum spanning tree: any one, because all edges of equal weight are one step. All copies of a
 * place have its results. The list of the hierarchy is made when it is first needed.
 */
export function hierarchyOf(
  tree: PlaceTree,
  copies: Copies,
  checked: CheckedTree,
  more: {
    readonly heavyPoints: number;
    /** Of places. Undefined: each point is a place of its own. */
    readonly firstPoints: () => Int32Array | undefined;
    readonly edges: HdbscanHierarchy['edges'];
  },
): GrownHierarchy {
  const {coreSquared, edges} = tree;
  const n = coreSquared.length;
  const hasCores = checked.rank <= n;
  let kept: PlaceList | undefined;
  const list = (): PlaceList => (kept ??= listOf(tree, copies));

  const choose: GrownHierarchy['choose'] = (clusters, smallest, params) => {
    const all = {...checked, ...params, hasCores};
    const chosen = chooseClusters(clusters, smallest, all);
    const warnings = warningsOf(more.heavyPoints, chosen.isRootSelected, copies, all);
    return {chosen, selectionOf: (places) => selectionOf(chosen, places, copies, warnings)};
  };
  const select: GrownHierarchy['select'] = (params, onProgress) => {
    const made = list();
    onProgress?.(0.5);
    const condensed = condense(made, params.minClusterSize);
    onProgress?.(0.75);
    const {chosen, selectionOf: ofPlaces} = choose(condensed.clusters, condensed.smallest, params);
    return ofPlaces(describePoints(made, condensed, chosen.table));
  };
  const cut = (eps: number, eps2: number = squaredEps(eps)): Int32Array => {
    if (!(eps > 0 && eps < Infinity)) throw new InvalidParameterError('eps', eps, 'a finite number > 0');
    // A square of an eps may be infinite, as the core distances of too few places are.
    const labels = hasCores ? cutList(list(), coreSquared, eps2) : new Int32Array(n).fill(NOISE);
    return integersByPoint(labels, copies);
  };
  const hierarchy = {
    coreSquared: numbersByPoint(coreSquared, copies),
    treeSquared: edges.squared,
    select: (params) => select(checkSelection(params)),
    cut,
    edges: more.edges,
    reachability: () => {
      const made = list();
      const {order, heights} = reachability(made, made.steps);
      const first = more.firstPoints();
      return {order: first === undefined ? order : order.map((place) => first[place]), heights};
    },
  } satisfies HdbscanHierarchy;
  return {hierarchy, select, choose};
}

/** Labels are there; the rest is computed when some of it is first read. */
function selectionOf(
  {clusterCount, tree}: ChosenClusters,
  places: DescribedPoints,
  copies: Copies,
  warnings: readonly string[],
): HdbscanSelection {
  const {labels} = places;
  /** What it is computed from, which may be large, until it is. */
  let rest: PointDetails | (() => PointDetails) = places.details;
  const details = (): PointDetails => {
    if (typeof rest === 'function') rest = detailsByPoint(rest(), copies);
    return rest;
  };
  return {
    labels: integersByPoint(labels, copies),
    get probabilities() {
      return details().probabilities;
    },
    get outlierScores() {
      return details().outlierScores;
    },
    clusterCount,
    condensedTree: {
      ...tree,
      get clusterOf() {
        return details().clusterOf;
      },
      get leavesSquared() {
        return details().leavesSquared;
      },
    },
    warnings,
  };
}

function detailsByPoint(places: PointDetails, copies: Copies): PointDetails {
  return {
    probabilities: numbersByPoint(places.probabilities, copies),
    outlierScores: numbersByPoint(places.outlierScores, copies),
    clusterOf: integersByPoint(places.clusterOf, copies),
    leavesSquared: numbersByPoint(places.leavesSquared, copies),
  };
}

/** The hierarchy of fewer places than the rank: all noise. */
export function hierarchyWithoutCores(places: Places, checked: CheckedTree): GrownHierarchy {
  const n = pointCount(places.points);
  const coreSquared = new Float64Array(n).fill(Infinity);
  const pointOrder = indicesBelow(n);
  return hierarchyOfPlaces({coreSquared, edges: NO_EDGES, pointOrder}, places, checked);
}

/** The list of a hierarchy by place, and what its ranges weigh if entries are not one point each. */
type PlaceList = LeafOrder & EntryList;

function listOf({coreSquared, edges, pointOrder}: PlaceTree, {weights}: Copies): PlaceList {
  const list = leafOrder(edges, coreSquared.length);
  const {order} = list;
  for (let k = 0; k < order.length; k++) order[k] = pointOrder[order[k]];
  return {...list, sums: weights && new RangeSums(weights, order), steps: stepsOf(list, coreSquared)};
}

/** @param core  by position */
export function coresByPlace(core: Float64Array, pointOrder: Int32Array): Float64Array {
  const coreSquared = new Float64Array(core.length);
  for (let p = 0; p < core.length; p++) coreSquared[pointOrder[p]] = core[p];
  return coreSquared;
}
