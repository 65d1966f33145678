import type {CondensedTree} from '../algorithm.ts';
import type {RangeSums} from './rangeSums.ts';
import {NO_POINT, type Steps} from './steps.ts';

/** The clusters of a condensed tree, in any numbers with parents before children. */
export type CondensedClusters = Omit<CondensedTree, 'isSelected' | 'clusterOf' | 'leavesSquared'>;

/** A condensed tree, with what its points have of the steps at which they leave. */
export interface Condensed {
  readonly clusters: CondensedClusters;
  /** By cluster: the smallest point that leaves it last; `NO_POINT` if none does. */
  readonly smallest: Int32Array;
  /** By step: the smallest step around it that belongs to a cluster. Points leave there whose smallest step it is. */
  readonly leavesAt: Int32Array;
  /** By step: that cluster. */
  readonly clusterAt: Int32Array;
}

const NONE = -1;
/** In the place of a cluster. */
const SEVERAL = -2;

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
 * Stabilities are sums of (λ − λ of the birth) · points that leave, from the birth of a cluster down.
 *
 * A step of `minClusterSize` points or more, and the last step whatever it has, belongs to the cluster of the one step
 * inside it that has as many, and begins a cluster if none or several have. Points leave the cluster of the smallest
 * step around them that belongs to one.
 *
 * Clusters are numbered from the last one that begins, the root, so parents come before children.
 *
 * An entry that weighs enough is joined with others before it can be a cluster, so it is none by itself, whatever it
 * weighs.
 *
 * @param list            of all entries; not modified
 * @param minClusterSize  ≥ 2
 * @returns               owned by the caller
 * @complexity            O(n); 8 bytes a step
 * @source                Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(list: EntryList, minClusterSize: number): Condensed {
  const {
    steps: {start, end, level, lambda, up, least},
    sums,
  } = list;
  const {clusterAt, inside, count} = clustersOf(list, minClusterSize);
  const parent = new Int32Array(count).fill(NONE);
  const birthSquared = new Float64Array(count).fill(Infinity);
  const deathSquared = new Float64Array(count);
  const size = new Float64Array(count);
  const stability = new Float64Array(count);
  const smallest = new Int32Array(count).fill(NO_POINT);
  const lambdaOfBirth = new Float64Array(count);
  /** By cluster: its step that was last met, whose own points are not counted yet. */
  const open = new Int32Array(count).fill(NONE);
  const leavesAt = inside;
  const leave = (cluster: number, step: number, points: number): void => {
    if (points > 0) stability[cluster] += (lambda[step] - lambdaOfBirth[cluster]) * points;
  };
  const joining = (outer: number, from: number, to: number): number =>
    sums === undefined ? end[outer] - start[outer] - (to - from) : sums.around(start[outer], end[outer], from, to);
  for (let step = clusterAt.length - 1; step >= 0; step--) {
    const above = up[step];
    let cluster = count - 1 - clusterAt[step];
    if (clusterAt[step] === NONE) {
      cluster = clusterAt[above];
      leavesAt[step] = leavesAt[above];
    } else {
      leavesAt[step] = step;
      const outer = open[cluster];
      open[cluster] = step;
      if (outer !== NONE) leave(cluster, outer, joining(outer, start[step], end[step]));
      else {
        size[cluster] = pointsIn(list, step);
        if (above !== NONE) {
          parent[cluster] = clusterAt[above];
          birthSquared[cluster] = level[above];
          lambdaOfBirth[cluster] = lambda[above];
        }
      }
    }
    clusterAt[step] = cluster;
    if (least[step] < smallest[cluster]) smallest[cluster] = least[step];
  }
  for (let cluster = 0; cluster < count; cluster++) {
    const step = open[cluster];
    deathSquared[cluster] = level[step];
    leave(cluster, step, joining(step, start[step], start[step]));
  }
  return {clusters: {parent, birthSquared, deathSquared, size, stability}, smallest, clusterAt, leavesAt};
}

function pointsIn({steps: {start, end}, sums}: EntryList, step: number): number {
  return sums === undefined ? end[step] - start[step] : sums.between(start[step], end[step]);
}

/** The cluster of each step, in the order of their beginning: the root is the last. */
function clustersOf(list: EntryList, minClusterSize: number) {
  const {up} = list.steps;
  /** The cluster inside each step, or that there is none or several. Read no more afterwards. */
  const inside = new Int32Array(up.length).fill(NONE);
  const clusterAt = new Int32Array(up.length).fill(NONE);
  let count = 0;
  for (let step = 0; step < up.length; step++) {
    const above = up[step];
    if (above !== NONE && pointsIn(list, step) < minClusterSize) continue;
    const cluster = inside[step] < 0 ? count++ : inside[step];
    clusterAt[step] = cluster;
    if (above !== NONE) inside[above] = inside[above] === NONE ? cluster : SEVERAL;
  }
  return {clusterAt, inside, count};
}
