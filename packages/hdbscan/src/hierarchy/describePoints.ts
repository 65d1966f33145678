import {NOISE} from '@epsball/clustering';
import type {CondensedTree, HdbscanSelection} from '../algorithm.ts';
import type {CheckedSelection} from '../checkParams.ts';
import {lambdaOf, type Condensed} from './condense.ts';
import type {NumberedClusters} from './numberTree.ts';

export type DescribedPoints = Pick<HdbscanSelection, 'labels' | 'probabilities' | 'outlierScores' | 'clusterCount'> &
  Pick<CondensedTree, 'clusterOf' | 'leavesSquared'>;

/**
 * What a selection says of each point: label, probability and outlier score, and where it leaves the condensed tree.
 *
 * @param isSelected  a flag for each cluster
 * @param numbered    the number of each cluster in the result, and clusters by their smallest point
 * @param params      the selection epsilon bounds the root, which has no birth: a member leaves its last cluster there
 *                    or below
 * @returns           it takes over the arrays of `condensed`, which change
 * @complexity        O(n)
 * @source            Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017
 */
export function describePoints(
  condensed: Condensed,
  isSelected: Uint8Array,
  {numberOf, ascending}: Pick<NumberedClusters, 'numberOf' | 'ascending'>,
  {hasSelectionEpsilon, selectionSquared}: CheckedSelection,
): DescribedPoints {
  const n = condensed.clusterOf.length;
  const within = selectedAround(condensed, isSelected);
  const bound = isSelected[0] === 1 && hasSelectionEpsilon ? selectionSquared : Infinity;
  const numbers = new Int32Array(isSelected.length);
  let clusterCount = 0;
  // A bounded root is the only cluster, and may have no members.
  const isEmpty = bound < Infinity && !condensed.leavesSquared.some((level) => level <= bound);
  if (!isEmpty) for (const c of ascending) if (isSelected[c] === 1) numbers[c] = clusterCount++;
  const lambdaMax = condensed.deathSquared.map(lambdaOf);
  const deepest = lowestDeaths(condensed).map(lambdaOf);
  const labels = new Int32Array(n);
  const probabilities = new Float64Array(n);
  const outlierScores = new Float64Array(n);
  const {clusterOf, leavesSquared} = condensed;
  for (let i = 0; i < n; i++) {
    const cluster = clusterOf[i];
    const level = leavesSquared[i];
    const lambda = lambdaOf(level);
    const owner = within[cluster];
    const isMember = owner !== NOISE && level <= bound;
    labels[i] = isMember ? numbers[owner] : NOISE;
    probabilities[i] = isMember ? probability(lambda, lambdaMax[owner]) : 0;
    outlierScores[i] = outlierScore(lambda, deepest[cluster]);
    clusterOf[i] = numberOf[cluster];
  }
  return {labels, probabilities, outlierScores, clusterCount, clusterOf, leavesSquared};
}

/** The selected cluster that contains each cluster, or −1. */
export function selectedAround({parent}: Pick<Condensed, 'parent'>, isSelected: Uint8Array): Int32Array {
  const within = new Int32Array(parent.length);
  parent.forEach((above, c) => {
    within[c] = isSelected[c] === 1 ? c : above < 0 ? NOISE : within[above];
  });
  return within;
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
