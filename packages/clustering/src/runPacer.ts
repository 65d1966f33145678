import {throwIfAborted, type RunOptions} from './progress.ts';
import {ProgressMeter} from './progressMeter.ts';

/** Maximum milliseconds without a turn of the event loop. */
const TURN_MS = 50;

/**
 * Pauses a synchronous run: reports progress, yields to the event loop and checks the abort signal.
 */
export class RunPacer<Phase extends string = string> {
  readonly #meter: ProgressMeter<Phase>;
  readonly #signal: AbortSignal | undefined;
  #turnAt: number = performance.now() + TURN_MS;

  /**
   * @param total    value of `done` at the end of a phase
   * @param options  options of the run; the signal and the listener are used until it ends
   */
  constructor(total: number, {signal, onProgress}: RunOptions<Phase>) {
    this.#meter = new ProgressMeter(total, onProgress);
    this.#signal = signal;
  }

  /**
   * The caller awaits this after each slice of work of about a millisecond.
   *
   * @param done  work done in this phase, out of `total`
   * @throws RunAbortedError  if the signal has fired
   */
  async pause(phase: Phase, done: number): Promise<void> {
    this.#meter.report(phase, done);
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
