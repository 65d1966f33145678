import type {PointSet} from '@epsball/clustering';
import {MAX_GRID_DIM, pointBounds} from '@epsball/spatial-grid';
import {reachOf} from './reach.ts';

/** Cell sides are this much longer than the reach. */
const SIDE_MARGIN = 2 ** -8;

/**
 * Cells per axis at most. Then a quotient (x − min) / side is off by less than 3 · 2^40 · 2^-53 < 2^-11. Two points
 * within reach have true quotients at most 1 / (1 + 2^-8) < 1 − 2^-9 apart, so their cells differ by at most one.
 */
const CELLS_MAX = 2 ** 40;

/** Bits for each mark, so that few marks share a bit by accident. */
const BITS_PER_MARK = 16;
const LOG2_BITS_MAX = 24;
const LOG2_BITS_MIN = 12;

/**
 * Marks on the cells of a grid of side ≥ eps, as bits of a hash table: a filter that rejects most points without a
 * marked point within eps, and never rejects a point with one.
 */
export class CellMarks {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #min: Float64Array;
  readonly #side: number;
  readonly #shift: number;
  readonly #cell: Float64Array;
  /** Undefined if cells are not exact enough, or too many around a point: then everything counts as marked. */
  readonly #bits: Uint32Array | undefined;

  /** @param markCount  expected number of marks */
  constructor(points: PointSet, eps: number, markCount: number) {
    const {coords, dim} = points;
    const {min, max} = pointBounds(points);
    this.#coords = coords;
    this.#dim = dim;
    this.#min = min;
    this.#side = reachOf(eps) * (1 + SIDE_MARGIN);
    this.#cell = new Float64Array(dim);
    const log2 = Math.ceil(Math.log2(markCount * BITS_PER_MARK + 1));
    const log2Bits = Math.min(Math.max(log2, LOG2_BITS_MIN), LOG2_BITS_MAX);
    this.#shift = 32 - log2Bits;
    const extent = max.reduce((longest, high, d) => Math.max(longest, high - min[d]), 0);
    if (dim <= MAX_GRID_DIM && extent / this.#side < CELLS_MAX) this.#bits = new Uint32Array(2 ** (log2Bits - 5));
  }

  mark(i: number): void {
    const bit = this.#bitOf(i);
    if (this.#bits !== undefined) this.#bits[bit >>> 5] |= 1 << (bit & 31);
  }

  /** Marks the cell of point i and the cells around it. */
  markAround(i: number): void {
    if (this.#bits === undefined) return;
    this.#locate(i);
    this.#visitAround(0, 0, (bits, bit) => {
      bits[bit >>> 5] |= 1 << (bit & 31);
      return false;
    });
  }

  /** Whether the cell of point i may be marked. */
  has(i: number): boolean {
    if (this.#bits === undefined) return true;
    const bit = this.#bitOf(i);
    return ((this.#bits[bit >>> 5] >>> (bit & 31)) & 1) === 1;
  }

  /** Whether the cell of point i or one around it may be marked. */
  hasAround(i: number): boolean {
    if (this.#bits === undefined) return true;
    this.#locate(i);
    return this.#visitAround(0, 0, (bits, bit) => ((bits[bit >>> 5] >>> (bit & 31)) & 1) === 1);
  }

  #bitOf(i: number): number {
    const dim = this.#dim;
    let hash = 0;
    for (let d = 0; d < dim; d++) hash = mix(hash, Math.floor((this.#coords[i * dim + d] - this.#min[d]) / this.#side));
    return hash >>> this.#shift;
  }

  #locate(i: number): void {
    for (let d = 0; d < this.#dim; d++) {
      this.#cell[d] = Math.floor((this.#coords[i * this.#dim + d] - this.#min[d]) / this.#side);
    }
  }

  /** Visits the 3^dim cells around the located one until `visit` returns true. */
  #visitAround(axis: number, hash: number, visit: (bits: Uint32Array, bit: number) => boolean): boolean {
    if (this.#bits === undefined) return true;
    if (axis === this.#dim) return visit(this.#bits, hash >>> this.#shift);
    for (let step = -1; step <= 1; step++) {
      if (this.#visitAround(axis + 1, mix(hash, this.#cell[axis] + step), visit)) return true;
    }
    return false;
  }
}

/** Multiplicative hashing of the low 32 bits, and of the bits above them. */
function mix(hash: number, cell: number): number {
  const high = cell < 2 ** 31 ? 0 : Math.floor(cell / 2 ** 32);
  const mixed = Math.imul(hash ^ (cell | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
