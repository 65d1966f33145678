import {squaredEps, type PointSet} from '@epsball/clustering';
import type {RegionQuery} from './regionQuery.ts';

/** Region queries without an index: every point is tested, in any dimension. Positions are original indices. */
export class LinearQuery implements RegionQuery {
  neighborTests = 0;
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #eps2: number;

  constructor({coords, dim}: PointSet, eps: number) {
    this.#coords = coords;
    this.#dim = dim;
    this.#eps2 = squaredEps(eps);
  }

  neighbors(position: number, found: Int32Array): number {
    const coords = this.#coords;
    const dim = this.#dim;
    const eps2 = this.#eps2;
    const length = coords.length;
    const center = position * dim;
    let count = 0;
    for (let at = 0, k = 0; at < length; at += dim, k++) {
      let sum = 0;
      // Stop early: rounded sums of squares never shrink, so one beyond eps² stays beyond.
      for (let d = 0; d < dim && sum <= eps2; d++) {
        const delta = coords[center + d] - coords[at + d];
        sum += delta * delta;
      }
      if (sum <= eps2) found[count++] = k;
    }
    this.neighborTests += length / dim;
    return count;
  }
}
