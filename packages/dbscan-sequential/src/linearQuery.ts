import {limitOf, type PointSet, type Radius} from '@epsball/clustering';
import {rangeSearch, type RangeSearch} from '@epsball/spatial-grid';
import type {RegionQuery} from './regionQuery.ts';

/** Region queries without an index, in any dimension: tests all points. Positions are original indices. */
export class LinearQuery implements RegionQuery {
  neighborTests = 0;
  readonly #coords: Float32Array | Float64Array;
  readonly #n: number;
  readonly #limit: number;
  readonly #searchRange: RangeSearch;

  constructor({coords, dim}: PointSet, radius: Radius) {
    this.#coords = coords;
    this.#n = coords.length / dim;
    this.#limit = limitOf(radius);
    this.#searchRange = rangeSearch(dim, radius.metric);
  }

  neighbors(position: number, found: Int32Array): number {
    const n = this.#n;
    this.neighborTests += n;
    return this.#searchRange(this.#coords, position, 0, n, this.#limit, found, 0);
  }
}
