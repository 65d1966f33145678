/** A hash table of positions: points of equal coordinates share one. −0 equals 0. */
export class DistinctPositions {
  readonly #coords: ArrayLike<number>;
  readonly #dim: number;
  /** 1 + the number of a position; 0: free. Open addressing, at most half full. */
  readonly #table: Int32Array;
  readonly #points: Int32Array;
  readonly #word = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#word.buffer);
  #count = 0;

  constructor(coords: ArrayLike<number>, dim: number) {
    const n = coords.length / dim;
    this.#coords = coords;
    this.#dim = dim;
    this.#table = new Int32Array(2 ** Math.ceil(Math.log2(2 * n + 2)));
    this.#points = new Int32Array(n);
  }

  /** Number of positions so far. They are numbered in the order in which they were added. */
  get count(): number {
    return this.#count;
  }

  /** The number of point i's position; a new one if no point was there before. At most n points are added. */
  add(i: number): number {
    const slot = this.#slotOf(this.#coords, i * this.#dim);
    if (this.#table[slot] === 0) {
      this.#points[this.#count] = i;
      this.#table[slot] = ++this.#count;
    }
    return this.#table[slot] - 1;
  }

  /** The number of the position at `from` of other coordinates; −1 if no added point is there. */
  find(coords: ArrayLike<number>, from: number): number {
    return this.#table[this.#slotOf(coords, from)] - 1;
  }

  pointAt(position: number): number {
    return this.#points[position];
  }

  #slotOf(coords: ArrayLike<number>, from: number): number {
    const table = this.#table;
    let slot = this.#hash(coords, from) & (table.length - 1);
    while (table[slot] > 0 && !this.#isAt(this.#points[table[slot] - 1], coords, from)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  #isAt(point: number, coords: ArrayLike<number>, from: number): boolean {
    const dim = this.#dim;
    for (let d = 0; d < dim; d++) if (this.#coords[point * dim + d] !== coords[from + d]) return false;
    return true;
  }

  #hash(coords: ArrayLike<number>, from: number): number {
    const halves = this.#halves;
    let hash = 0;
    for (let d = 0; d < this.#dim; d++) {
      // Turns −0 into 0.
      this.#word[0] = coords[from + d] + 0;
      hash = Math.imul(hash ^ halves[0], 0x9e3779b1);
      hash = Math.imul(hash ^ halves[1] ^ (hash >>> 15), 0x85ebca6b);
    }
    return hash ^ (hash >>> 13);
  }
}
