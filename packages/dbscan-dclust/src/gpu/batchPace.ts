/** A batch that takes longer is followed by a shorter one, so that an abort and progress need not wait; a quick one by a longer. */
const SLOW_MS = 100;
const QUICK_MS = 25;

/** How much work to record between two looks of the host, by how long the device took for what it has done. */
export class BatchPace {
  readonly #most: number;
  #next: number;
  #lookedAt = performance.now();

  /** @param first  units of work of the first batch, integer, 1 … most */
  constructor(first: number, most: number) {
    this.#next = first;
    this.#most = most;
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
