import {withRoom} from './arrays.ts';
import {GAP_ERROR, type CellGeometry} from './cellGeometry.ts';
import {HashTable, mix} from './hashTable.ts';

/** Odd numbers for the axes; the hash of a cell is linear in its key before it is mixed. */
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f];

/** The occupied cells by key. What a cell holds is by its number, in arrays of the owner. */
export class Cells {
  /** Numbers of cells are below this. */
  end = 0;
  /** The cells that the last call of a `collect` method found, near ones first. */
  readonly near: Int32Array;
  readonly geometry: CellGeometry;
  keys: Float64Array = new Float64Array(0);
  readonly #table: HashTable;
  readonly #offsetHashes: Int32Array;
  /** By axis and offset on it: squared gap between a point and cells at this offset, in sides. */
  readonly #gaps: Float64Array;
  readonly #reach: number;
  readonly #base: Float64Array;
  readonly #free: number[] = [];

  constructor(geometry: CellGeometry) {
    const {dim, offsets} = geometry;
    this.geometry = geometry;
    this.near = new Int32Array(offsets.length / dim);
    this.#offsetHashes = this.near.map((_, k) => linearHash(offsets, k * dim, dim));
    this.#reach = Math.max(...offsets);
    this.#gaps = new Float64Array(dim * (2 * this.#reach + 1));
    this.#base = new Float64Array(dim);
    this.#table = new HashTable((cell) => mix(linearHash(this.keys, cell * dim, dim)));
  }

  reserve(more: number): void {
    this.#table.reserve(more);
  }

  /** The cell of the point at `coords[at]`, made if there is none. */
  cellOf(coords: Float64Array, at: number): number {
    const {dim} = this.geometry;
    this.#setBase(coords, at);
    const found = this.#find(linearHash(this.#base, 0, dim), 0, 0);
    if (found >= 0) return found;
    const cell = this.#free.pop() ?? this.end++;
    this.keys = withRoom(this.keys, this.end * dim);
    this.keys.set(this.#base, cell * dim);
    this.#table.add(cell);
    return cell;
  }

  /** Forgets an empty cell. Its number may be used again. */
  remove(cell: number): void {
    this.#table.remove(cell);
    this.#free.push(cell);
  }

  /**
   * Finds the cells, but its own, that may have neighbours of a point.
   *
   * @returns     their number; they are in `near`
   * @complexity  O(1): at most 2, 24, 124 and 848 look-ups in 1 to 4 dimensions
   */
  collectNear(coords: Float64Array, at: number): number {
    const {geometry, near} = this;
    const {dim, offsets, invSide, limitInSides} = geometry;
    const width = 2 * this.#reach + 1;
    this.#setBase(coords, at);
    for (let d = 0; d < dim; d++) {
      const inside = coords[at + d] * invSide - this.#base[d];
      for (let k = -this.#reach; k <= this.#reach; k++) {
        const gap = Math.max(0, (k > 0 ? k - inside : k < 0 ? inside - k - 1 : 0) - GAP_ERROR);
        this.#gaps[d * width + k + this.#reach] = gap * gap;
      }
    }
    const hash = linearHash(this.#base, 0, dim);
    let found = 0;
    for (let o = 0; o < near.length; o++) {
      let gap = 0;
      for (let d = 0; d < dim; d++) gap += this.#gaps[d * width + offsets[o * dim + d] + this.#reach];
      if (gap > limitInSides) continue;
      const cell = this.#find((hash + this.#offsetHashes[o]) | 0, o, 1);
      if (cell >= 0) near[found++] = cell;
    }
    return found;
  }

  /** Finds the other cells that may have neighbours of points of a cell; as `collectNear`. */
  collectAround(cell: number): number {
    const {geometry, near} = this;
    const {dim} = geometry;
    for (let d = 0; d < dim; d++) this.#base[d] = this.keys[cell * dim + d];
    const hash = linearHash(this.#base, 0, dim);
    let found = 0;
    for (let o = 0; o < near.length; o++) {
      const other = this.#find((hash + this.#offsetHashes[o]) | 0, o, 1);
      if (other >= 0) near[found++] = other;
    }
    return found;
  }

  /** Lower bound of the squared distance of a point and the points of a cell, in sides. */
  gap(coords: Float64Array, at: number, cell: number): number {
    const {dim, invSide} = this.geometry;
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const inside = coords[at + d] * invSide - this.keys[cell * dim + d];
      const gap = (inside < 0 ? -inside : inside - 1) - GAP_ERROR;
      if (gap > 0) sum += gap * gap;
    }
    return sum;
  }

  #setBase(coords: Float64Array, at: number): void {
    const {dim, invSide} = this.geometry;
    for (let d = 0; d < dim; d++) this.#base[d] = Math.floor(coords[at + d] * invSide);
  }

  /** The cell at an offset from the base; with `factor` 0 the base itself. −1 if it is empty. */
  #find(hash: number, offset: number, factor: 0 | 1): number {
    const {dim, offsets} = this.geometry;
    const {entries, mask} = this.#table;
    for (let k = mix(hash) & mask; entries[k] !== 0; k = (k + 1) & mask) {
      const cell = entries[k] - 1;
      let d = 0;
      while (d < dim && this.keys[cell * dim + d] === this.#base[d] + factor * offsets[offset * dim + d]) d++;
      if (d === dim) return cell;
    }
    return -1;
  }
}

function linearHash(key: ArrayLike<number>, at: number, dim: number): number {
  let sum = 0;
  // `imul` takes a number modulo 2^32, which keeps sums of keys and offsets linear.
  for (let d = 0; d < dim; d++) sum = (sum + Math.imul(key[at + d], PRIMES[d])) | 0;
  return sum;
}
