import type {CondensedTree} from '../algorithm.ts';
import type {RangeSums} from './rangeSums.ts';
import type {Steps} from './steps.ts';

/** The condensed tree, in any numbers of clusters with parents before children, and any order of the points. */
export type Condensed = Omit<CondensedTree, 'isSelected'>;

const NONE = -1;

/** λ of a squared distance. */
export function lambdaOf(squared: number): number {
  return 1 / Math.sqrt(squared);
}

/**
 * Condenses a hierarchy. All edges of equal weight are one step, in which a component falls apart into all its parts. A
 * part of fewer than `minClusterSize` points leaves its cluster. Two or more parts of that size are new clusters.
 *
 * One pass over the steps, from the bottom up: a part is a cluster or fewer than `minClusterSize` loose points. A step
 * that joins parts to `minClusterSize` points or more begins a cluster if none or several of its parts are clusters.
 * Loose points leave the cluster that they join. Stabilities are summed afterwards, from the birth of each cluster
 * down.
 *
 * An entry that weighs enough is joined with others before it can be a cluster, so it is none by itself, whatever it
 * weighs. If it is alone, it has an edge to itself, which goes at its core distance (Campello et al. 2013).
 *
 * @param n               entries
 * @param steps           of all entries; not modified
 * @param sums            what ranges of entries weigh. Absent: one point an entry
 * @param level           the squared distance at which all points leave if they are too few, or one
 * @param minClusterSize  ≥ 2
 * @returns               by entry of the list; owned by the caller
 * @complexity            O(n); 28 bytes an entry
 * @source                Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(
  n: number,
  steps: Steps,
  sums: RangeSums | undefined,
  level: number,
  minClusterSize: number,
): Condensed {
  const total = sums === undefined ? n : sums.between(0, n);
  if (n < 2 || total < minClusterSize) return rootOnly(n, total, level);
  const growing = new Growing(n, sums, minClusterSize);
  growing.read(steps);
  return growing.finish();
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

/** Clusters while they grow, numbered by their beginning: children before parents. A cluster is a range of entries. */
class Growing {
  readonly #sums: RangeSums | undefined;
  readonly #minClusterSize: number;
  #count = 0;
  readonly #parent: Int32Array;
  readonly #birth: Float64Array;
  readonly #death: Float64Array;
  readonly #size: Float64Array;
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  /** Clusters without a parent, in the order of their ranges. */
  readonly #open: Int32Array;
  readonly #clusterOf: Int32Array;
  readonly #leaves: Float64Array;
  /** Points that leave a cluster at a level, ascending for each cluster. */
  readonly #left: {readonly cluster: Int32Array; readonly level: Float64Array; readonly points: Float64Array};
  #lefts = 0;

  constructor(n: number, sums: RangeSums | undefined, minClusterSize: number) {
    const total = sums === undefined ? n : sums.between(0, n);
    // Every inner cluster has two children or more, so there are fewer of them than leaves. A leaf has two entries or
    // more. Rounded up, it may weigh less than the minimum, but all leaves together miss less than one.
    const clustersMax = 2 * Math.min(Math.floor(n / 2), Math.floor(total / minClusterSize) + 1);
    this.#sums = sums;
    this.#minClusterSize = minClusterSize;
    this.#parent = new Int32Array(clustersMax).fill(NONE);
    this.#birth = new Float64Array(clustersMax).fill(Infinity);
    this.#death = new Float64Array(clustersMax);
    this.#size = new Float64Array(clustersMax);
    this.#start = new Int32Array(clustersMax);
    this.#end = new Int32Array(clustersMax);
    this.#open = new Int32Array(clustersMax);
    this.#clusterOf = new Int32Array(n);
    this.#leaves = new Float64Array(n);
    this.#left = {cluster: new Int32Array(n), level: new Float64Array(n), points: new Float64Array(n)};
  }

  read({start, end, level}: Steps): void {
    const sums = this.#sums;
    const least = this.#minClusterSize;
    const starts = this.#start;
    const open = this.#open;
    let opened = 0;
    for (let step = 0; step < start.length; step++) {
      const from = start[step];
      const to = end[step];
      const points = sums === undefined ? to - from : sums.between(from, to);
      if (points < least) continue;
      // The clusters inside the step were the last to begin or to grow.
      let first = opened;
      while (first > 0 && starts[open[first - 1]] >= from) first--;
      const cluster =
        opened === first + 1
          ? this.#extend(open[first], from, to, level[step], points)
          : this.#begin(open.subarray(first, opened), from, to, level[step], points);
      open[first] = cluster;
      opened = first + 1;
    }
  }

  /** A cluster that loose points join. Returns it. */
  #extend(cluster: number, start: number, end: number, level: number, points: number): number {
    this.#fill(start, this.#start[cluster], cluster, level);
    this.#fill(this.#end[cluster], end, cluster, level);
    const joining =
      this.#sums === undefined
        ? points - this.#size[cluster]
        : this.#sums.around(start, end, this.#start[cluster], this.#end[cluster]);
    if (joining > 0) this.#leave(cluster, level, joining);
    this.#lay(cluster, start, end, points);
    return cluster;
  }

  /** A new cluster of loose points, and of children in the order of their ranges. Returns it. */
  #begin(children: Int32Array, start: number, end: number, level: number, points: number): number {
    const cluster = this.#count++;
    this.#death[cluster] = level;
    let from = start;
    for (const child of children) {
      this.#parent[child] = cluster;
      this.#birth[child] = level;
      this.#fill(from, this.#start[child], cluster, level);
      from = this.#end[child];
    }
    this.#fill(from, end, cluster, level);
    this.#leave(cluster, level, points);
    this.#lay(cluster, start, end, points);
    return cluster;
  }

  /** Entries that leave a cluster at a level. */
  #fill(start: number, end: number, cluster: number, level: number): void {
    for (let k = start; k < end; k++) {
      this.#clusterOf[k] = cluster;
      this.#leaves[k] = level;
    }
  }

  #leave(cluster: number, level: number, points: number): void {
    this.#left.cluster[this.#lefts] = cluster;
    this.#left.level[this.#lefts] = level;
    this.#left.points[this.#lefts++] = points;
  }

  #lay(cluster: number, start: number, end: number, points: number): void {
    this.#start[cluster] = start;
    this.#end[cluster] = end;
    this.#size[cluster] = points;
  }

  finish(): Condensed {
    const count = this.#count;
    // The root began last.
    const last = count - 1;
    const parent = this.#parent.subarray(0, count).toReversed();
    for (let c = 1; c < count; c++) parent[c] = last - parent[c];
    const clusterOf = this.#clusterOf;
    for (let k = 0; k < clusterOf.length; k++) clusterOf[k] = last - clusterOf[k];
    return {
      parent,
      birthSquared: this.#birth.subarray(0, count).toReversed(),
      deathSquared: this.#death.subarray(0, count).toReversed(),
      size: this.#size.subarray(0, count).toReversed(),
      stability: this.#stabilities().toReversed(),
      clusterOf,
      leavesSquared: this.#leaves,
    };
  }

  /** Sums of (λ − λ of the birth) · points that leave, over the levels of each cluster from its birth down. */
  #stabilities(): Float64Array {
    const lambdaOfBirth = Float64Array.from(this.#birth.subarray(0, this.#count), lambdaOf);
    const stability = new Float64Array(this.#count);
    const {cluster, level, points} = this.#left;
    for (let k = this.#lefts - 1; k >= 0; k--) {
      stability[cluster[k]] += (lambdaOf(level[k]) - lambdaOfBirth[cluster[k]]) * points[k];
    }
    return stability;
  }
}
