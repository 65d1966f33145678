import {NOISE} from '@epsball/clustering';
import type {RegionQuery} from './regionQuery.ts';

/** Not queried and not reached yet. */
const UNCLASSIFIED = NOISE - 1;

/** What a region query costs beside its distance tests, in distance tests. */
const QUERY_COST = 32;

/** Where the points of a region query lie in the input. The two arrays are inverse to each other. */
export interface PointPositions {
  /** Original index of each position. */
  readonly pointOrder: Int32Array;
  /** Position of each original index. */
  readonly positionOf: Int32Array;
}

/**
 * DBSCAN with a seed list: procedures DBSCAN and ExpandCluster of Ester et al. 1996, section 4.1.
 *
 * Points are scanned in the input's order and keep the first cluster that reaches them: clusters come out numbered
 * by their smallest core point, and a border point holds its lowest label.
 *
 * Bytes a point: labels 4, seeds 4, found 4 (touched up to the largest neighbourhood only).
 */
export class SeedListDbscan {
  clusterCount = 0;
  /** One a point at the end. */
  regionQueries = 0;
  /** By original index. */
  readonly coreMask: Uint8Array;
  readonly #query: RegionQuery;
  readonly #minPts: number;
  readonly #positions: PointPositions;
  /** By position. */
  readonly #labels: Int32Array;
  /**
   * Positions that the current cluster has reached and that are to be queried. Last in, first out, because its
   * neighbours are still in the cache; the labels do not depend on it. A point enters once in a run: n places suffice.
   */
  readonly #seeds: Int32Array;
  readonly #found: Int32Array;
  #seedCount = 0;
  /** Next original index of the outer scan. */
  #next = 0;

  /** @param positions  borrowed until the last call; n values each */
  constructor(query: RegionQuery, positions: PointPositions, minPts: number) {
    const n = positions.pointOrder.length;
    this.#query = query;
    this.#minPts = minPts;
    this.#positions = positions;
    this.#labels = new Int32Array(n).fill(UNCLASSIFIED);
    this.#seeds = new Int32Array(n);
    this.#found = new Int32Array(n);
    this.coreMask = new Uint8Array(n);
  }

  /**
   * Works for about `tests` distance tests.
   *
   * @returns whether all points are classified
   */
  advance(tests: number): boolean {
    const {pointOrder, positionOf} = this.#positions;
    const {coreMask} = this;
    const query = this.#query;
    const minPts = this.#minPts;
    const labels = this.#labels;
    const seeds = this.#seeds;
    const found = this.#found;
    const n = labels.length;
    const stopAt = query.neighborTests + tests;
    let cluster = this.clusterCount - 1;
    let seedCount = this.#seedCount;
    let next = this.#next;
    let queries = 0;
    while (query.neighborTests + queries * QUERY_COST < stopAt) {
      let position: number;
      const isSeed = seedCount > 0;
      if (isSeed) {
        position = seeds[--seedCount];
      } else {
        while (next < n && labels[positionOf[next]] !== UNCLASSIFIED) next++;
        if (next === n) break;
        position = positionOf[next++];
      }
      const count = query.neighbors(position, found);
      queries++;
      if (count < minPts) {
        // A seed that is no core point is a border point and has its label already.
        if (!isSeed) labels[position] = NOISE;
        continue;
      }
      coreMask[pointOrder[position]] = 1;
      if (!isSeed) labels[position] = ++cluster;
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        const label = labels[neighbor];
        if (label > NOISE) continue;
        labels[neighbor] = cluster;
        // Noise has been queried: it is a border point, not a seed.
        if (label === UNCLASSIFIED) seeds[seedCount++] = neighbor;
      }
    }
    this.clusterCount = cluster + 1;
    this.regionQueries += queries;
    this.#seedCount = seedCount;
    this.#next = next;
    return seedCount === 0 && next === n;
  }

  /** Labels by original index; a new array. */
  labelsInOrder(): Int32Array {
    const {positionOf} = this.#positions;
    const labels = this.#labels;
    const ordered = new Int32Array(labels.length);
    for (let i = 0; i < ordered.length; i++) ordered[i] = labels[positionOf[i]];
    return ordered;
  }
}
