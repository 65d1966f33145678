import {NOISE} from '@epsball/clustering';
import type {CondensedTree, HdbscanSelection} from '../algorithm.ts';
import type {CheckedSelection} from '../checkParams.ts';
import {bySmallest, smallestPoints} from './bySmallest.ts';
import {lambdaOf, type Condensed} from './condense.ts';
import type {NumberedClusters} from './numberTree.ts';

export type DescribedPoints = Pick<HdbscanSelection, 'labels' | 'probabilities' | 'outlierScores' | 'clusterCount'> &
  Pick<CondensedTree, 'clusterOf' | 'leavesSquared'>;

/**
 * What a selection says of each point: label, probability and outlier score, and where it leaves the condensed tree.
 *
 * @param isSelected  a flag for each cluster
 * @param numbered    the number of each cluster in the result, and its smallest point
 * @param params      the selection epsilon bounds the root, which has no birth: a member leaves its last cluster there
 *                    or below
 * @returns           it takes over the arrays of `condensed`, which change
 * @complexity        O(n)
 * @source            Campello, Moulavi, Zimek and Sander 2015 (GLOSH); McInnes and Healy 2017
 */
export function describePoints(
  condensed: Condensed,
  isSelected: Uint8Array,
  {numberOf, smallest}: Pick<NumberedClusters, 'numberOf' | 'smallest'>,
  {hasSelectionEpsilon, selectionSquared}: CheckedSelection,
): DescribedPoints {
  const n = condensed.clusterOf.length;
  const within = selectedAround(condensed, isSelected);
  const bound = isSelected[0] === 1 && hasSelectionEpsilon ? selectionSquared : Infinity;
  const members = bound < Infinity ? boundedMembers(condensed, bound) : smallest;
  const {numbers, clusterCount} = numberClusters(isSelected, members, n);
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

/** The smallest member of a selected root that is bounded, and no other cluster. */
function boundedMembers({parent, leavesSquared}: Condensed, bound: number): Int32Array {
  return smallestPoints(parent.length, leavesSquared.length, (i) => (leavesSquared[i] <= bound ? 0 : NOISE));
}

/** Numbers the selected clusters that have members, by their smallest one. */
function numberClusters(
  isSelected: Uint8Array,
  smallest: Int32Array,
  n: number,
): {readonly numbers: Int32Array; readonly clusterCount: number} {
  const numbers = new Int32Array(smallest.length);
  let clusterCount = 0;
  for (const c of bySmallest(smallest)) if (isSelected[c] === 1 && smallest[c] < n) numbers[c] = clusterCount++;
  return {numbers, clusterCount};
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
