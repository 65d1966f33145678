import {NOISE} from '@epsball/clustering';
import type {CondensedTree, HdbscanSelection} from '../algorithm.ts';
import type {CheckedSelection, CheckedTree} from '../checkParams.ts';
import type {CondensedClusters} from './condense.ts';
import {lambdaOf} from './steps.ts';
import {gather, numberTree} from './numberTree.ts';
import {selectClusters} from './selectClusters.ts';

/** What points have of the cluster that they leave last, by cluster of the condensed tree. */
export interface ClusterTable {
  /** The number of the cluster in the result. */
  readonly number: Int32Array;
  /** The label of its points, or −1. */
  readonly label: Int32Array;
  /** Points that leave above this squared distance are noise. */
  readonly bound: number;
  /** The largest λ of the selected cluster around it. Without meaning if there is none. */
  readonly lambdaMax: Float64Array;
  /** The largest λ below it. */
  readonly deepest: Float64Array;
}

/** The clusters of a selection, without its points. */
export interface ChosenClusters extends Pick<HdbscanSelection, 'clusterCount'> {
  readonly tree: Omit<CondensedTree, 'clusterOf' | 'leavesSquared'>;
  readonly isRootSelected: boolean;
  readonly table: ClusterTable;
}

/**
 * Selects and numbers clusters of a condensed tree.
 *
 * @param smallest  the smallest point in each cluster, or of those that leave it last, or more than any
 * @param params    the selection epsilon bounds the root, which has no birth: a member leaves its last cluster there or
 *                  below
 * @complexity      O(clusters · log clusters)
 */
export function chooseClusters(
  condensed: CondensedClusters,
  smallest: Int32Array,
  params: CheckedTree & CheckedSelection & {readonly hasCores: boolean},
): ChosenClusters {
  const {hasCores, hasSelectionEpsilon, selectionSquared} = params;
  const {parent, deathSquared} = condensed;
  const isSelected = hasCores ? selectClusters(condensed, params) : new Uint8Array(parent.length);
  const bound = isSelected[0] === 1 && hasSelectionEpsilon ? selectionSquared : Infinity;
  // A bounded root is the only cluster, and may have no members: the first points leave at the lowest death.
  if (!(bound === Infinity || deathSquared.some((level) => level <= bound))) isSelected.fill(0);
  const {numberOf: number, clusters, ascending, ...numbered} = numberTree(condensed, smallest);
  const label = new Int32Array(parent.length).fill(NOISE);
  let clusterCount = 0;
  for (const c of ascending) if (isSelected[c] === 1) label[c] = clusterCount++;
  const within = selectedAround(condensed, isSelected);
  const lambdaMax = new Float64Array(parent.length);
  for (let c = 0; c < within.length; c++) {
    const owner = within[c];
    if (owner === NOISE) continue;
    label[c] = label[owner];
    lambdaMax[c] = lambdaOf(deathSquared[owner]);
  }
  return {
    clusterCount,
    tree: {...numbered, isSelected: gather(isSelected, clusters)},
    isRootSelected: isSelected[0] === 1,
    table: {number, label, bound, lambdaMax, deepest: lowestDeaths(condensed).map(lambdaOf)},
  };
}

/** The selected cluster that contains each cluster, or −1. */
export function selectedAround({parent}: Pick<CondensedClusters, 'parent'>, isSelected: Uint8Array): Int32Array {
  const within = new Int32Array(parent.length);
  for (let c = 0; c < parent.length; c++) {
    within[c] = isSelected[c] === 1 ? c : parent[c] < 0 ? NOISE : within[parent[c]];
  }
  return within;
}

/** The square of the deepest level at or below each cluster. */
function lowestDeaths({parent, deathSquared}: CondensedClusters): Float64Array {
  const lowest = Float64Array.from(deathSquared);
  for (let c = lowest.length - 1; c > 0; c--) if (lowest[c] < lowest[parent[c]]) lowest[parent[c]] = lowest[c];
  return lowest;
}
