import type {CondensedTree} from '../algorithm.ts';
import {Partition, type Leaving} from './partition.ts';
import type {TreeEdges} from './sortEdges.ts';

/** The condensed tree, in any numbers of clusters with parents before children. */
export type Condensed = Omit<CondensedTree, 'isSelected'>;

/** What is condensed: positions with the points at each, and the edges between positions. */
export interface WeightedTree {
  /** n − 1 edges, or none, ascending. */
  readonly edges: TreeEdges;
  readonly core: Float64Array;
  /** Points at each position. Absent: one each. */
  readonly weights: Float64Array | undefined;
  readonly total: number;
}

/** Edges whose positions are read ahead. */
const TOUCHED = 64;

/** λ of a squared distance. */
export function lambdaOf(squared: number): number {
  return 1 / Math.sqrt(squared);
}

/**
 * Condenses the hierarchy of a spanning tree. All edges of equal weight are one step, in which a component falls apart
 * into all its parts. A part of fewer than `minClusterSize` points leaves its cluster. Two or more parts of that size
 * are new clusters.
 *
 * The steps are taken from the bottom up, so no tree of all components is built: a component is a cluster or fewer than
 * `minClusterSize` loose points. A step that joins parts to `minClusterSize` points or more begins a cluster if none or
 * several of its parts are clusters. Loose points leave the cluster that they join. Stabilities are summed afterwards,
 * from the birth of each cluster down.
 *
 * A position with several points is joined with others before it can be a cluster, so it is none by itself, whatever it
 * weighs.
 *
 * @param tree   not modified; without edges, a single position or no core distances
 * @returns      by position; owned by the caller
 * @complexity   O(n · α(n)); 36 bytes a position
 * @source       Campello, Moulavi and Sander 2013, section 3; McInnes and Healy 2017
 */
export function condense(tree: WeightedTree, minClusterSize: number): Condensed {
  const {from, to, squared} = tree.edges;
  // A position that is alone has an edge to itself, which goes at its core distance (Campello et al. 2013).
  if (squared.length === 0) return rootOnly(tree, tree.core.length === 1 ? tree.core[0] : Infinity);
  if (tree.total < minClusterSize) return rootOnly(tree, squared[squared.length - 1]);
  const growing = new Growing(tree, minClusterSize);
  const {partition} = growing;
  for (let first = 0, end = 0, touched = 0; first < squared.length; first = end) {
    if (first >= touched) {
      touched = Math.min(squared.length, first + TOUCHED);
      partition.touch(from, first, touched);
      partition.touch(to, first, touched);
    }
    const root = partition.unite(partition.findRoot(from[first]), partition.findRoot(to[first]));
    for (end = first + 1; end < squared.length && squared[end] === squared[first]; end++) {
      partition.unite(partition.findRoot(from[end]), partition.findRoot(to[end]));
    }
    if (end === first + 1) growing.settle(root, first);
    else for (let edge = first; edge < end; edge++) growing.settle(partition.findRoot(from[edge]), edge);
  }
  return growing.finish();
}

/** A root that all points leave at a level, and no other cluster. */
function rootOnly({core: {length: n}, total}: WeightedTree, level: number): Condensed {
  return {
    parent: Int32Array.of(-1),
    birthSquared: Float64Array.of(Infinity),
    deathSquared: Float64Array.of(level),
    size: Int32Array.of(total),
    stability: Float64Array.of(total === 0 ? 0 : lambdaOf(level) * total),
    clusterOf: new Int32Array(n),
    leavesSquared: new Float64Array(n).fill(level),
  };
}

/** Clusters while they grow, numbered by their beginning: children before parents. */
class Growing {
  readonly partition: Partition;
  readonly #minClusterSize: number;
  readonly #squared: Float64Array;
  #count = 0;
  readonly #parent: Int32Array;
  readonly #birth: Float64Array;
  readonly #death: Float64Array;
  /** Points of each cluster, as it has grown so far. */
  readonly #size: Int32Array;
  readonly #leaving: Leaving;
  /** For each edge whose step points leave a cluster at: the cluster and their number. 0 points: none. */
  readonly #leftCluster: Int32Array;
  readonly #leftPoints: Int32Array;

  constructor({edges: {squared}, core: {length: n}, weights, total}: WeightedTree, minClusterSize: number) {
    // Every inner cluster has two children or more, so there are fewer of them than leaves.
    const clustersMax = 2 * Math.floor(total / minClusterSize);
    this.partition = new Partition(n, clustersMax, weights);
    this.#minClusterSize = minClusterSize;
    this.#squared = squared;
    this.#parent = new Int32Array(clustersMax).fill(-1);
    this.#birth = new Float64Array(clustersMax).fill(Infinity);
    this.#death = new Float64Array(clustersMax);
    this.#size = new Int32Array(clustersMax);
    this.#leaving = {clusterOf: new Int32Array(n), leavesSquared: new Float64Array(n)};
    this.#leftCluster = new Int32Array(squared.length);
    this.#leftPoints = new Int32Array(squared.length);
  }

  /** Makes one cluster of a component that a step has joined; does nothing the second time. */
  settle(root: number, edge: number): void {
    const {partition} = this;
    const size = partition.sizeOf(root);
    if (size < this.#minClusterSize) return;
    const first = partition.clusterOf(root);
    const isAlone = first >= 0 && partition.nextCluster(first) === first;
    if (isAlone && this.#size[first] === size) return;
    const level = this.#squared[edge];
    const cluster = isAlone ? first : this.#begin(first, level);
    this.#leftCluster[edge] = cluster;
    this.#leftPoints[edge] = isAlone ? size - this.#size[cluster] : size;
    this.#size[cluster] = size;
    partition.become(root, cluster, level, this.#leaving);
  }

  /** Begins a cluster, the parent of all clusters in a ring. @param first  one of them, or −1 */
  #begin(first: number, level: number): number {
    const cluster = this.#count++;
    this.#death[cluster] = level;
    for (let child = first; child >= 0;) {
      this.#parent[child] = cluster;
      this.#birth[child] = level;
      child = this.partition.nextCluster(child);
      if (child === first) break;
    }
    return cluster;
  }

  finish(): Condensed {
    const count = this.#count;
    // The root began last.
    const last = count - 1;
    const parent = this.#parent.subarray(0, count).toReversed();
    for (let c = 1; c < count; c++) parent[c] = last - parent[c];
    const {clusterOf} = this.#leaving;
    for (let p = 0; p < clusterOf.length; p++) clusterOf[p] = last - clusterOf[p];
    return {
      ...this.#leaving,
      parent,
      birthSquared: this.#birth.subarray(0, count).toReversed(),
      deathSquared: this.#death.subarray(0, count).toReversed(),
      size: this.#size.subarray(0, count).toReversed(),
      stability: this.#stabilities().toReversed(),
    };
  }

  /** Sums of (λ − λ of the birth) · points that leave, over the levels of each cluster from its birth down. */
  #stabilities(): Float64Array {
    const lambdaOfBirth = Float64Array.from(this.#birth.subarray(0, this.#count), lambdaOf);
    const stability = new Float64Array(this.#count);
    const squared = this.#squared;
    for (let edge = squared.length - 1; edge >= 0; edge--) {
      const points = this.#leftPoints[edge];
      if (points === 0) continue;
      const cluster = this.#leftCluster[edge];
      stability[cluster] += (lambdaOf(squared[edge]) - lambdaOfBirth[cluster]) * points;
    }
    return stability;
  }
}
