/**
 * What a thread does with one chunk of a wave. Synchronous: a chunk never waits for another one, so a wave may have more
 * chunks than the pool has threads.
 *
 * @param input  the wave's; each thread has a copy of its own, in which shared memory is shared
 * @param start  first item of the chunk
 * @param end    behind its last item
 * @param chunk  number of the chunk
 * @returns      something small: it is copied to the calling thread. Bulk goes into shared memory
 */
export type Task<Input, Result> = (input: Input, start: number, end: number, chunk: number) => Result;

/** What the calling thread sends to a thread: once a wave and thread. */
export interface WaveOrder {
  /** URL of the module that exports the task. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
  /** Chunk k is [bounds[k], bounds[k + 1]). */
  readonly bounds: readonly number[];
  /** One shared word: the next chunk that nobody has claimed. */
  readonly next: Int32Array;
}

/** What a thread answers. */
export interface WaveReply<Result> {
  readonly threadId: number;
  /** Milliseconds from its first chunk to its last. */
  readonly ms: number;
  /** Chunks that it took, in this order. */
  readonly chunks: readonly number[];
  /** Their results, in the same order. */
  readonly results: readonly Result[];
  /** The chunk that failed, if one did. */
  readonly failure?: {readonly chunk: number; readonly error: unknown};
}

/** No chunk number: a counter that stands here ends the wave. */
export const NO_MORE_CHUNKS: number = 2 ** 30;
