import {filled, NOISE, WeightSum} from '@epsball/clustering';
import type {RegionQuery} from './regionQuery.ts';

/** Neither queried nor reached. */
const UNCLASSIFIED = NOISE - 1;

/** Overhead of a region query, in distance tests. */
const QUERY_COST = 32;

/** Maps between positions and original indices. The two arrays are inverse to each other. */
export interface PointPositions {
  /** Original index of each position. */
  readonly pointOrder: Int32Array;
  /** Position of each original index. */
  readonly positionOf: Int32Array;
}

/**
 * DBSCAN with a seed list: procedures DBSCAN and ExpandCluster of Ester et al. 1996, section 4.1.
 *
 * Points are scanned in the order of the input and keep the first cluster that reaches them. So clusters are numbered
 * by smallest core point, and a border point has its lowest adjacent label.
 *
 * Bytes a point: labels 4, seeds 4, found 4 (touched up to the size of the largest neighbourhood).
 */
export class SeedListDbscan {
  clusterCount = 0;
  /** n at the end. */
  regionQueries = 0;
  /** By original index. */
  readonly coreMask: Uint8Array;
  readonly #query: RegionQuery;
  readonly #minPts: number;
  readonly #weightSum: WeightSum | undefined;
  readonly #positions: PointPositions;
  /** By position. */
  readonly #labels: Int32Array;
  /**
   * Positions that the current cluster has reached and that are not queried yet. A stack: the neighbours of its top are
   * still in the cache. The labels do not depend on the order. A point enters at most once in a run, so n places are
   * enough.
   */
  readonly #seeds: Int32Array;
  readonly #found: Int32Array;
  #seedCount = 0;
  /** Next original index of the outer scan. */
  #next = 0;

  /**
   * @param positions     borrowed until the last call; n values each
   * @param sampleWeight  by original index. Default: 1 for each point
   */
  constructor(query: RegionQuery, positions: PointPositions, minPts: number, sampleWeight?: Float64Array) {
    const n = positions.pointOrder.length;
    this.#query = query;
    this.#minPts = minPts;
    this.#weightSum = sampleWeight && new WeightSum(byPosition(sampleWeight, positions), minPts);
    this.#positions = positions;
    this.#labels = new Int32Array(n).fill(UNCLASSIFIED);
    this.#seeds = new Int32Array(n);
    this.#found = new Int32Array(n);
    this.coreMask = new Uint8Array(n);
  }

  /**
   * Continues the clustering for about `tests` distance tests.
   *
   * @returns whether all points are classified
   */
  advance(tests: number): boolean {
    const {pointOrder, positionOf} = this.#positions;
    const {coreMask} = this;
    const query = this.#query;
    const minPts = this.#minPts;
    const weightSum = this.#weightSum;
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
      const isCore = weightSum === undefined ? count >= minPts : weightSum.isEnoughOf(found, count);
      if (!isCore) {
        // A seed that is not core is a border point and already has its label.
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
        // Noise has been queried, so it becomes a border point and not a seed.
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

function byPosition(weights: Float64Array, {pointOrder}: PointPositions): Float64Array {
  return filled(new Float64Array(pointOrder.length), (p) => weights[pointOrder[p]]);
}
