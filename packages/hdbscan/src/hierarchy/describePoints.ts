import {NOISE} from '@epsball/clustering';
import type {CondensedTree, HdbscanSelection} from '../algorithm.ts';
import type {ClusterTable} from './chooseClusters.ts';
import {pointsIn, type Condensed, type EntryList} from './condense.ts';
import {lambdaOf} from './steps.ts';

/** What a selection says of each point besides its label: probability, outlier score, and where it leaves the tree. */
export type PointDetails = Pick<HdbscanSelection, 'probabilities' | 'outlierScores'> &
  Pick<CondensedTree, 'clusterOf' | 'leavesSquared'>;

export interface DescribedPoints {
  readonly labels: Int32Array;
  /** Computes the rest. */
  readonly details: () => PointDetails;
}

/**
 * @param list       what was condensed
 * @param condensed  of it
 * @complexity       O(n)
 */
export function describePoints(list: EntryList, condensed: Condensed, table: ClusterTable): DescribedPoints {
  return {labels: labelsOf(list, condensed, table), details: () => detailsOf(list, condensed, table)};
}

/** Clusters inside a selected one have its label: each selected cluster is a range of the list. */
function labelsOf(list: EntryList, condensed: Condensed, {label, bound}: ClusterTable): Int32Array {
  const {
    order,
    steps: {start, end, own, level},
  } = list;
  const {clusters, top} = condensed;
  const labels = new Int32Array(order.length).fill(NOISE);
  for (let cluster = 0; cluster < label.length; cluster++) {
    const one = label[cluster];
    if (one === NOISE || (cluster > 0 && label[clusters.parent[cluster]] !== NOISE)) continue;
    const to = end[top[cluster]];
    for (let k = start[top[cluster]]; k < to; k++) labels[order[k]] = one;
  }
  if (bound === Infinity) return labels;
  const {leavesAt} = leavesOf(list, condensed);
  for (let k = 0; k < order.length; k++) if (!(level[leavesAt[own[k]]] <= bound)) labels[order[k]] = NOISE;
  return labels;
}

/** By step: the smallest step around it that belongs to a cluster, and that cluster. */
function leavesOf(list: EntryList, {top, minClusterSize}: Condensed) {
  const {up} = list.steps;
  const clusterAt = new Int32Array(up.length);
  const leavesAt = new Int32Array(up.length);
  // Clusters descend in the order of the steps.
  for (let step = up.length - 1, cluster = 0; step >= 0; step--) {
    if (step === top[cluster + 1]) cluster++;
    const isMember = step === top[0] || pointsIn(list, step) >= minClusterSize;
    clusterAt[step] = isMember ? cluster : clusterAt[up[step]];
    leavesAt[step] = isMember ? step : leavesAt[up[step]];
  }
  return {clusterAt, leavesAt};
}

/** @source  Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017 */
function detailsOf(
  list: EntryList,
  condensed: Condensed,
  {number, label, bound, lambdaMax, deepest}: ClusterTable,
): PointDetails {
  const {
    order,
    steps: {own, level},
  } = list;
  const {clusterAt, leavesAt} = leavesOf(list, condensed);
  const n = order.length;
  const clusterOf = new Int32Array(n);
  const leavesSquared = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    clusterOf[order[k]] = clusterAt[own[k]];
    leavesSquared[order[k]] = level[leavesAt[own[k]]];
  }
  const probabilities = new Float64Array(n);
  const outlierScores = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const cluster = clusterOf[i];
    const squared = leavesSquared[i];
    const lambda = lambdaOf(squared);
    const isNoise = !(squared <= bound) || label[cluster] === NOISE;
    probabilities[i] = isNoise ? 0 : probability(lambda, lambdaMax[cluster]);
    outlierScores[i] = outlierScore(lambda, deepest[cluster]);
    clusterOf[i] = number[cluster];
  }
  return {probabilities, outlierScores, clusterOf, leavesSquared};
}

/** Points that go on into children have left at the last level of the cluster. */
export function probability(lambda: number, lambdaMax: number): number {
  if (lambda === Infinity || lambdaMax === 0) return 1;
  return Math.min(lambda, lambdaMax) / lambdaMax;
}

export function outlierScore(lambda: number, deepest: number): number {
  if (lambda === Infinity || deepest === 0) return 0;
  return deepest === Infinity ? 1 : (deepest - lambda) / deepest;
}
