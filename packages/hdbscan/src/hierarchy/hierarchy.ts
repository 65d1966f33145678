import {InvalidParameterError, NOISE, pointCount, squaredEps} from '@epsball/clustering';
import type {HdbscanHierarchy, HdbscanSelection} from '../algorithm.ts';
import {checkSelection, type CheckedSelection, type CheckedTree} from '../checkParams.ts';
import {firstPoints, integersByPoint, numbersByPoint, type Copies, type Places} from '../places.ts';
import {uniqueTree} from '../tree/uniqueTree.ts';
import {condense, type Condensed, type EntryList} from './condense.ts';
import {cutList} from './cutList.ts';
import {describePoints} from './describePoints.ts';
import {leafOrder, type LeafOrder} from './leafOrder.ts';
import {gather, numberTree} from './numberTree.ts';
import {RangeSums} from './rangeSums.ts';
import {reachability} from './reachability.ts';
import {selectClusters} from './selectClusters.ts';
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
  /** Clusters of a tree that was condensed elsewhere, by place. Its arrays belong to the result. */
  readonly selectFrom: (condensed: Condensed, params: CheckedSelection) => HdbscanSelection;
  readonly select: (params: CheckedSelection) => HdbscanSelection;
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

  const selectFrom = (condensed: Condensed, params: CheckedSelection): HdbscanSelection =>
    selectionOf(condensed, copies, {...checked, ...params, hasCores, heavyPoints: more.heavyPoints});
  const select = (params: CheckedSelection): HdbscanSelection => {
    const level = n === 1 ? coreSquared[0] : (edges.squared.at(-1) ?? Infinity);
    return selectFrom(condense(list(), level, params.minClusterSize), params);
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
  return {hierarchy, select, selectFrom};
}

/** The clusters of a condensed tree, by point. */
function selectionOf(
  condensed: Condensed,
  copies: Copies,
  params: CheckedTree & CheckedSelection & {readonly hasCores: boolean; readonly heavyPoints: number},
): HdbscanSelection {
  const isSelected = params.hasCores ? selectClusters(condensed, params) : new Uint8Array(condensed.parent.length);
  const {numberOf, clusters, ascending, ...numbered} = numberTree(condensed);
  const points = describePoints(condensed, isSelected, {numberOf, ascending}, params);
  // A selected root without members.
  if (points.clusterCount === 0) isSelected.fill(0);
  return {
    labels: integersByPoint(points.labels, copies),
    probabilities: numbersByPoint(points.probabilities, copies),
    outlierScores: numbersByPoint(points.outlierScores, copies),
    clusterCount: points.clusterCount,
    condensedTree: {
      ...numbered,
      isSelected: gather(isSelected, clusters),
      clusterOf: integersByPoint(points.clusterOf, copies),
      leavesSquared: numbersByPoint(points.leavesSquared, copies),
    },
    warnings: warningsOf(params.heavyPoints, isSelected[0] === 1, copies, params),
  };
}

/** The hierarchy of fewer places than the rank: all noise. */
export function hierarchyWithoutCores(places: Places, checked: CheckedTree): GrownHierarchy {
  const n = pointCount(places.points);
  const coreSquared = new Float64Array(n).fill(Infinity);
  const pointOrder = Int32Array.from(coreSquared.keys());
  return hierarchyOfPlaces({coreSquared, edges: NO_EDGES, pointOrder}, places, checked);
}

/** The list of a hierarchy by place, and what its ranges weigh if entries are not one point each. */
type PlaceList = LeafOrder & EntryList;

function listOf({coreSquared: {length: n}, edges, pointOrder}: PlaceTree, {weights}: Copies): PlaceList {
  const {order, heights} = leafOrder(edges, n);
  for (let k = 0; k < n; k++) order[k] = pointOrder[order[k]];
  return {order, heights, sums: weights && new RangeSums(weights, order), steps: stepsOf(heights)};
}

/** @param core  by position */
export function coresByPlace(core: Float64Array, pointOrder: Int32Array): Float64Array {
  const coreSquared = new Float64Array(core.length);
  for (let p = 0; p < core.length; p++) coreSquared[pointOrder[p]] = core[p];
  return coreSquared;
}
