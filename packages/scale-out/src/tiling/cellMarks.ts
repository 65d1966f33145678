import type {PointSet} from '@epsball/clustering';
import {MAX_GRID_DIM, type PointBounds} from '@epsball/spatial-grid';
import {reachOf} from './reach.ts';

/** Cell sides are this much longer than the reach. */
const SIDE_MARGIN = 2 ** -8;

/**
 * Cells per axis at most. Then (x − min) · (1 / side) is off by less than 4 · 2^30 · 2^-53 < 2^-20. Two points within
 * reach have true quotients at most 1 / (1 + 2^-8) < 1 − 2^-9 apart, so their cells differ by at most one. Cells and
 * their neighbours are 32-bit integers.
 */
const CELLS_MAX = 2 ** 30;

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
  /** 1 / side. */
  readonly #inverse: number;
  readonly #shift: number;
  /** Hashes of the cells around a point. */
  readonly #around: Int32Array;
  /** Undefined if cells are not exact enough, or too many around a point: then everything counts as marked. */
  readonly #bits: Uint32Array | undefined;

  /** @param markCount  expected number of marks */
  constructor({coords, dim}: PointSet, {min, max}: PointBounds, eps: number, markCount: number) {
    this.#coords = coords;
    this.#dim = dim;
    this.#min = min;
    const side = reachOf(eps) * (1 + SIDE_MARGIN);
    this.#inverse = 1 / side;
    const log2 = Math.ceil(Math.log2(markCount * BITS_PER_MARK + 1));
    const log2Bits = Math.min(Math.max(log2, LOG2_BITS_MIN), LOG2_BITS_MAX);
    this.#shift = 32 - log2Bits;
    const extent = max.reduce((longest, high, d) => Math.max(longest, high - min[d]), 0);
    const isExact = dim <= MAX_GRID_DIM && extent / side < CELLS_MAX && Number.isFinite(this.#inverse);
    this.#around = new Int32Array(isExact ? 3 ** dim : 0);
    if (isExact) this.#bits = new Uint32Array(2 ** (log2Bits - 5));
  }

  mark(i: number): void {
    if (this.#bits === undefined) return;
    const bit = this.#bitOf(i);
    this.#bits[bit >>> 5] |= 1 << (bit & 31);
  }

  /** Marks the cell of point i and the cells around it. */
  markAround(i: number): void {
    const bits = this.#bits;
    if (bits === undefined) return;
    this.#hashAround(i);
    for (const hash of this.#around) {
      const bit = hash >>> this.#shift;
      bits[bit >>> 5] |= 1 << (bit & 31);
    }
  }

  /** Whether the cell of point i may be marked. */
  has(i: number): boolean {
    if (this.#bits === undefined) return true;
    const bit = this.#bitOf(i);
    return ((this.#bits[bit >>> 5] >>> (bit & 31)) & 1) === 1;
  }

  /** Whether the cell of point i or one around it may be marked. */
  hasAround(i: number): boolean {
    const bits = this.#bits;
    if (bits === undefined) return true;
    this.#hashAround(i);
    for (const hash of this.#around) {
      const bit = hash >>> this.#shift;
      if (((bits[bit >>> 5] >>> (bit & 31)) & 1) === 1) return true;
    }
    return false;
  }

  #bitOf(i: number): number {
    const dim = this.#dim;
    let hash = 0;
    for (let d = 0, k = i * dim; d < dim; d++, k++) hash = mix(hash, this.#cellOf(k, d));
    return hash >>> this.#shift;
  }

  /** The cell of coordinate k on axis d: the product is ≥ 0, so truncation rounds it down. */
  #cellOf(k: number, d: number): number {
    return ((this.#coords[k] - this.#min[d]) * this.#inverse) | 0;
  }

  /** Hashes the 3^dim cells around a point: axis by axis, each hash becomes three. */
  #hashAround(i: number): void {
    const around = this.#around;
    const dim = this.#dim;
    around[0] = 0;
    for (let d = 0, length = 1; d < dim; d++, length *= 3) {
      const cell = this.#cellOf(i * dim + d, d);
      // Downwards: the three new hashes of h overwrite none that is still to be read.
      for (let h = length - 1; h >= 0; h--) {
        const hash = around[h];
        for (let step = -1; step <= 1; step++) around[3 * h + 1 + step] = mix(hash, cell + step);
      }
    }
  }
}

/** Multiplicative hashing. */
function mix(hash: number, cell: number): number {
  const mixed = Math.imul(hash ^ cell, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
