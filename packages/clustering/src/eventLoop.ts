/** Maximum milliseconds of work without a turn of the event loop. */
const TURN_MS = 25;

/**
 * The event loop of this thread. Each of many concurrent runs works for a short time only; together they would hold it.
 */
class EventLoop {
  /** When work began after the last turn; undefined if the loop has turned since the last work. */
  #busySince: number | undefined;
  #lastTurn: Promise<void> = Promise.resolve();

  /** Notes that work begins, if none has begun since the last turn. */
  enter(): void {
    if (this.#busySince !== undefined) return;
    this.#busySince = performance.now();
    void nextTurn().then(() => (this.#busySince = undefined));
  }

  /** Whether runs have worked for so long that the loop must turn. Then await `turn`. */
  isDue(): boolean {
    this.enter();
    return performance.now() - (this.#busySince ?? Infinity) >= TURN_MS;
  }

  /** Lets timers, signals and listeners run. Each turn resumes one of the runs that wait, the first one first. */
  turn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(nextTurn);
    return this.#lastTurn;
  }
}

export const eventLoop: EventLoop = new EventLoop();

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Browsers have no setImmediate.
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
