import {EPS_MIN} from './boxes.ts';

/** Directions tried before the answer is "unknown". */
const DIRECTIONS = 5;

/** Relative rounding errors of eps², of lengths and of the gap are far below this margin. */
const MARGIN = 1 + 2 ** -40;

/**
 * Shows that two lists of points are farther apart than eps, by a slab of that width between them.
 *
 * Looks for the direction of the slab with steps of Frank and Wolfe (1956) towards the shortest vector between the
 * convex hulls. Coordinates count from one of the points, so that an offset costs no digits.
 *
 * The projection of x is a sum of dim products v·(x − base) with at most dim + 1 roundings each. Its error is below
 * (dim + 2) · 2^-53 · T, where T is the sum over the axes of |v| times the largest |x − base|. The gap of two
 * projections must exceed its threshold by twice that. T matters in cells that are far wider than eps. It is infinite
 * wherever a projection may be.
 */
export class SlabSearch {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #eps: number;
  /** The vector from the first side to the second, a point of the difference of the hulls. */
  readonly #vector: Float64Array;
  readonly #base: Float64Array;
  /** By axis: the largest distance of a point from the base. */
  readonly #reach: Float64Array;

  constructor(coords: Float32Array | Float64Array, dim: number, eps: number) {
    this.#coords = coords;
    this.#dim = dim;
    this.#eps = eps;
    this.#vector = new Float64Array(dim);
    this.#base = new Float64Array(dim);
    this.#reach = new Float64Array(dim);
  }

  /**
   * Whether a slab was found between the points [start, end) of list a and [from, to) of list b. False is no answer.
   */
  areApart(a: Int32Array, start: number, end: number, b: Int32Array, from: number, to: number): boolean {
    if (this.#eps < EPS_MIN) return false;
    const coords = this.#coords;
    const dim = this.#dim;
    const vector = this.#vector;
    for (let d = 0; d < dim; d++) {
      this.#base[d] = coords[a[start] * dim + d];
      vector[d] = coords[b[(from + to) >>> 1] * dim + d] - coords[a[(start + end) >>> 1] * dim + d];
    }
    this.#reach.fill(0);
    this.#extend(a, start, end);
    this.#extend(b, from, to);
    for (let step = 0; step < DIRECTIONS; step++) {
      const length = this.#length();
      // The vector is a difference of points of the hulls.
      if (!(length > this.#eps)) return false;
      const last = this.#extreme(a, start, end, 1);
      const first = this.#extreme(b, from, to, -1);
      const gap = this.#project(first) - this.#project(last);
      if (gap > this.#eps * length * MARGIN + this.#error()) return true;
      // The hulls come closer than eps, or the direction is not the best one.
      if (!this.#step(last, first)) return false;
    }
    return false;
  }

  #extend(points: Int32Array, start: number, end: number): void {
    const dim = this.#dim;
    for (let k = start; k < end; k++) {
      for (let d = 0; d < dim; d++) {
        const distance = Math.abs(this.#coords[points[k] * dim + d] - this.#base[d]);
        if (distance > this.#reach[d]) this.#reach[d] = distance;
      }
    }
  }

  #length(): number {
    let squared = 0;
    for (let d = 0; d < this.#dim; d++) squared += this.#vector[d] * this.#vector[d];
    return Math.sqrt(squared);
  }

  #error(): number {
    let sum = 0;
    for (let d = 0; d < this.#dim; d++) sum += Math.abs(this.#vector[d]) * this.#reach[d];
    return (this.#dim + 2) * 2 ** -52 * sum;
  }

  #extreme(points: Int32Array, start: number, end: number, sign: number): number {
    let best = points[start];
    let highest = Number.NEGATIVE_INFINITY;
    for (let k = start; k < end; k++) {
      const value = sign * this.#project(points[k]);
      if (value <= highest) continue;
      highest = value;
      best = points[k];
    }
    return best;
  }

  #project(position: number): number {
    const dim = this.#dim;
    let sum = 0;
    for (let d = 0; d < dim; d++) sum += this.#vector[d] * (this.#coords[position * dim + d] - this.#base[d]);
    return sum;
  }

  /** Moves the vector towards the difference of two points, to the shortest one on the way. */
  #step(last: number, first: number): boolean {
    const coords = this.#coords;
    const dim = this.#dim;
    const vector = this.#vector;
    let along = 0;
    let across = 0;
    for (let d = 0; d < dim; d++) {
      const change = coords[first * dim + d] - coords[last * dim + d] - vector[d];
      along -= change * vector[d];
      across += change * change;
    }
    if (!(along > 0) || !(across > 0)) return false;
    const share = Math.min(1, along / across);
    for (let d = 0; d < dim; d++) {
      vector[d] += share * (coords[first * dim + d] - coords[last * dim + d] - vector[d]);
    }
    return true;
  }
}
