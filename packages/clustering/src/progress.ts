import {InvalidParameterError, RunAbortedError} from './errors.ts';

/** One report of a long run. `total` is in the phase's own unit (points, unless the phase says otherwise). */
export interface Progress<Phase extends string = string> {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
}

export type ProgressListener<Phase extends string = string> = (progress: Progress<Phase>) => void;

/** What the caller of a long run may ask for; `Phase` are the run's own phases. */
export interface RunOptions<Phase extends string = string> {
  /** Checked once per round of work; a fired signal rejects with `RunAbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Called at most a few hundred times a run, on the calling thread. */
  readonly onProgress?: ProgressListener<Phase> | undefined;
}

/**
 * Ends a run whose caller no longer wants it.
 *
 * @param phase  where the run is, for the message
 * @throws InvalidParameterError  if `signal` is not an `AbortSignal`
 * @throws RunAbortedError        if `signal` has fired; its `cause` is the signal's reason
 */
export function throwIfAborted(signal: AbortSignal | undefined, phase: string): void {
  if (signal === undefined || signal === null) return;
  if (!isAbortSignal(signal)) throw new InvalidParameterError('signal', signal, 'an AbortSignal');
  if (signal.aborted) throw new RunAbortedError(phase, signal.reason);
}

/** By its members: a signal of another realm or of a polyfill serves as well. */
function isAbortSignal(signal: Partial<AbortSignal>): boolean {
  return typeof signal.aborted === 'boolean' && typeof signal.addEventListener === 'function';
}

/**
 * Milliseconds by phase. `enter` closes the phase before it; entering one again adds to its time.
 */
export class PhaseClock<Phase extends string> {
  readonly #ms: Partial<Record<Phase, number>> = {};
  readonly #startedAt: number = performance.now();
  #phase: Phase | undefined;
  #enteredAt = 0;

  /** The phase that runs now. */
  get phase(): Phase | undefined {
    return this.#phase;
  }

  /**
   * Starts a phase and closes the one before it.
   *
   * @param agoMs  how long ago that was, where it shows later only; not before the phase that it closes began
   */
  enter(phase: Phase, agoMs = 0): void {
    this.#close(performance.now() - agoMs);
    this.#phase = phase;
  }

  /**
   * Closes the last phase.
   *
   * @returns  milliseconds by phase, and from the clock's construction until now
   */
  stop(): {phaseMs: Partial<Record<Phase, number>>; wallMs: number} {
    this.#close(performance.now());
    return {phaseMs: this.#ms, wallMs: performance.now() - this.#startedAt};
  }

  #close(now: number): void {
    if (this.#phase !== undefined) this.#ms[this.#phase] = (this.#ms[this.#phase] ?? 0) + now - this.#enteredAt;
    this.#enteredAt = now;
    this.#phase = undefined;
  }
}
