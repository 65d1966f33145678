/** One fork and join: the same task over chunks of [0, …). */
export interface Wave<Input> {
  /** Where the run is, for errors. */
  readonly phase: string;
  /** Copied to each thread; shared memory in it is shared, not copied. Keep the rest small. */
  readonly input: Input;
  /** One value at least, integers ≥ 0, ascending: chunk k is [bounds[k], bounds[k + 1]). Threads claim chunks one by one, in this order. */
  readonly bounds: readonly number[];
  /** Looked at before the wave; when it fires during one, threads end with the chunk that they are at. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then while the wave runs, when more chunks are done than before; they need not be the first ones. */
  readonly onProgress?: ((chunksDone: number) => void) | undefined;
}

export interface WaveOutcome<Result> {
  /** By chunk. */
  readonly results: Result[];
  /** Milliseconds that each thread was in chunks, by its number in the pool; 0 without a chunk. */
  readonly threadMs: readonly number[];
}
