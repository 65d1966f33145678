import type {CondensedTree} from '../algorithm.ts';
import type {RangeSums} from './rangeSums.ts';
import type {Steps} from './steps.ts';

/** The clusters of a condensed tree, in any numbers with parents before children. */
export type CondensedClusters = Omit<CondensedTree, 'isSelected' | 'clusterOf' | 'leavesSquared'>;

/**
 * A condensed tree, and the steps that belong to its clusters: those of `minClusterSize` points or more, and the last
 * one. Points leave at the smallest of them around them.
 */
export interface Condensed {
  readonly clusters: CondensedClusters;
  readonly minClusterSize: number;
  /** By cluster: the smallest point in it. */
  readonly smallest: Int32Array;
  /** By cluster: the step at which it ends, from the top down. */
  readonly bottom: Int32Array;
  /** By cluster: the step that is all of it. */
  readonly top: Int32Array;
}

const NONE = -1;

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
 * inside it that has as many, and begins a cluster if none or several have.
 *
 * Clusters are numbered from the last one that begins, the root, so parents come before children.
 *
 * An entry that weighs enough is joined with others before it can be a cluster, so it is none by itself, whatever it
 * weighs.
 *
 * @param list            of all entries; not modified
 * @param minClusterSize  ≥ 2
 * @returns               owned by the caller
 * @complexity            O(n)
 * @source                Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(list: EntryList, minClusterSize: number): Condensed {
  const {level, lambda, least} = list.steps;
  const {parent, bottom, top} = clustersOf(list, minClusterSize);
  const count = parent.length;
  const birthSquared = new Float64Array(count).fill(Infinity);
  const deathSquared = new Float64Array(count);
  const size = new Float64Array(count);
  const stability = new Float64Array(count);
  const smallest = new Int32Array(count);
  for (let cluster = 0; cluster < count; cluster++) {
    const above = parent[cluster];
    if (above !== NONE) birthSquared[cluster] = level[bottom[above]];
    const lambdaOfBirth = above === NONE ? 0 : lambda[bottom[above]];
    deathSquared[cluster] = level[bottom[cluster]];
    size[cluster] = pointsIn(list, top[cluster]);
    smallest[cluster] = least[top[cluster]];
    stability[cluster] = stabilityOf(list, minClusterSize, bottom[cluster], top[cluster], lambdaOfBirth);
  }
  const clusters = {parent, birthSquared, deathSquared, size, stability};
  return {clusters, smallest, minClusterSize, bottom, top};
}

/** The sum over the steps of a cluster, from the top down. */
function stabilityOf(
  list: EntryList,
  minClusterSize: number,
  bottom: number,
  top: number,
  lambdaOfBirth: number,
): number {
  const {
    steps: {start, end, lambda},
    sums,
  } = list;
  let sum = 0;
  let outer = top;
  let points = pointsIn(list, outer);
  for (let step = top - 1; step >= bottom; step--) {
    const within = pointsIn(list, step);
    if (within < minClusterSize) continue;
    const leaving =
      sums === undefined ? points - within : sums.around(start[outer], end[outer], start[step], end[step]);
    if (leaving > 0) sum += (lambda[outer] - lambdaOfBirth) * leaving;
    outer = step;
    points = within;
  }
  return points > 0 ? sum + (lambda[outer] - lambdaOfBirth) * points : sum;
}

export function pointsIn({steps: {start, end}, sums}: EntryList, step: number): number {
  return sums === undefined ? end[step] - start[step] : sums.between(start[step], end[step]);
}

/**
 * The clusters. No step between two neighbouring ones of a cluster belongs to another: what leaves there is too small.
 */
function clustersOf(list: EntryList, minClusterSize: number) {
  const {start} = list.steps;
  const last = start.length - 1;
  /** By cluster, in the order of their beginning. */
  const bottoms: number[] = [];
  const tops: number[] = [];
  const above: number[] = [];
  /** Clusters that no other is around yet, and where their ranges start. These are apart, of two entries or more. */
  const open = new Int32Array((list.order.length >> 1) + 3);
  const starts = new Int32Array(open.length);
  starts[0] = starts[1] = -1;
  let depth = 1;
  for (let step = 0; step <= last; step++) {
    if (step < last && pointsIn(list, step) < minClusterSize) continue;
    const from = start[step];
    // Unless one is inside, which goes on.
    if (starts[depth] < from || starts[depth - 1] >= from) {
      const cluster = above.push(NONE) - 1;
      bottoms.push(step);
      tops.push(step);
      for (; starts[depth] >= from; depth--) above[open[depth]] = cluster;
      open[++depth] = cluster;
    }
    starts[depth] = from;
    tops[open[depth]] = step;
  }
  const root = above.length - 1;
  const parent = Int32Array.from(above.toReversed(), (cluster) => (cluster === NONE ? NONE : root - cluster));
  return {parent, bottom: Int32Array.from(bottoms.toReversed()), top: Int32Array.from(tops.toReversed())};
}
