import type {MessagePort} from 'node:worker_threads';
import type {WaveMemory} from './waveMemory.ts';

/**
 * What a thread does with one chunk of a wave. Synchronous: a chunk never waits for another one, so a wave may have more
 * chunks than the pool has threads.
 *
 * @param input  the wave's; each thread has a copy of its own, in which shared memory is shared
 * @param start  first item of the chunk
 * @param end    behind its last item
 * @param chunk  number of the chunk in its wave or stage
 * @returns      something small: it is copied to the calling thread. Bulk goes into shared memory
 */
export type Task<Input, Result> = (input: Input, start: number, end: number, chunk: number) => Result;

/** What all threads of a pool get when they start. */
export interface PoolLink {
  /** Name of the channel that carries orders to all threads of the pool. */
  readonly channel: string;
  /** Shared words of the pool (`calls.ts`). */
  readonly calls: Int32Array;
}

/** Argument of a resident task. */
export interface Residence {
  /** Number of the thread in the pool, from 0. */
  readonly thread: number;
  /** Carries replies, and the orders that were sent before the task listened to the channel. */
  readonly port: MessagePort;
}

/** What the calling thread sends to all threads: once a wave. */
export interface WaveOrder {
  /** Number of the wave in its pool. */
  readonly wave: number;
  /** URL of the module that exports the tasks. */
  readonly module: string;
  /** Exports of it, one a stage. */
  readonly names: readonly string[];
  readonly input: unknown;
  readonly memory: WaveMemory;
}

/** What a thread answers, unless its tasks returned nothing. */
export interface WaveReply<Result> {
  readonly wave: number;
  /** Chunks that it took, in this order. */
  readonly chunks: readonly number[];
  /** Their results, in the same order. */
  readonly results: readonly Result[];
  /** What failed: a chunk, or −1 where the task could not be loaded. */
  readonly failure?: {readonly chunk: number; readonly error: unknown};
}
