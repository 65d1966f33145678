import {throwIfAborted, type RunOptions} from './progress.ts';
import {ProgressMeter} from './progressMeter.ts';

/** Longest stretch without a turn of the event loop, in milliseconds. */
const TURN_MS = 50;

/**
 * Keeps a synchronous run answerable: reports progress, lets the event loop turn, and looks for an abort. `Phase` are
 * the phases that the run's options name.
 */
export class RunPacer<Phase extends string = string> {
  readonly #meter: ProgressMeter<Phase>;
  readonly #signal: AbortSignal | undefined;
  #turnAt: number = performance.now() + TURN_MS;

  /**
   * @param total    what `done` reaches at a phase's end
   * @param options  the run's; its signal and listener are used until the run ends
   */
  constructor(total: number, {signal, onProgress}: RunOptions<Phase>) {
    this.#meter = new ProgressMeter(total, onProgress);
    this.#signal = signal;
  }

  /**
   * To be awaited after each millisecond or so of work.
   *
   * @param done  of `total`, in this phase
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
