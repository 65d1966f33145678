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

/** Bits per cell that is marked, so that few bits are shared by accident. */
const BITS_PER_CELL = 16;
const LOG2_BITS_MAX = 27;
const LOG2_BITS_MIN = 10;

/** A filter: rejects most of the points that have none of a few chosen points within eps. Never rejects a neighbour. */
export class NearbyCells {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #min: Float64Array;
  readonly #side: number;
  readonly #shift: number;
  /** Undefined if cells are not exact enough, or too many: then every point may be near. */
  readonly #bits: Uint32Array | undefined;

  constructor(points: PointSet, eps: number, chosen: Int32Array) {
    const {coords, dim} = points;
    this.#coords = coords;
    this.#dim = dim;
    const {min, max} = pointBounds(points);
    this.#min = min;
    const extent = max.reduce((longest, high, d) => Math.max(longest, high - min[d]), 0);
    this.#side = reachOf(eps) * (1 + SIDE_MARGIN);
    const marks = chosen.length * 3 ** Math.min(dim, MAX_GRID_DIM) * BITS_PER_CELL;
    const log2 = Math.min(Math.max(Math.ceil(Math.log2(marks + 1)), LOG2_BITS_MIN), LOG2_BITS_MAX);
    this.#shift = 32 - log2;
    if (dim > MAX_GRID_DIM || !(extent / this.#side < CELLS_MAX)) return;
    this.#bits = new Uint32Array(2 ** (log2 - 5));
    const cell = new Float64Array(dim);
    for (const i of chosen) {
      for (let d = 0; d < dim; d++) cell[d] = this.#cellOnAxis(i, d);
      this.#markAround(cell, 0, 0);
    }
  }

  /** False only if point i has none of the chosen points within eps. */
  mayBeNear(i: number): boolean {
    if (this.#bits === undefined) return true;
    let hash = 0;
    for (let d = 0; d < this.#dim; d++) hash = mix(hash, this.#cellOnAxis(i, d));
    const bit = hash >>> this.#shift;
    return ((this.#bits[bit >>> 5] >>> (bit & 31)) & 1) === 1;
  }

  #cellOnAxis(i: number, d: number): number {
    return Math.floor((this.#coords[i * this.#dim + d] - this.#min[d]) / this.#side);
  }

  /** Marks the 3^dim cells around a cell. */
  #markAround(cell: Float64Array, axis: number, hash: number): void {
    if (axis === this.#dim) {
      const bit = hash >>> this.#shift;
      if (this.#bits !== undefined) this.#bits[bit >>> 5] |= 1 << (bit & 31);
      return;
    }
    for (let step = -1; step <= 1; step++) this.#markAround(cell, axis + 1, mix(hash, cell[axis] + step));
  }
}

/** Multiplicative hashing of the low 32 bits, and of the bits above them. */
function mix(hash: number, cell: number): number {
  const high = Math.floor(cell / 2 ** 32);
  const mixed = Math.imul(hash ^ (cell | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}
