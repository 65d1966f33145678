import {eventLoop} from './eventLoop.ts';
import {throwIfAborted, type RunOptions} from './progress.ts';
import {ProgressMeter} from './progressMeter.ts';

/** Pauses a synchronous run: reports progress, yields to the event loop and checks the abort signal. */
export class RunPacer<Phase extends string = string> {
  readonly #meter: ProgressMeter<Phase>;
  readonly #signal: AbortSignal | undefined;

  constructor(total: number, {signal, onProgress}: RunOptions<Phase>) {
    this.#meter = new ProgressMeter(total, onProgress);
    this.#signal = signal;
    eventLoop.enter();
  }

  /**
   * The caller awaits this after each slice of work of about a millisecond, with `done` of `total`.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async pause(phase: Phase, done: number): Promise<void> {
    this.#meter.report(phase, done);
    if (eventLoop.isDue()) await eventLoop.turn();
    throwIfAborted(this.#signal, phase);
  }
}
