import type {MessagePort} from 'node:worker_threads';

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

/** What a thread is given when it starts. */
export interface ThreadLink {
  /** Orders come, replies go. */
  readonly port: MessagePort;
  /** One shared word: how many orders have been posted. The thread sleeps on it. */
  readonly mail: Int32Array;
}

/** What the calling thread sends to a thread: once a wave and thread. */
export interface WaveOrder {
  /** Number of the wave in its pool. */
  readonly wave: number;
  /** URL of the module that exports the task. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
  readonly memory: WaveMemory;
  /** Which of the wave's threads this one is. */
  readonly fork: number;
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

/** Shared memory of one wave. */
export interface WaveMemory {
  /** Chunk k is [bounds[k], bounds[k + 1]). */
  readonly bounds: Float64Array;
  /** By fork: milliseconds from the first chunk to the last; 0 without a chunk. */
  readonly ms: Float64Array;
  /** `NEXT`, `DONE`, `LEFT`, and from `FORKS` on by fork: 1 once it has ended. */
  readonly words: Int32Array;
}

/** The next chunk that nobody has claimed. */
export const NEXT = 0;
/** Chunks that are done. */
export const DONE = 1;
/** Forks that have not ended. The calling thread waits for 0. */
export const LEFT = 2;
const FORKS = 3;

/** No chunk number: a counter that stands here ends the wave. */
export const NO_MORE_CHUNKS: number = 2 ** 30;

/** Memory for a wave over some chunks and forks. */
export function createWaveMemory(bounds: readonly number[], forks: number): WaveMemory {
  const shared = new SharedArrayBuffer(8 * (bounds.length + forks) + 4 * (FORKS + forks));
  const memory = {
    bounds: new Float64Array(shared, 0, bounds.length),
    ms: new Float64Array(shared, 8 * bounds.length, forks),
    words: new Int32Array(shared, 8 * (bounds.length + forks)),
  };
  memory.bounds.set(bounds);
  memory.words[LEFT] = forks;
  return memory;
}

/** Says that a fork has ended, and wakes the calling thread when it was the last one; returns whether it had not before. */
export function endFork({words}: WaveMemory, fork: number): boolean {
  if (Atomics.exchange(words, FORKS + fork, 1) === 1) return false;
  if (Atomics.sub(words, LEFT, 1) === 1) Atomics.notify(words, LEFT);
  return true;
}
