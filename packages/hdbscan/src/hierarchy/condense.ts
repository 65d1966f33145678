import type {CondensedTree} from '../algorithm.ts';
import type {RangeSums} from './rangeSums.ts';
import type {Steps} from './steps.ts';

/** Where points leave a condensed tree. */
export type Leavings = Pick<CondensedTree, 'clusterOf' | 'leavesSquared'>;
/** The clusters of a condensed tree, in any numbers with parents before children. */
export type CondensedClusters = Omit<CondensedTree, 'isSelected' | keyof Leavings>;
export type Condensed = CondensedClusters & Leavings;

const NONE = -1;
/** In the place of a cluster. */
const SEVERAL = -2;

/** λ of a squared distance. */
export function lambdaOf(squared: number): number {
  return 1 / Math.sqrt(squared);
}

/** What a hierarchy is condensed from. */
export interface EntryList {
  /** The point of each entry. */
  readonly order: Int32Array;
  /** What ranges of entries weigh. Absent: one point an entry. */
  readonly sums: RangeSums | undefined;
  readonly steps: Steps;
}

/**
 * Condenses a hierarchy. All edges of equal weight are one step, in which a component falls apart into all its parts. A
 * part of fewer than `minClusterSize` points leaves its cluster. Two or more parts of that size are new clusters.
 *
 * A step of `minClusterSize` points or more belongs to the cluster of the one step inside it that has as many, and
 * begins a cluster if none or several have. Points leave the cluster of the smallest step around them that has as many.
 *
 * An entry that weighs enough is joined with others before it can be a cluster, so it is none by itself, whatever it
 * weighs. If it is alone, it has an edge to itself, which goes at its core distance (Campello et al. 2013).
 *
 * @param list            of all entries; not modified
 * @param level           the squared distance at which all points leave if they are too few, or one
 * @param minClusterSize  ≥ 2
 * @returns               by point; owned by the caller
 * @complexity            O(n); 8 bytes an entry beyond the result
 * @source                Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(list: EntryList, level: number, minClusterSize: number): Condensed {
  const {order, sums} = list;
  const n = order.length;
  const total = sums === undefined ? n : sums.between(0, n);
  if (n < 2 || total < minClusterSize) return rootOnly(n, total, level);
  const clusters = clustersOf(list, minClusterSize);
  return {...clusters.tree, ...pointsOf(list, clusters)};
}

/** A root that all points leave at a level, and no other cluster. */
function rootOnly(n: number, total: number, level: number): Condensed {
  return {
    parent: Int32Array.of(NONE),
    birthSquared: Float64Array.of(Infinity),
    deathSquared: Float64Array.of(level),
    size: Float64Array.of(total),
    stability: Float64Array.of(total === 0 ? 0 : lambdaOf(level) * total),
    clusterOf: new Int32Array(n),
    leavesSquared: new Float64Array(n).fill(level),
  };
}

interface Clusters {
  readonly tree: CondensedClusters;
  /** The cluster of each step that has enough points, or −1. */
  readonly clusterAt: Int32Array;
}

/** Clusters are numbered from the last one that begins, the root, so parents come before children. */
function clustersOf({steps, sums}: EntryList, minClusterSize: number): Clusters {
  const {start, end, level, up} = steps;
  const pointsIn = (step: number): number =>
    sums === undefined ? end[step] - start[step] : sums.between(start[step], end[step]);
  /** The cluster inside each step, or that there is none or several. */
  const inside = new Int32Array(up.length).fill(NONE);
  const clusterAt = new Int32Array(up.length).fill(NONE);
  /** By cluster, in the order of their beginning: the first step and the last one. */
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let step = 0; step < up.length; step++) {
    if (pointsIn(step) < minClusterSize) continue;
    let cluster = inside[step];
    if (cluster < 0) cluster = firsts.push(step) - 1;
    lasts[cluster] = step;
    clusterAt[step] = cluster;
    const above = up[step];
    if (above !== NONE) inside[above] = inside[above] === NONE ? cluster : SEVERAL;
  }
  const root = firsts.length - 1;
  for (let step = 0; step < up.length; step++) {
    if (clusterAt[step] !== NONE) clusterAt[step] = root - clusterAt[step];
  }
  const last = Int32Array.from(lasts.toReversed());
  const above = last.map((step) => up[step]);
  const birthSquared = Float64Array.from(above, (step) => (step === NONE ? Infinity : level[step]));
  return {
    clusterAt,
    tree: {
      parent: above.map((step) => (step === NONE ? NONE : clusterAt[step])),
      birthSquared,
      deathSquared: Float64Array.from(firsts.toReversed(), (step) => level[step]),
      size: Float64Array.from(last, pointsIn),
      stability: stabilities({steps, sums}, clusterAt, birthSquared),
    },
  };
}

/** Sums of (λ − λ of the birth) · points that leave, over the levels of each cluster from its birth down. */
function stabilities(
  {steps: {start, end, level}, sums}: Pick<EntryList, 'steps' | 'sums'>,
  clusterAt: Int32Array,
  birthSquared: Float64Array,
): Float64Array {
  const lambdaOfBirth = birthSquared.map(lambdaOf);
  const stability = new Float64Array(birthSquared.length);
  /** The step of each cluster whose points are not counted yet. */
  const open = new Int32Array(birthSquared.length).fill(NONE);
  const count = (step: number, points: number): void => {
    const cluster = clusterAt[step];
    if (points > 0) stability[cluster] += (lambdaOf(level[step]) - lambdaOfBirth[cluster]) * points;
  };
  const joining = (outer: number, from: number, to: number): number =>
    sums === undefined ? end[outer] - start[outer] - (to - from) : sums.around(start[outer], end[outer], from, to);
  for (let step = clusterAt.length - 1; step >= 0; step--) {
    const cluster = clusterAt[step];
    if (cluster === NONE) continue;
    const outer = open[cluster];
    if (outer !== NONE) count(outer, joining(outer, start[step], end[step]));
    open[cluster] = step;
  }
  for (const step of open) count(step, joining(step, start[step], start[step]));
  return stability;
}

/** Where points leave: at the smallest step around them that belongs to a cluster. */
function pointsOf({order, steps}: EntryList, {clusterAt}: Clusters): Leavings {
  const {level, up, own} = steps;
  const leavesAt = new Int32Array(up.length);
  // The root comes last.
  for (let step = up.length - 1; step >= 0; step--)
    leavesAt[step] = clusterAt[step] === NONE ? leavesAt[up[step]] : step;
  const clusterOf = new Int32Array(order.length);
  const leavesSquared = new Float64Array(order.length);
  for (let k = 0; k < order.length; k++) {
    const step = leavesAt[own[k]];
    clusterOf[order[k]] = clusterAt[step];
    leavesSquared[order[k]] = level[step];
  }
  return {clusterOf, leavesSquared};
}
