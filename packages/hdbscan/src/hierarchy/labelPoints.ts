import {NOISE} from '@epsball/clustering';
import type {HdbscanResult} from '../algorithm.ts';
import type {CheckedParams} from '../checkParams.ts';
import {lambdaOf, type Condensed} from './condense.ts';

/**
 * Labels, probabilities and outlier scores.
 *
 * @param isSelected  a flag for each cluster
 * @param params      the selection epsilon bounds the root, which has no birth: a member leaves its last cluster there
 *                    or below
 * @complexity        O(n)
 * @source            Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017
 */
export function labelPoints(
  condensed: Condensed,
  isSelected: Uint8Array,
  {hasSelectionEpsilon, selectionSquared}: CheckedParams,
): Pick<HdbscanResult, 'labels' | 'probabilities' | 'outlierScores' | 'clusterCount'> {
  const {parent, clusterOf, leavesSquared: leaves} = condensed;
  const n = clusterOf.length;
  const labels = new Int32Array(n);
  const probabilities = new Float64Array(n);
  const outlierScores = new Float64Array(n);
  // The selected cluster that contains each cluster, or −1.
  const within = new Int32Array(parent.length);
  parent.forEach((above, c) => {
    within[c] = isSelected[c] === 1 ? c : above < 0 ? NOISE : within[above];
  });
  const bound = isSelected[0] === 1 && hasSelectionEpsilon ? selectionSquared : Infinity;
  const numbers = new Int32Array(parent.length).fill(NOISE);
  const lambdaMax = Float64Array.from(condensed.deathSquared, lambdaOf);
  const deepest = Float64Array.from(lowestDeaths(condensed), lambdaOf);
  let clusterCount = 0;
  for (let i = 0; i < n; i++) {
    const lambda = lambdaOf(leaves[i]);
    const cluster = clusterOf[i];
    outlierScores[i] = outlierScore(lambda, deepest[cluster]);
    const owner = within[cluster];
    if (owner === NOISE || leaves[i] > bound) {
      labels[i] = NOISE;
      continue;
    }
    if (numbers[owner] === NOISE) numbers[owner] = clusterCount++;
    labels[i] = numbers[owner];
    probabilities[i] = probability(lambda, lambdaMax[owner]);
  }
  return {labels, probabilities, outlierScores, clusterCount};
}

/** The square of the deepest level at or below each cluster. */
function lowestDeaths({parent, deathSquared}: Condensed): Float64Array {
  const lowest = Float64Array.from(deathSquared);
  for (let c = lowest.length - 1; c > 0; c--) lowest[parent[c]] = Math.min(lowest[parent[c]], lowest[c]);
  return lowest;
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
