import type {CondensedTree} from '../algorithm.ts';
import type {LeafOrder} from './leafOrder.ts';

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
 * One pass over the list of the hierarchy, from the bottom up: a part is a cluster or fewer than `minClusterSize` loose
 * points. A step that joins parts to `minClusterSize` points or more begins a cluster if none or several of its parts
 * are clusters. Loose points leave the cluster that they join. Stabilities are summed afterwards, from the birth of
 * each cluster down.
 *
 * An entry of several points is joined with others before it can be a cluster, so it is none by itself, whatever it
 * weighs. If it is alone, it has an edge to itself, which goes at its core distance (Campello et al. 2013).
 *
 * @param list            of all points; not modified
 * @param startOf         the points before each entry, and all points behind the last. Absent: one point an entry
 * @param level           the squared distance at which all points leave if they are too few, or one
 * @param minClusterSize  ≥ 2
 * @returns               by entry of the list; owned by the caller
 * @complexity            O(n); 28 bytes an entry
 * @source                Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(
  {heights}: LeafOrder,
  startOf: Float64Array | undefined,
  level: number,
  minClusterSize: number,
): Condensed {
  const n = heights.length;
  const total = startOf === undefined ? n : startOf[n];
  if (n < 2 || total < minClusterSize) return rootOnly(n, total, level);
  const growing = new Growing(heights, startOf, minClusterSize);
  growing.read();
  return growing.finish();
}

/** A root that all points leave at a level, and no other cluster. */
function rootOnly(n: number, total: number, level: number): Condensed {
  return {
    parent: Int32Array.of(NONE),
    birthSquared: Float64Array.of(Infinity),
    deathSquared: Float64Array.of(level),
    size: Int32Array.of(total),
    stability: Float64Array.of(total === 0 ? 0 : lambdaOf(level) * total),
    clusterOf: new Int32Array(n),
    leavesSquared: new Float64Array(n).fill(level),
  };
}

/** Clusters while they grow, numbered by their beginning: children before parents. A cluster is a range of entries. */
class Growing {
  readonly #heights: Float64Array;
  readonly #startOf: Float64Array | undefined;
  readonly #minClusterSize: number;
  #count = 0;
  readonly #parent: Int32Array;
  readonly #birth: Float64Array;
  readonly #death: Float64Array;
  readonly #size: Float64Array;
  readonly #start: Int32Array;
  readonly #end: Int32Array;
  /** The child before this one in an open step. */
  readonly #before: Int32Array;
  readonly #clusterOf: Int32Array;
  readonly #leaves: Float64Array;
  /** Points that leave a cluster at a level, ascending for each cluster. */
  readonly #left: {readonly cluster: Int32Array; readonly level: Float64Array; readonly points: Float64Array};
  #lefts = 0;

  constructor(heights: Float64Array, startOf: Float64Array | undefined, minClusterSize: number) {
    const n = heights.length;
    const total = startOf === undefined ? n : startOf[n];
    // Every inner cluster has two children or more, so there are fewer of them than leaves.
    const clustersMax = 2 * Math.floor(total / minClusterSize);
    this.#heights = heights;
    this.#startOf = startOf;
    this.#minClusterSize = minClusterSize;
    this.#parent = new Int32Array(clustersMax).fill(NONE);
    this.#birth = new Float64Array(clustersMax).fill(Infinity);
    this.#death = new Float64Array(clustersMax);
    this.#size = new Float64Array(clustersMax);
    this.#start = new Int32Array(clustersMax);
    this.#end = new Int32Array(clustersMax);
    this.#before = new Int32Array(clustersMax);
    this.#clusterOf = new Int32Array(n);
    this.#leaves = new Float64Array(n);
    this.#left = {cluster: new Int32Array(n), level: new Float64Array(n), points: new Float64Array(n)};
  }

  /** Reads the list. A step is open while its level may have more parts: a stack of steps of falling levels. */
  read(): void {
    const heights = this.#heights;
    const startOf = this.#startOf;
    const least = this.#minClusterSize;
    const n = heights.length;
    const levels = new Float64Array(n);
    const starts = new Int32Array(n);
    const clusters = new Int32Array(n);
    let open = 0;
    for (let k = 1; k <= n; k++) {
      // At the end all steps close: no level is at least NaN.
      const height = k === n ? NaN : heights[k];
      // The part that ends here, first a single entry.
      let start = k - 1;
      let cluster = NONE;
      while (open > 0 && !(levels[open - 1] >= height)) {
        open--;
        start = starts[open];
        const last = cluster === NONE ? clusters[open] : this.#link(clusters[open], cluster);
        const points = startOf === undefined ? k - start : startOf[k] - startOf[start];
        // Most steps join a few loose points.
        cluster = last === NONE && points < least ? NONE : this.#close(start, k, last, levels[open], points);
      }
      if (k === n) return;
      if (open > 0 && levels[open - 1] === height) {
        if (cluster !== NONE) clusters[open - 1] = this.#link(clusters[open - 1], cluster);
      } else {
        levels[open] = height;
        starts[open] = start;
        clusters[open++] = cluster === NONE ? NONE : this.#link(NONE, cluster);
      }
    }
  }

  /** Adds a cluster to the clusters of a step. Returns it. */
  #link(last: number, cluster: number): number {
    this.#before[cluster] = last;
    return cluster;
  }

  /** Ends a step of [start, end), whose last cluster is `last`, or −1. Returns the cluster that it is now. */
  #close(start: number, end: number, last: number, level: number, points: number): number {
    if (last !== NONE && this.#before[last] === NONE) {
      const joining = this.#fill(start, this.#start[last], last, level) + this.#fill(this.#end[last], end, last, level);
      if (joining > 0) this.#leave(last, level, joining);
      this.#lay(last, start, end, points);
      return last;
    }
    const cluster = this.#count++;
    this.#death[cluster] = level;
    let to = end;
    for (let child = last; child !== NONE; child = this.#before[child]) {
      this.#parent[child] = cluster;
      this.#birth[child] = level;
      this.#fill(this.#end[child], to, cluster, level);
      to = this.#start[child];
    }
    this.#fill(start, to, cluster, level);
    this.#leave(cluster, level, points);
    this.#lay(cluster, start, end, points);
    return cluster;
  }

  #pointsIn(start: number, end: number): number {
    return this.#startOf === undefined ? end - start : this.#startOf[end] - this.#startOf[start];
  }

  /** Entries that leave a cluster at a level. Returns their points. */
  #fill(start: number, end: number, cluster: number, level: number): number {
    for (let k = start; k < end; k++) {
      this.#clusterOf[k] = cluster;
      this.#leaves[k] = level;
    }
    return this.#pointsIn(start, end);
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
      size: Int32Array.from(this.#size.subarray(0, count).toReversed()),
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
