import type {HdbscanFlaw, OracleEdge} from './definition.ts';
import {exactSum} from './exactSum.ts';

/** A cluster of the condensed tree. */
export interface OracleCluster {
  readonly parent: OracleCluster | undefined;
  /** The squared distance of the level at which the cluster separates from its parent; infinite for the root. */
  readonly birth: number;
  /** All places at its birth. */
  readonly members: readonly number[];
  /** Points at these places, or the sum of their weights. */
  readonly size: number;
  /** The places that leave it without entering a child, each with the squared distance of the level. */
  readonly leaving: {readonly point: number; readonly squared: number}[];
  /** The levels at which points leave, children's points included, from the birth down, and their number or weight. */
  readonly levels: {readonly squared: number; readonly count: number}[];
  /** The squared distance of its last level; infinite without a level. */
  death: number;
}

interface Part {
  readonly cluster: OracleCluster;
  readonly members: readonly number[];
  readonly edges: readonly OracleEdge[];
}

/** The condensed tree, parents before children. @param weights  those of the points at each place */
export function condense(
  weights: readonly (readonly number[])[],
  tree: readonly OracleEdge[],
  minClusterSize: number,
  flaw: HdbscanFlaw,
): OracleCluster[] {
  const {sum = exactSum} = flaw;
  const sizeOf = (members: readonly number[]): number => sum(members.flatMap((place) => weights[place]));
  const newCluster = (parent: OracleCluster | undefined, birth: number, members: readonly number[]): OracleCluster => ({
    parent,
    birth,
    members,
    size: sizeOf(members),
    leaving: [],
    levels: [],
    death: Infinity,
  });
  // A part of one place is no cluster, whatever it weighs.
  const isCluster = ({members}: Part): boolean =>
    sizeOf(members) >= minClusterSize && (members.length > 1 || flaw.singlesAreClusters === true);
  const root = newCluster(
    undefined,
    Infinity,
    weights.map((_, i) => i),
  );
  const clusters = [root];
  const pending: Part[] = tree.length === 0 ? [] : [{cluster: root, members: root.members, edges: tree}];
  if (tree.length === 0) for (const point of root.members) root.leaving.push({point, squared: Infinity});
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const {cluster} = part;
    const {squared, parts} = fallApart(part, flaw);
    // Without its self-edge, a place is in no part.
    const large = parts.filter((next) => next.edges.length > 0 && isCluster(next));
    const isSplit = large.length >= 2;
    const left: number[] = [];
    for (const next of parts) {
      const isLarge = large.includes(next);
      if (isLarge && isSplit) {
        const child = newCluster(cluster, squared, next.members);
        clusters.push(child);
        left.push(...next.members);
        pending.push({...next, cluster: child});
      } else if (isLarge || (flaw.keepsSmallParts === true && next.members.length > 1 && !isSplit)) {
        pending.push(next);
      } else {
        left.push(...next.members);
        for (const point of next.members) cluster.leaving.push({point, squared});
      }
    }
    const count = flaw.countsLeavingPoints === true ? left.length : sizeOf(left);
    if (count > 0 || flaw.keepsEmptyLevels === true) cluster.levels.push({squared, count});
    cluster.death = Math.min(cluster.death, squared);
  }
  for (const {levels} of clusters) levels.sort((a, b) => b.squared - a.squared);
  return clusters;
}

/** λ of a squared distance. */
export function lambdaOf(squared: number): number {
  return 1 / Math.sqrt(squared);
}

/** A cluster and all below it. */
export function subtree(clusters: readonly OracleCluster[], top: OracleCluster): OracleCluster[] {
  return [top, ...clusters.filter(({parent}) => parent === top).flatMap((child) => subtree(clusters, child))];
}

/** Removes all edges of the highest level from a component. */
function fallApart(
  {cluster, members, edges}: Part,
  {splitsInTwo = false}: HdbscanFlaw,
): {squared: number; parts: Part[]} {
  const squared = edges.reduce((most, edge) => Math.max(most, edge.squared), 0);
  const last = edges.findLastIndex((edge) => edge.squared === squared);
  const kept = edges.filter((edge, k) => (splitsInTwo ? k !== last : edge.squared < squared));
  const edgesOf = new Map<number, OracleEdge[]>(members.map((point) => [point, []]));
  for (const edge of kept) {
    edgesOf.get(edge.a)?.push(edge);
    edgesOf.get(edge.b)?.push(edge);
  }
  const seen = new Set<number>();
  const parts: Part[] = [];
  for (const start of members) {
    if (seen.has(start)) continue;
    seen.add(start);
    const reached = [start];
    const inside = new Set<OracleEdge>();
    for (let k = 0; k < reached.length; k++) {
      for (const edge of edgesOf.get(reached[k]) ?? []) {
        inside.add(edge);
        const other = edge.a === reached[k] ? edge.b : edge.a;
        if (!seen.has(other)) reached.push(other);
        seen.add(other);
      }
    }
    parts.push({cluster, members: reached, edges: [...inside]});
  }
  return {squared, parts};
}
