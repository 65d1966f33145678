import {NOISE} from '@epsball/clustering';
import type {NeighborQuery, UniformGrid} from '@epsball/spatial-grid';

/** Cost of a point besides its distance tests, in distance tests. */
export const POINT_COST = 32;

/**
 * Expands the clusters (section 3.6 of the paper). `findNextCore` finds the unassigned core point with the smallest
 * original index. `bfsExpand` claims the points reachable from it, level by level, with two frontiers that swap. The
 * next cluster starts when the frontier is empty. So clusters are numbered by their smallest core point, and a border
 * point gets its lowest label.
 *
 * Bytes per point: labels 4, frontiers 8.
 */
export class ClusterExpansion {
  clusterCount = 0;
  /** Number of levels of all clusters. */
  levels = 0;
  /** Number of points of the widest level. */
  maxFrontier = 0;
  /** Core points expanded so far. */
  expanded = 0;
  /** Cluster of each position. NOISE is the paper's NO_CLUSTER_LABEL. */
  readonly #labels: Int32Array;
  readonly #grid: UniformGrid;
  readonly #query: NeighborQuery;
  readonly #isCore: Uint8Array;
  readonly #found: Int32Array;
  /** Core positions of the current level, and of the next one. */
  #frontier: Int32Array;
  #nextFrontier: Int32Array;
  #frontierSize = 0;
  #nextSize = 0;
  /** The next slot of the frontier to expand. */
  #slot = 0;
  /** All unassigned core points have an original index ≥ this one. */
  #startIdx = 0;

  /**
   * @param query   a query on `grid`
   * @param isCore  flags by position
   * @param found   scratch memory of n elements
   */
  constructor(grid: UniformGrid, query: NeighborQuery, isCore: Uint8Array, found: Int32Array) {
    this.#grid = grid;
    this.#query = query;
    this.#isCore = isCore;
    this.#found = found;
    this.#labels = new Int32Array(grid.n).fill(NOISE);
    this.#frontier = new Int32Array(grid.n);
    this.#nextFrontier = new Int32Array(grid.n);
  }

  /**
   * Continues for about `tests` distance tests.
   *
   * @returns  whether all clusters are complete
   */
  advance(tests: number): boolean {
    const stopAt = this.#cost() + tests;
    while (this.#cost() < stopAt) {
      if (this.#slot === this.#frontierSize && !this.#startLevel()) return true;
      this.#expandFrontier(stopAt);
    }
    return false;
  }

  /** Returns the labels by original index, in a new array. */
  labelsInOrder(): Int32Array {
    const {positionOf} = this.#grid;
    const labels = this.#labels;
    const ordered = new Int32Array(labels.length);
    for (let i = 0; i < ordered.length; i++) ordered[i] = labels[positionOf[i]];
    return ordered;
  }

  /** Swaps the frontiers. If the next frontier is empty, starts a cluster; returns false if none is left. */
  #startLevel(): boolean {
    [this.#frontier, this.#nextFrontier] = [this.#nextFrontier, this.#frontier];
    this.#frontierSize = this.#nextSize;
    this.#nextSize = 0;
    this.#slot = 0;
    if (this.#frontierSize === 0) {
      const root = this.#findNextCore();
      if (root < 0) return false;
      this.#labels[root] = this.clusterCount++;
      this.#frontier[0] = root;
      this.#frontierSize = 1;
    }
    this.levels++;
    this.maxFrontier = Math.max(this.maxFrontier, this.#frontierSize);
    return true;
  }

  /**
   * Section 3.6.1: returns the position of the unassigned core point with the smallest original index ≥ startIdx, or
   * −1.
   */
  #findNextCore(): number {
    const {positionOf} = this.#grid;
    const labels = this.#labels;
    const isCore = this.#isCore;
    for (let i = this.#startIdx; i < positionOf.length; i++) {
      const position = positionOf[i];
      if (isCore[position] === 1 && labels[position] === NOISE) {
        this.#startIdx = i + 1;
        return position;
      }
    }
    this.#startIdx = positionOf.length;
    return -1;
  }

  /**
   * Section 3.6.2: claims the neighbours of the frontier's points, up to the end of the frontier or the cost `stopAt`.
   */
  #expandFrontier(stopAt: number): void {
    const query = this.#query;
    const labels = this.#labels;
    const isCore = this.#isCore;
    const frontier = this.#frontier;
    const nextFrontier = this.#nextFrontier;
    const found = this.#found;
    const cluster = this.clusterCount - 1;
    const size = this.#frontierSize;
    let slot = this.#slot;
    let nextSize = this.#nextSize;
    while (slot < size && this.#cost() < stopAt) {
      const count = query.neighbors(frontier[slot++], found);
      this.expanded++;
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        if (labels[neighbor] !== NOISE) continue;
        labels[neighbor] = cluster;
        if (isCore[neighbor] === 1) nextFrontier[nextSize++] = neighbor;
      }
    }
    this.#nextSize = nextSize;
    this.#slot = slot;
  }

  /** Cost so far, in distance tests. */
  #cost(): number {
    return this.#query.neighborTests + this.expanded * POINT_COST;
  }
}
