import {squaredOfFour} from './squaredOfFour.ts';

/** From this many dimensions on, four points are scanned at a time. */
const WIDE = 16;

/** Up to this k, insertion into a sorted list is faster: 12 instead of 20 µs a query for k = 11 in 5 dimensions. */
const SORTED_MAX = 32;

/**
 * The k nearest of the points that were scanned: a sorted list for small k, else a heap with the farthest on top.
 * Invariant: while fewer than k points are held, `limit` is infinite, and a heap has them in the order of arrival. From
 * the k-th point on, `limit` is the largest distance, and no entry of a heap is farther than its parent.
 */
export class NearestHeap {
  /** Squared distances of the points that are held; unspecified behind them before `sort()`, then infinite. */
  readonly squared: Float64Array;
  /** Positions of these points; after `sort()` −1 behind them. */
  readonly positions: Int32Array;
  /** The squared distance of the k-th nearest point; infinite if fewer points are held. */
  limit: number = Infinity;
  /** Points that are held. */
  held: number = 0;
  #isSorted = true;
  readonly #four = new Float64Array(4);

  constructor(k: number) {
    this.squared = new Float64Array(k).fill(Infinity);
    this.positions = new Int32Array(k).fill(-1);
  }

  clear(): void {
    this.limit = Infinity;
    this.held = 0;
    this.#isSorted = false;
  }

  /** Scans points. Sums of squares are from left to right. */
  scan(coords: Float64Array, dim: number, start: number, end: number, at: Float64Array, offset: number): void {
    if (dim < 2) return this.#scanLine(coords, start, end, at[offset]);
    if (dim < 4) return this.#scanSpace(coords, dim, start, end, at, offset);
    if (dim >= WIDE) {
      const fours = end - ((end - start) & 3);
      this.#scanFours(coords, dim, start, fours, at, offset);
      return this.#scanSums(coords, dim, fours, end, at, offset);
    }
    return this.#scanSums(coords, dim, start, end, at, offset);
  }

  #scanFours(coords: Float64Array, dim: number, start: number, end: number, at: Float64Array, offset: number): void {
    const four = this.#four;
    for (let p = start; p < end; p += 4) {
      squaredOfFour(coords, dim, p * dim, at, offset, this.limit, four);
      for (let k = 0; k < 4; k++) if (four[k] < this.limit) this.#take(four[k], p + k);
    }
  }

  /** In four dimensions and more. */
  #scanSums(coords: Float64Array, dim: number, start: number, end: number, at: Float64Array, offset: number): void {
    const [a, b, c, e] = [at[offset], at[offset + 1], at[offset + 2], at[offset + 3]];
    const isFive = dim === 5;
    const last = isFive ? at[offset + 4] : 0;
    let {limit} = this;
    for (let p = start, first = start * dim; p < end; p++, first += dim) {
      const x = coords[first] - a;
      const y = coords[first + 1] - b;
      const z = coords[first + 2] - c;
      const w = coords[first + 3] - e;
      let sum = x * x + y * y + z * z + w * w;
      if (isFive) {
        const v = coords[first + 4] - last;
        sum += v * v;
      } else {
        if (sum >= limit) continue;
        for (let d = 4; d < dim; d++) {
          const delta = coords[first + d] - at[offset + d];
          sum += delta * delta;
        }
      }
      if (sum < limit) limit = this.#take(sum, p);
    }
  }

  #scanSpace(coords: Float64Array, dim: number, start: number, end: number, at: Float64Array, offset: number): void {
    const [a, b] = [at[offset], at[offset + 1]];
    const isPlane = dim === 2;
    const c = isPlane ? 0 : at[offset + 2];
    let {limit} = this;
    for (let p = start, first = start * dim; p < end; p++, first += dim) {
      const x = coords[first] - a;
      const y = coords[first + 1] - b;
      let sum = x * x + y * y;
      if (!isPlane) {
        const z = coords[first + 2] - c;
        sum += z * z;
      }
      if (sum < limit) limit = this.#take(sum, p);
    }
  }

  #scanLine(coords: Float64Array, start: number, end: number, at: number): void {
    for (let p = start; p < end; p++) {
      const x = coords[p] - at;
      if (x * x < this.limit) this.#take(x * x, p);
    }
  }

  /** Brings the entries into ascending order, points at one distance in the order of their positions. */
  sort(): void {
    if (this.#isSorted) return;
    this.#isSorted = true;
    const {squared, positions} = this;
    squared.fill(Infinity, this.held);
    positions.fill(-1, this.held);
    if (squared.length > SORTED_MAX) {
      this.#build(this.held);
      for (let last = this.held - 1; last > 0; last--) {
        const [farthest, position] = [squared[0], positions[0]];
        this.#sink(0, squared[last], positions[last], last);
        squared[last] = farthest;
        positions[last] = position;
      }
    }
    this.#orderTies();
  }

  #orderTies(): void {
    const {squared, positions} = this;
    for (let from = 0, to = 1; from < this.held; from = to++) {
      while (to < this.held && squared[to] === squared[from]) to++;
      if (to > from + 1) positions.subarray(from, to).sort();
    }
  }

  /** Holds a point that is nearer than the limit. Returns the limit. */
  #take(sum: number, position: number): number {
    const {squared, positions} = this;
    const k = squared.length;
    const isFull = this.held === k;
    if (!isFull) this.held++;
    if (k <= SORTED_MAX) {
      let at = this.held - 1;
      for (; at > 0 && squared[at - 1] > sum; at--) {
        squared[at] = squared[at - 1];
        positions[at] = positions[at - 1];
      }
      squared[at] = sum;
      positions[at] = position;
      return this.held < k ? Infinity : (this.limit = squared[k - 1]);
    }
    if (isFull) {
      this.#sink(0, sum, position, k);
    } else {
      squared[this.held - 1] = sum;
      positions[this.held - 1] = position;
      if (this.held < k) return Infinity;
      this.#build(k);
    }
    return (this.limit = squared[0]);
  }

  #build(length: number): void {
    const {squared, positions} = this;
    for (let slot = (length >> 1) - 1; slot >= 0; slot--) this.#sink(slot, squared[slot], positions[slot], length);
  }

  /** Lays an entry at a slot of the first entries, or below it after farther ones. */
  #sink(top: number, sum: number, position: number, length: number): void {
    const {squared, positions} = this;
    let slot = top;
    for (let child = 2 * slot + 1; child < length; child = 2 * slot + 1) {
      if (child + 1 < length && squared[child + 1] > squared[child]) child++;
      if (squared[child] <= sum) break;
      squared[slot] = squared[child];
      positions[slot] = positions[child];
      slot = child;
    }
    squared[slot] = sum;
    positions[slot] = position;
  }
}
