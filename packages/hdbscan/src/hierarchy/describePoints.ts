import {NOISE} from '@epsball/clustering';
import type {CondensedTree, HdbscanSelection} from '../algorithm.ts';
import type {ClusterTable} from './chooseClusters.ts';
import type {Condensed, EntryList} from './condense.ts';
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
  const {
    order,
    steps: {own, level},
  } = list;
  const {clusterAt, leavesAt} = condensed;
  const {label, bound} = table;
  const n = order.length;
  const labels = new Int32Array(n);
  for (let k = 0; k < n; k++) labels[order[k]] = label[clusterAt[own[k]]];
  if (bound < Infinity) {
    for (let k = 0; k < n; k++) if (!(level[leavesAt[own[k]]] <= bound)) labels[order[k]] = NOISE;
  }
  return {labels, details: () => detailsOf(list, condensed, table)};
}

/** @source  Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017 */
function detailsOf(
  {order, steps: {own, level}}: EntryList,
  {clusterAt, leavesAt}: Condensed,
  {number, label, bound, lambdaMax, deepest}: ClusterTable,
): PointDetails {
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
function probability(lambda: number, lambdaMax: number): number {
  if (lambda === Infinity || lambdaMax === 0) return 1;
  return Math.min(lambda, lambdaMax) / lambdaMax;
}

function outlierScore(lambda: number, deepest: number): number {
  if (lambda === Infinity || deepest === 0) return 0;
  return deepest === Infinity ? 1 : (deepest - lambda) / deepest;
}
