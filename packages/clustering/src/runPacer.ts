import type {DbscanPhase, DbscanRunOptions} from './dbscan.ts';
import {throwIfAborted, type ProgressListener} from './progress.ts';

/** Longest stretch without a turn of the event loop, in milliseconds. */
const TURN_MS = 50;

/** Progress reports a phase, at most. */
const REPORTS = 100;

/** Keeps a synchronous run answerable: reports progress, lets the event loop turn, and looks for an abort. */
export class RunPacer {
  readonly #total: number;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: ProgressListener<DbscanPhase> | undefined;
  #turnAt: number = performance.now() + TURN_MS;
  #phase: DbscanPhase | undefined;
  #reportAt = 0;

  /** @param total  what `done` reaches at a phase's end */
  constructor(total: number, {signal, onProgress}: DbscanRunOptions) {
    this.#total = total;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /**
   * To be awaited after each millisecond or so of work.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async pause(phase: DbscanPhase, done: number): Promise<void> {
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
