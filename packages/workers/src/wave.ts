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
