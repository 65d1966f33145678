import {NOISE} from '@epsball/clustering';
import type {CondensedTree, HdbscanSelection} from '../algorithm.ts';
import type {ClusterTable} from './chooseClusters.ts';
import {lambdaOf, type Leavings} from './condense.ts';

/** What a selection says of each point: label, probability, outlier score, and where it leaves the condensed tree. */
export type DescribedPoints = Pick<HdbscanSelection, 'labels' | 'probabilities' | 'outlierScores'> &
  Pick<CondensedTree, 'clusterOf' | 'leavesSquared'>;

/**
 * @returns     takes over the arrays of `leavings`, which change
 * @complexity  O(n)
 * @source      Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017
 */
export function describePoints(
  {clusterOf, leavesSquared}: Leavings,
  {number, label, bound, lambdaMax, deepest}: ClusterTable,
): DescribedPoints {
  const n = clusterOf.length;
  const labels = new Int32Array(n);
  const probabilities = new Float64Array(n);
  const outlierScores = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const cluster = clusterOf[i];
    const level = leavesSquared[i];
    const lambda = lambdaOf(level);
    labels[i] = level <= bound ? label[cluster] : NOISE;
    probabilities[i] = labels[i] === NOISE ? 0 : probability(lambda, lambdaMax[cluster]);
    outlierScores[i] = outlierScore(lambda, deepest[cluster]);
    clusterOf[i] = number[cluster];
  }
  return {labels, probabilities, outlierScores, clusterOf, leavesSquared};
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
