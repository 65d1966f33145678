/**
 * The k nearest of the points that were scanned: a heap with the farthest on top. Invariant: while fewer than k points
 * are held, `limit` is infinite and the order is that of arrival. From the k-th point on, no entry comes after its
 * parent by distance and position, and `limit` is the distance on top.
 */
export class NearestHeap {
  /** Squared distances of the points that are held; infinite behind them. */
  readonly squared: Float64Array;
  /** Positions of these points; −1 behind them. */
  readonly positions: Int32Array;
  /** The squared distance of the k-th nearest point; infinite if fewer points are held. */
  limit: number = Infinity;
  #held = 0;
  #isSorted = true;

  constructor(k: number) {
    this.squared = new Float64Array(k).fill(Infinity);
    this.positions = new Int32Array(k).fill(-1);
  }

  clear(): void {
    this.limit = Infinity;
    this.#held = 0;
    this.#isSorted = false;
  }

  scan(coords: Float64Array, dim: number, start: number, end: number, at: Float64Array, offset: number): void {
    let {limit} = this;
    for (let p = start; p < end; p++) {
      const first = p * dim;
      let sum = 0;
      let d = 0;
      // Four axes a turn, from left to right as in a plain loop, so that the sum is the same.
      for (; d + 4 <= dim; d += 4) {
        const w = coords[first + d] - at[offset + d];
        const x = coords[first + d + 1] - at[offset + d + 1];
        const y = coords[first + d + 2] - at[offset + d + 2];
        const z = coords[first + d + 3] - at[offset + d + 3];
        sum = sum + w * w + x * x + y * y + z * z;
      }
      for (; d < dim; d++) {
        const delta = coords[first + d] - at[offset + d];
        sum += delta * delta;
      }
      if (sum < limit) limit = this.#take(sum, p);
    }
  }

  /** Brings the entries into ascending order, points at one distance in the order of their positions. */
  sort(): void {
    if (this.#isSorted) return;
    this.#isSorted = true;
    const {squared, positions} = this;
    squared.fill(Infinity, this.#held);
    positions.fill(-1, this.#held);
    this.#build(this.#held);
    for (let last = this.#held - 1; last > 0; last--) {
      const [farthest, position] = [squared[0], positions[0]];
      this.#sink(0, squared[last], positions[last], last);
      squared[last] = farthest;
      positions[last] = position;
    }
  }

  /** Holds a point that is nearer than the limit. Returns the limit. */
  #take(sum: number, position: number): number {
    const {squared, positions} = this;
    const k = squared.length;
    if (this.#held < k) {
      squared[this.#held] = sum;
      positions[this.#held++] = position;
      if (this.#held < k) return Infinity;
      this.#build(k);
    } else {
      this.#sink(0, sum, position, k);
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
      const right = child + 1;
      if (right < length && isFarther(squared[right], positions[right], squared[child], positions[child])) {
        child = right;
      }
      if (!isFarther(squared[child], positions[child], sum, position)) break;
      squared[slot] = squared[child];
      positions[slot] = positions[child];
      slot = child;
    }
    squared[slot] = sum;
    positions[slot] = position;
  }
}

function isFarther(squaredA: number, positionA: number, squaredB: number, positionB: number): boolean {
  return squaredA > squaredB || (squaredA === squaredB && positionA > positionB);
}
