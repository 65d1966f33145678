import type {CondensedTree} from '../algorithm.ts';
import {selectedAround} from '../hierarchy/chooseClusters.ts';

/** Lists by cluster: those of cluster c are from `start[c]` to `start[c + 1]`. */
export interface Exemplars {
  readonly start: Int32Array;
  /** Points, ascending in each list. */
  readonly points: Int32Array;
}

/** Selected clusters of a condensed tree, and where all clusters lie among them. */
export interface Selected {
  /** By label: the selected cluster. */
  readonly clusters: Int32Array;
  /** By cluster of the tree: the label of the selected cluster that holds it, or −1. */
  readonly labelOf: Int32Array;
}

/** @param labels  of the points; each label has a member */
export function selectedOf(tree: CondensedTree, labels: Int32Array): Selected {
  const {parent, isSelected, clusterOf} = tree;
  const owner = selectedAround(tree, isSelected);
  const count = labels.reduce((most, label) => Math.max(most, label), -1) + 1;
  const clusters = new Int32Array(count);
  const labelOfSelected = new Int32Array(parent.length).fill(-1);
  labels.forEach((label, i) => {
    if (label < 0) return;
    clusters[label] = owner[clusterOf[i]];
    labelOfSelected[clusters[label]] = label;
  });
  return {clusters, labelOf: owner.map((c) => (c < 0 ? -1 : labelOfSelected[c]))};
}

/**
 * The exemplars of selected clusters: the points of each leaf at or below a selected cluster that leave at its last
 * level.
 */
export function exemplarsOf(tree: CondensedTree, {clusters, labelOf}: Selected): Exemplars {
  const {parent, clusterOf, leavesSquared, deathSquared} = tree;
  const isInner = new Uint8Array(parent.length);
  for (const above of parent) if (above >= 0) isInner[above] = 1;
  const isExemplar = (i: number): boolean => {
    const c = clusterOf[i];
    return isInner[c] === 0 && labelOf[c] >= 0 && leavesSquared[i] === deathSquared[c];
  };
  const start = new Int32Array(clusters.length + 1);
  for (let i = 0; i < clusterOf.length; i++) if (isExemplar(i)) start[labelOf[clusterOf[i]] + 1]++;
  for (let label = 0; label < clusters.length; label++) start[label + 1] += start[label];
  const points = new Int32Array(start[clusters.length]);
  const next = start.slice();
  for (let i = 0; i < clusterOf.length; i++) if (isExemplar(i)) points[next[labelOf[clusterOf[i]]]++] = i;
  return {start, points};
}
