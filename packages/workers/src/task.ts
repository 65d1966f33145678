import type {WaveMemory} from './waveMemory.ts';

/**
 * Runs one chunk of a wave, synchronously. A task must not wait for another chunk, because a wave may have more
 * chunks than the pool has threads.
 *
 * @param input  input of the wave; each thread has its own copy, in which shared memory is shared
 * @param start  first item of the chunk
 * @param end    item after the last one
 * @param chunk  number of the chunk in its wave or step, from 0
 * @returns      a small value, copied to the calling thread; large results go into shared memory
 */
export type Task<Input, Result> = (input: Input, start: number, end: number, chunk: number) => Result;

/** Message from the calling thread to all threads, one a wave. */
export interface WaveOrder {
  /** Number of the wave in its pool. */
  readonly wave: number;
  /** URL of the module that exports the tasks. */
  readonly module: string;
  /** Names of exported tasks, one a step. */
  readonly names: readonly string[];
  readonly input: unknown;
  readonly memory: WaveMemory;
}

/** Message from a thread to the calling thread. A thread whose tasks returned nothing sends none. */
export interface WaveReply<Result> {
  readonly wave: number;
  /** Chunks that the thread ran, in this order. */
  readonly chunks: readonly number[];
  /** Their results, in the same order. */
  readonly results: readonly Result[];
  /** The chunk that failed, or −1 if the module could not be loaded. */
  readonly failure?: {readonly chunk: number; readonly error: unknown};
}
