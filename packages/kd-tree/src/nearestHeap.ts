/** Up to this k, insertion into a sorted list is faster: 12 instead of 20 µs a query for k = 11 in 5 dimensions. */
export const SORTED_MAX = 32;

/**
 * The k nearest of the points that a query has met: for small k a sorted list, which the query keeps itself, else a
 * heap with the farthest on top. Invariant: while fewer than k points are held, `limit` is infinite, and a heap has
 * them in the order of arrival. From the k-th point on, `limit` is the largest distance, and no entry of a heap is
 * farther than its parent.
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

  constructor(k: number) {
    this.squared = new Float64Array(k).fill(Infinity);
    this.positions = new Int32Array(k).fill(-1);
  }

  clear(): void {
    this.limit = Infinity;
    this.held = 0;
    this.#isSorted = false;
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
  take(sum: number, position: number): number {
    const {squared, positions} = this;
    const k = squared.length;
    if (this.held === k) {
      this.#sink(0, sum, position, k);
    } else {
      squared[this.held] = sum;
      positions[this.held++] = position;
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
