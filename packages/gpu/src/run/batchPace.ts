/** A batch that takes longer is followed by a shorter one, so that an abort need not wait; a quick one by a longer. */
const SLOW_MS = 100;
const QUICK_MS = 25;

/** As many units as `budget` pays for, at least 1, at most `most`, before anything is timed. */
export function firstUnits(most: number, costOfUnit: number, budget: number): number {
  return Math.max(1, Math.min(most, Math.floor(budget / costOfUnit)));
}

/** Sizes batches of work by the time that the device took for those before. Doubles while batches are quick. */
export class BatchPace {
  readonly #most: number;
  #next: number;
  #lookedAt: number;

  /** @param first  units of work of the first batch; an integer, 1 … most */
  constructor(first: number, most: number, now: number = performance.now()) {
    this.#next = first;
    this.#most = most;
    this.#lookedAt = now;
  }

  get next(): number {
    return this.#next;
  }

  look(now: number = performance.now()): void {
    const ms = now - this.#lookedAt;
    this.#lookedAt = now;
    if (ms > SLOW_MS) this.#next = Math.max(1, Math.floor(this.#next / 2));
    else if (ms < QUICK_MS) this.#next = Math.min(this.#most, 2 * this.#next);
  }
}
