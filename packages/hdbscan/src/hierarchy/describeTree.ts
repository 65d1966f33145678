import {pointCount, type PhaseClock} from '@epsball/clustering';
import type {HdbscanPhase, HdbscanResult} from '../algorithm.ts';
import type {CheckedParams} from '../checkParams.ts';
import {integersByPoint, numbersByPoint, type Places} from '../places.ts';
import {condense, type Condensed} from './condense.ts';
import {cutTree} from './cutTree.ts';
import {labelPoints} from './labelPoints.ts';
import {numberTree} from './numberTree.ts';
import {selectClusters} from './selectClusters.ts';
import {sortEdges, type TreeEdges} from './sortEdges.ts';
import {warningsOf} from './warnings.ts';

/** A minimum spanning tree of places by position: neighbours in space are neighbours in memory. */
export interface PositionedTree {
  /** Squared core distances, infinite if the places are fewer than the rank. */
  readonly core: Float64Array;
  /** One edge fewer than places, between positions, in any order; none if the places are fewer than the rank. */
  readonly edges: TreeEdges;
  readonly isSorted: boolean;
  /** The index of the place at each position. */
  readonly pointOrder: Int32Array;
}

/** A condensed tree by place, and what it was condensed from. */
export interface CondensedPlaces {
  readonly condensed: Condensed;
  /** Squared core distances by place. */
  readonly coreSquared: Float64Array;
  /** Ascending. */
  readonly edges: TreeEdges;
  /** The index of the place at each position of the edges. */
  readonly pointOrder: Int32Array;
}

/**
 * The result of a run, from a minimum spanning tree: any one, because all edges of equal weight are one step. All
 * copies of a place have its results.
 *
 * @param places  of which the tree is
 * @complexity  O(n)
 */
export function describeTree(
  {core, edges: found, isSorted, pointOrder}: PositionedTree,
  places: Places,
  params: CheckedParams,
): Omit<HdbscanResult, 'stats'> {
  const n = core.length;
  const {total, copies} = places;
  const edges = isSorted ? found : sortEdges(found);
  const weights = copies && Float64Array.from(pointOrder, (place) => copies[place]);
  const byPosition = condense({edges, core, weights, total}, params.minClusterSize);
  const condensed = {...byPosition, clusterOf: new Int32Array(n), leavesSquared: new Float64Array(n)};
  const coreSquared = new Float64Array(n);
  for (let p = 0; p < n; p++) {
    const i = pointOrder[p];
    coreSquared[i] = core[p];
    condensed.clusterOf[i] = byPosition.clusterOf[p];
    condensed.leavesSquared[i] = byPosition.leavesSquared[p];
  }
  return describeClusters({condensed, coreSquared, edges, pointOrder}, places, params);
}

/** The result of a run, from a condensed tree. */
export function describeClusters(
  {condensed, coreSquared, edges, pointOrder}: CondensedPlaces,
  places: Places,
  params: CheckedParams,
): Omit<HdbscanResult, 'stats'> {
  const n = coreSquared.length;
  const hasCores = params.rank <= n;
  const isSelected = hasCores ? selectClusters(condensed, params) : new Uint8Array(condensed.parent.length);
  const {labels, probabilities, outlierScores, clusterCount} = labelPoints(condensed, isSelected, params);
  // A selected root without members.
  if (clusterCount === 0) isSelected.fill(0);
  const condensedTree = numberTree(condensed, isSelected);
  // A square of an eps may be infinite, as the core distances of too few places are.
  const cutSquared = hasCores ? coreSquared : new Float64Array(n).fill(NaN);
  return {
    labels: integersByPoint(labels, places),
    probabilities: numbersByPoint(probabilities, places),
    outlierScores: numbersByPoint(outlierScores, places),
    clusterCount,
    condensedTree: {
      ...condensedTree,
      clusterOf: integersByPoint(condensedTree.clusterOf, places),
      leavesSquared: numbersByPoint(condensedTree.leavesSquared, places),
    },
    coreSquared: numbersByPoint(coreSquared, places),
    treeSquared: edges.squared,
    dbscanClustering: (eps, eps2) =>
      integersByPoint(cutTree({coreSquared: cutSquared, edges, pointOrder}, eps, eps2), places),
    warnings: warningsOf(edges, pointOrder, isSelected[0] === 1, places, params),
  };
}

/** The result for fewer places than `params.rank`: all noise. */
export function withoutCores(places: Places, params: CheckedParams, clock: PhaseClock<HdbscanPhase>): HdbscanResult {
  clock.enter('hierarchy');
  const n = pointCount(places.points);
  const noEdges = {from: new Int32Array(0), to: new Int32Array(0), squared: new Float64Array(0)};
  const pointOrder = Int32Array.from({length: n}, (_, i) => i);
  const core = new Float64Array(n).fill(Infinity);
  const result = describeTree({core, edges: noEdges, isSorted: true, pointOrder}, places, params);
  return {...result, stats: {...clock.stop(), counters: {rounds: 0, clusters: 1}}};
}
