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
  return {labels: labelsOf(list, condensed, table), details: () => describeAll(list, condensed, table)};
}

/** Clusters inside a selected one have its label: each selected cluster is a range of the list. */
function labelsOf(list: EntryList, condensed: Condensed, table: ClusterTable): Int32Array {
  const {
    order,
    steps: {start, end},
  } = list;
  const {clusters, top} = condensed;
  const {label, bound} = table;
  // Some points of the range are noise.
  if (bound < Infinity) return describeAll(list, condensed, table).labels;
  const labels = new Int32Array(order.length).fill(NOISE);
  for (let cluster = 0; cluster < label.length; cluster++) {
    const one = label[cluster];
    if (one === NOISE || (cluster > 0 && label[clusters.parent[cluster]] !== NOISE)) continue;
    const to = end[top[cluster]];
    for (let k = start[top[cluster]]; k < to; k++) labels[order[k]] = one;
  }
  return labels;
}

function describeAll(list: EntryList, condensed: Condensed, table: ClusterTable): Described {
  const n = list.order.length;
  const described = {
    labels: new Int32Array(n),
    probabilities: new Float64Array(n),
    outlierScores: new Float64Array(n),
    clusterOf: new Int32Array(n),
    leavesSquared: new Float64Array(n),
  };
  describeRange({placed: placesIn(list, condensed), table, squared: list.steps.level, described}, 0, n);
  return described;
}

/** By point: its cluster, and the step at which it leaves that. */
function placesIn(list: EntryList, {top, minClusterSize}: Condensed): Int32Array {
  const {
    order,
    steps: {up, own},
  } = list;
  // By step: the smallest step around it that belongs to a cluster, and that cluster.
  const clusterAt = new Int32Array(up.length);
  const leavesAt = new Int32Array(up.length);
  // Clusters descend in the order of the steps.
  for (let step = up.length - 1, cluster = 0; step >= 0; step--) {
    if (step === top[cluster + 1]) cluster++;
    const isMember = step === top[0] || pointsIn(list, step) >= minClusterSize;
    clusterAt[step] = isMember ? cluster : clusterAt[up[step]];
    leavesAt[step] = isMember ? step : leavesAt[up[step]];
  }
  const placed = new Int32Array(2 * order.length);
  for (let k = 0; k < order.length; k++) {
    placed[2 * order[k]] = clusterAt[own[k]];
    placed[2 * order[k] + 1] = leavesAt[own[k]];
  }
  return placed;
}

type Described = PointDetails & {readonly labels: Int32Array};

/** What `describeRange` reads and writes. */
export interface Describing {
  /** Two words a point: the cluster that it leaves last, and which of `squared` it leaves at. */
  readonly placed: Int32Array;
  readonly table: ClusterTable;
  readonly squared: Float64Array;
  readonly described: Described;
}

/**
 * Describes the points from `start` to before `end`.
 *
 * @source  Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017
 */
export function describeRange({placed, table, squared, described}: Describing, start: number, end: number): void {
  const {number, label, bound, lambdaMax, deepest} = table;
  const {labels, probabilities, outlierScores, clusterOf, leavesSquared} = described;
  for (let i = start; i < end; i++) {
    const c = placed[2 * i];
    const leaves = squared[placed[2 * i + 1]];
    const lambda = lambdaOf(leaves);
    const isNoise = !(leaves <= bound) || label[c] === NOISE;
    labels[i] = isNoise ? NOISE : label[c];
    probabilities[i] = isNoise ? 0 : probability(lambda, lambdaMax[c]);
    outlierScores[i] = outlierScore(lambda, deepest[c]);
    clusterOf[i] = number[c];
    leavesSquared[i] = leaves;
  }
}

/** Points that go on into children have left at the last level of the cluster. */
function probability(lambda: number, lambdaMax: number): number {
  if (lambda === Infinity || lambdaMax === 0) return 1;
  return Math.min(lambda, lambdaMax) / lambdaMax;
}

function outlierScore(lambda: number, deepest: number): number {
  if (lambda === Infinity || deepest === 0) return 0;
  return deepest === Infinity ? 1 : (deepest - lambda) / deepest;
}
