import {NOISE} from '@epsball/clustering';
import type {NeighborQuery, UniformGrid} from '@epsball/spatial-grid';

/** What a point costs beside its distance tests, in distance tests. */
export const POINT_COST = 32;

/**
 * Expansion of the clusters, section 3.6 of the document: `findNextCore` picks the unassigned core point with the
 * smallest original index, `bfsExpand` claims what it reaches, level by level, with two frontiers that swap. The next
 * cluster starts only when the frontier is empty, so clusters come out numbered by their smallest core point, and a
 * border point holds its lowest label.
 *
 * Bytes a point: labels 4, frontiers 8.
 */
export class ClusterExpansion {
  clusterCount = 0;
  /** Levels of all clusters together. */
  levels = 0;
  /** Points of the widest level. */
  maxFrontier = 0;
  /** Core points expanded so far. */
  expanded = 0;
  /** Cluster of each position. NOISE is the document's NO_CLUSTER_LABEL. */
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
  /** No unassigned core point has a smaller original index. */
  #startIdx = 0;

  /**
   * @param query   of the grid
   * @param isCore  flags by position
   * @param found   n places, for the expansion to use
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
   * Works for about `tests` distance tests.
   *
   * @returns whether every cluster is complete
   */
  advance(tests: number): boolean {
    const stopAt = this.#cost() + tests;
    while (this.#cost() < stopAt) {
      if (this.#slot === this.#frontierSize && !this.#startLevel()) return true;
      this.#expandFrontier(stopAt);
    }
    return false;
  }

  /** Labels by original index; a new array. */
  labelsInOrder(): Int32Array {
    const {positionOf} = this.#grid;
    const labels = this.#labels;
    const ordered = new Int32Array(labels.length);
    for (let i = 0; i < ordered.length; i++) ordered[i] = labels[positionOf[i]];
    return ordered;
  }

  /** Swaps the frontiers, or starts a cluster where the next one is empty; false where no cluster is left. */
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

  /** Section 3.6.1: position of the unassigned core point with the smallest original index ≥ startIdx, or −1. */
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

  /** Section 3.6.2: claims the neighbours of the frontier's points, until its end or until the cost is reached. */
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

  /** Work so far, in distance tests. */
  #cost(): number {
    return this.#query.neighborTests + this.expanded * POINT_COST;
  }
}
