import {limitOf, type Radius} from '@epsball/clustering';
import {rangeSearch, type RangeSearch} from '@epsball/spatial-grid';
import {CandidateQuery, type QuantileDirectory} from '@epsball/spatial-grid/quantile';
import type {RegionQuery} from './regionQuery.ts';

/**
 * Region queries with a directory by quantiles, in any dimension: the sequential counterpart of CUDA-DClust* (Böhm et
 * al. 2009, section 7: “uses the same index structure as CUDA-DClust for all experiments with index support”).
 */
export class DirectoryQuery implements RegionQuery {
  neighborTests = 0;
  readonly #coords: Float32Array | Float64Array;
  readonly #limit: number;
  readonly #candidates: CandidateQuery;
  readonly #ranges: Int32Array;
  readonly #searchRange: RangeSearch;

  constructor(directory: QuantileDirectory, radius: Radius) {
    this.#coords = directory.sortedCoords;
    this.#limit = limitOf(radius);
    this.#candidates = new CandidateQuery(directory, euclideanReach(radius, directory.dim));
    this.#ranges = new Int32Array(this.#candidates.rangesLength);
    this.#searchRange = rangeSearch(directory.dim, radius.metric);
  }

  neighbors(position: number, found: Int32Array): number {
    const ranges = this.#ranges;
    const last = 2 * this.#candidates.candidates(position, ranges);
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
