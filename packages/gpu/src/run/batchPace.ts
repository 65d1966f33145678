/** A batch that takes longer is followed by a shorter one, so that an abort need not wait; a quick one by a longer. */
const SLOW_MS = 100;
const QUICK_MS = 25;

/**
 * Units of the first batch, before anything is timed: at least 1, at most `most`, and as many as `budget` pays for.
 *
 * @param costOfUnit  what a unit costs at most, in the budget's unit
 */
export function firstUnits(most: number, costOfUnit: number, budget: number): number {
  return Math.max(1, Math.min(most, Math.floor(budget / costOfUnit)));
}

/** Sizes batches of work by the time that the device took for those before. Doubles while batches are quick. */
export class BatchPace {
  readonly #most: number;
  #last: number;
  #next: number;
  #grows = true;
  #lookedAt: number;

  /** @param first  units of work of the first batch; an integer, 1 … most */
  constructor(first: number, most: number, now: number = performance.now()) {
    this.#last = first;
    this.#next = first;
    this.#most = most;
    this.#lookedAt = now;
  }

  /** Units of work of the batch that is recorded now. */
  take(): number {
    this.#last = this.#next;
    if (this.#grows) this.#next = Math.min(this.#most, 2 * this.#last);
    return this.#last;
  }

  /** Tells that a batch is done. */
  look(now: number = performance.now()): void {
    const ms = now - this.#lookedAt;
    this.#lookedAt = now;
    this.#grows = ms < QUICK_MS;
    if (this.#grows) this.#next = Math.min(this.#most, 2 * this.#last);
    else this.#next = ms > SLOW_MS ? Math.max(1, Math.floor(this.#last / 2)) : this.#last;
  }
}
