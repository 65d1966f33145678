import {InvalidParameterError, RunAbortedError} from './errors.ts';

/** One report of a long run. `total` is in points by default; a phase may use another unit. */
export interface Progress<Phase extends string = string> {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
}

export type ProgressListener<Phase extends string = string> = (progress: Progress<Phase>) => void;

/** Options of a long run. `Phase` is the union of its phases. */
export interface RunOptions<Phase extends string = string> {
  /** Checked once per round of work. If it has fired, the run rejects with `RunAbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Called on the calling thread, at most a few hundred times a run. */
  readonly onProgress?: ProgressListener<Phase> | undefined;
}

/** Times and figures of a run. `Span` names what the device's clock tells apart, by default the phases of the host. */
export interface RunStats<Phase extends string, Span extends string = Phase> {
  /** Host wall milliseconds by phase. On a GPU a phase ends when the host observes its end. */
  readonly phaseMs: Partial<Record<Phase, number>>;
  /** Host wall milliseconds of the whole run, transfers included. */
  readonly wallMs: number;
  /** Device milliseconds of all kernels, where the adapter has timestamps. */
  readonly deviceMs?: number;
  readonly devicePhaseMs?: Partial<Record<Span, number>>;
  /** Peak bytes of device memory, on a GPU. */
  readonly deviceBytes?: number;
  /** The figures of the variant's paper: levels, degrees, chains, cross pairs … */
  readonly counters: Readonly<Record<string, number>>;
}

/**
 * Ends a run whose signal has fired.
 *
 * @param phase  the current phase, for the message
 * @throws InvalidParameterError  if `signal` is not an `AbortSignal`
 * @throws RunAbortedError        if `signal` has fired; its `cause` is the signal's reason
 */
export function throwIfAborted(signal: AbortSignal | undefined, phase: string): void {
  if (signal === undefined || signal === null) return;
  const {aborted}: Partial<AbortSignal> = signal;
  // A check by members, so that signals of other realms and of polyfills pass.
  if (typeof aborted !== 'boolean' || typeof signal.addEventListener !== 'function') {
    throw new InvalidParameterError('signal', signal, 'an AbortSignal');
  }
  if (aborted) throw new RunAbortedError(phase, signal.reason);
}

/** Measures milliseconds by phase. A phase that is entered again accumulates. */
export class PhaseClock<Phase extends string> {
  readonly #ms: Partial<Record<Phase, number>> = {};
  readonly #startedAt: number = performance.now();
  #phase: Phase | undefined;
  #enteredAt = 0;

  get phase(): Phase | undefined {
    return this.#phase;
  }

  /** Starts a phase, which began `agoMs` milliseconds ago, and ends the previous one. */
  enter(phase: Phase, agoMs = 0): void {
    this.#close(performance.now() - agoMs);
    this.#phase = phase;
  }

  /** Ends the last phase. Returns milliseconds by phase, and since the construction of the clock. */
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
