// What the calling thread and the threads of a pool send to each other.
import type {WaveMemory} from './waveMemory.ts';

/** Message from the calling thread to each thread, one a wave. */
export interface WaveOrder {
  readonly wave: number;
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
  readonly results: readonly Result[];
  /** The chunk that failed, or −1 if the module could not be loaded. */
  readonly failure?: {readonly chunk: number; readonly error: unknown};
}

/** A reply, or the number of a wave that the sending thread has left as the last one. */
export type ThreadMessage = WaveReply<unknown> | {readonly ended: number};

/** What a thread gets when it starts, beside the port that carries orders and messages. */
export interface ThreadStart {
  /** Number of the thread in the pool, from 0. */
  readonly thread: number;
  /** One word: counts the reasons to look for orders. Threads sleep on it. */
  readonly calls: Int32Array;
}
