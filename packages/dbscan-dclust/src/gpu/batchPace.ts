/** A batch that takes longer is followed by a shorter one, so that an abort and progress need not wait; a quick one by a longer. */
const SLOW_MS = 100;
const QUICK_MS = 25;

/**
 * Units of the first batch, before anything has been timed: so many that what they may cost at most stays within `budget`, and a
 * dispatch of many points is not followed by others before the host looks. At least 1.
 */
export function firstUnits(most: number, costOfUnit: number, budget: number): number {
  return Math.max(1, Math.min(most, Math.floor(budget / costOfUnit)));
}

/** How much work to record between two looks of the host, by how long the device took for what it has done. */
export class BatchPace {
  readonly #most: number;
  #next: number;
  #lookedAt: number;

  /** @param first  units of work of the first batch, integer, 1 … most */
  constructor(first: number, most: number, now: number = performance.now()) {
    this.#next = first;
    this.#most = most;
    this.#lookedAt = now;
  }

  /** Units of work of the next batch. */
  get next(): number {
    return this.#next;
  }

  /** Tells that a batch is done. */
  look(now: number = performance.now()): void {
    const ms = now - this.#lookedAt;
    this.#lookedAt = now;
    if (ms > SLOW_MS) this.#next = Math.max(1, Math.floor(this.#next / 2));
    else if (ms < QUICK_MS) this.#next = Math.min(this.#most, 2 * this.#next);
  }
}
