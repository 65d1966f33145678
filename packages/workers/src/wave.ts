/** One fork and join: runs a task on all chunks. */
export interface Wave<Input> {
  /** Name of this part of a run, for errors. */
  readonly phase: string;
  /** Copied to each thread. Shared memory in it is shared, not copied; keep the rest small. */
  readonly input: Input;
  /**
   * Ascending integers ≥ 0, at least one: chunk k is [bounds[k], bounds[k + 1]). Threads claim chunks one by one, in
   * this order.
   */
  readonly bounds: readonly number[];
  /** Checked before the wave. If it fires during the wave, each thread finishes its chunk and begins no other. */
  readonly signal?: AbortSignal | undefined;
  /** Called about every 100 ms if more chunks are done than before. Chunks need not finish in order. */
  readonly onProgress?: ((chunksDone: number) => void) | undefined;
}

export interface WaveOutcome<Result> {
  /** Result of each chunk. */
  readonly results: Result[];
  /** Milliseconds that each thread worked on chunks, by its number in the pool. */
  readonly threadMs: readonly number[];
}

/** One of several tasks that run in a row, as one wave. */
export interface Step<Name extends string> {
  /** Name of this part of a run, for errors. */
  readonly phase: string;
  /** Name of the exported task. */
  readonly name: Name;
  /**
   * Bounds as in a wave, of at least one chunk. Or the number of chunks, integer ≥ 1: the step is closed until
   * `open` gives the bounds.
   */
  readonly bounds: readonly number[] | number;
}

/** Several tasks over one input. A step begins when the step before is done, without the calling thread. */
export interface SteppedWave<Input, Name extends string> extends Pick<Wave<Input>, 'input' | 'signal' | 'onProgress'> {
  /** In order; closed steps come last. */
  readonly steps: readonly Step<Name>[];
}

/** Outcome of a wave of steps, by step. */
export interface StepsOutcome {
  /** Results of the tasks, by chunk. */
  readonly results: readonly (readonly unknown[])[];
  /** Milliseconds that each thread worked on chunks, by its number in the pool. */
  readonly threadMs: readonly (readonly number[])[];
  /** Milliseconds from the end of the step before, or from the order, to the end of the step. */
  readonly wallMs: readonly number[];
}

/**
 * A wave of steps that runs. The caller must call `open` or `stop` if steps are closed; otherwise the wave never
 * ends.
 */
export interface StepsUnderWay {
  /**
   * Opens all closed steps.
   *
   * @param bounds  bounds of each closed step, for the number of chunks that it was given
   */
  open(bounds: readonly (readonly number[])[]): void;
  /**
   * Stops the wave: each thread finishes its chunk, and `ended` rejects with `reason` as the cause. Has no effect on
   * a wave that has ended.
   */
  stop(reason: unknown): void;
  /** Rejects as `WorkerPool.wave` does. */
  readonly ended: Promise<StepsOutcome>;
}
