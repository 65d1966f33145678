import {squaredDistance, type PointSet} from '@epsball/clustering';
import type {HdbscanSelection} from '@epsball/hdbscan';

/** A departure from the definition, for mutants. */
export interface MembershipFlaw {
  /** Whether exemplars are those of the selected cluster itself, not of the leaves below it. */
  readonly ownExemplars?: boolean;
  /** Whether a point is with every other cluster until the root splits. */
  readonly mergesAtRoot?: boolean;
  /** Whether memberships sum to 1. */
  readonly sumsToOne?: boolean;
}

/** A departure from the rule for noise, for mutants. */
export interface NoiseFlaw {
  /** Whether the highest of equal memberships' clusters is taken. */
  readonly takesHighest?: boolean;
  /** Whether a membership of the least value is too small. */
  readonly excludesBound?: boolean;
  /** Whether members of clusters move, too. */
  readonly movesMembers?: boolean;
  /** Whether a membership of 0 gives a cluster. */
  readonly takesNone?: boolean;
}

/**
 * Labels with noise in the cluster of its largest membership.
 *
 * @param rows    memberships in all clusters, by point and label
 * @param within  the least membership
 */
export function assignedOracle(
  labels: Int32Array,
  rows: readonly (readonly number[])[],
  within: number,
  {takesHighest = false, excludesBound = false, movesMembers = false, takesNone = false}: NoiseFlaw = {},
): number[] {
  return rows.map((row, i) => {
    if (labels[i] >= 0 && !movesMembers) return labels[i];
    const most = Math.max(...row);
    const isEnough = (excludesBound ? most > within : most >= within) && (most > 0 || takesNone);
    if (row.length === 0 || !isEnough) return labels[i];
    return takesHighest ? row.lastIndexOf(most) : row.indexOf(most);
  });
}

/** Memberships in all clusters, by point and label, by the definition in docs/contract.md; `Math.exp` for exp. */
export function membershipOracle(
  {coords, dim}: PointSet,
  {labels, clusterCount, condensedTree: tree}: Pick<HdbscanSelection, 'labels' | 'clusterCount' | 'condensedTree'>,
  flaw: MembershipFlaw = {},
): number[][] {
  const exact = new Float64Array(coords);
  const lambda = (squared: number): number => 1 / Math.sqrt(squared);
  const above = (c: number): number[] => (c < 0 ? [] : [c, ...above(tree.parent[c])]);
  const selected = Array.from({length: clusterCount}, (_, label) => {
    const member = labels.indexOf(label);
    return above(tree.clusterOf[member]).find((c) => tree.isSelected[c] === 1) ?? -1;
  });
  const all = Array.from(labels.keys());
  const exemplars = selected.map((cluster) =>
    all.filter((i) => {
      const last = tree.clusterOf[i];
      const isLast = flaw.ownExemplars === true ? last === cluster : !tree.parent.includes(last);
      return isLast && above(last).includes(cluster) && tree.leavesSquared[i] === tree.deathSquared[last];
    }),
  );
  return all.map((i) => {
    const last = tree.clusterOf[i];
    const own = lambda(tree.leavesSquared[i]);
    const largest = lambda(tree.deathSquared[last]);
    const heights = selected.map((cluster) => {
      const common = above(last).find((c) => above(cluster).includes(c)) ?? 0;
      if (common === cluster || common === last) return own;
      return lambda(tree.deathSquared[flaw.mergesAtRoot === true ? 0 : common]);
    });
    const squares = exemplars.map((points) => Math.min(...points.map((j) => squaredDistance(exact, dim, i, j))));
    const scores = heights.map((height) => {
      if (height === largest) return Infinity;
      return largest === Infinity ? 1 : largest / (largest - height);
    });
    const most = Math.max(...scores);
    const factors = scores.map((score) => (score === most ? 1 : most === Infinity ? 0 : Math.exp(2 * (score - most))));
    const isAt = squares.includes(0);
    const weights = squares.map((squared, k) =>
      isAt ? Number(squared === 0) : factors[k] / Math.sqrt(Math.sqrt(squared)),
    );
    const sum = weights.toSorted((a, b) => a - b).reduce((total, weight) => total + weight, 0);
    if (sum === 0 || selected.length === 0) return weights.map(() => 0);
    const longest = Math.max(...heights);
    const shares = selected.map((cluster, k) => {
      const ofCluster = lambda(tree.deathSquared[cluster]);
      return heights[k] < longest ? 0 : longest >= ofCluster ? 1 : longest / ofCluster;
    });
    const share = flaw.sumsToOne === true ? 1 : Math.max(...shares);
    return weights.map((weight) => (weight / sum) * share);
  });
}
