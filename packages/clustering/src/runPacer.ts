import {throwIfAborted, type ProgressListener, type RunOptions} from './progress.ts';

/** Longest stretch without a turn of the event loop, in milliseconds. */
const TURN_MS = 50;

/** Progress reports a phase, at most. */
const REPORTS = 100;

/**
 * Keeps a synchronous run answerable: reports progress, lets the event loop turn, and looks for an abort. `Phase` are
 * the phases that the run's options name.
 */
export class RunPacer<Phase extends string = string> {
  readonly #total: number;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ProgressListener<Phase> | undefined;
  #turnAt: number = performance.now() + TURN_MS;
  #phase: Phase | undefined;
  #reportAt = 0;

  /**
   * @param total    what `done` reaches at a phase's end
   * @param options  the run's; its signal and listener are used until the run ends
   */
  constructor(total: number, {signal, onProgress}: RunOptions<Phase>) {
    this.#total = total;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /**
   * To be awaited after each millisecond or so of work.
   *
   * @param done  of `total`, in this phase
   * @throws RunAbortedError  if the signal has fired
   */
  async pause(phase: Phase, done: number): Promise<void> {
    if (phase !== this.#phase) {
      this.#phase = phase;
      this.#reportAt = 0;
    }
    if (done >= this.#reportAt) {
      this.#reportAt = done + this.#total / REPORTS;
      this.#onProgress?.({phase, done, total: this.#total});
    }
    if (performance.now() >= this.#turnAt) {
      await turnOfEventLoop();
      this.#turnAt = performance.now() + TURN_MS;
    }
    throwIfAborted(this.#signal, phase);
  }
}

/** Lets timers, signals and listeners run. */
function turnOfEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    // Browsers have no setImmediate.
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
