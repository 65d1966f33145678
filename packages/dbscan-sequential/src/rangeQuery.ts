import {limitOf, type PointSet, type Radius} from '@epsball/clustering';
import {rangeSearch, type RangeSearch} from '@epsball/spatial-grid';
import {CandidateQuery, type QuantileDirectory} from '@epsball/spatial-grid/quantile';
import type {RegionQuery} from './regionQuery.ts';

/** Region queries in any dimension: tests the points in some ranges of positions, which hold all neighbours. */
export class RangeQuery implements RegionQuery {
  neighborTests = 0;
  readonly #coords: Float32Array | Float64Array;
  readonly #limit: number;
  readonly #searchRange: RangeSearch;
  readonly #ranges: Int32Array;
  /** Absent where `#ranges` are those of every position. */
  readonly #candidates: CandidateQuery | undefined;

  /**
   * Tests all points, by original index; or the candidates of a directory by quantiles: the sequential counterpart of
   * CUDA-DClust* (Böhm et al. 2009, section 7: “uses the same index structure as CUDA-DClust for all experiments with
   * index support”).
   */
  constructor({coords, dim}: PointSet, radius: Radius, directory?: QuantileDirectory) {
    this.#coords = directory?.sortedCoords ?? coords;
    this.#limit = limitOf(radius);
    this.#searchRange = rangeSearch(dim, radius.metric, radius.epsTime);
    this.#candidates = directory && new CandidateQuery(directory, euclideanReach(radius, dim));
    this.#ranges = Int32Array.of(0, coords.length / dim);
    if (this.#candidates) this.#ranges = new Int32Array(this.#candidates.rangesLength);
  }

  neighbors(position: number, found: Int32Array): number {
    const ranges = this.#ranges;
    const last = 2 * (this.#candidates?.candidates(position, ranges) ?? 1);
    let count = 0;
    for (let r = 0; r < last; r += 2) {
      const start = ranges[r];
      const end = ranges[r + 1];
      this.neighborTests += end - start;
      count = this.#searchRange(this.#coords, position, start, end, this.#limit, found, count);
    }
    return count;
  }
}

/**
 * A Euclidean distance that no pair of neighbours exceeds: √dim · eps for chebyshev. The margins cover rounding, also
 * of squares that vanish, for any dim below 2^12.
 */
function euclideanReach({eps, metric = 'euclidean'}: Radius, dim: number): number {
  if (metric === 'euclidean') return eps;
  return (eps + 2 ** -530) * (metric === 'chebyshev' ? Math.sqrt(dim) : 1) * (1 + 2 ** -40);
}
