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
  /** Its number in the pool, from 0. */
  readonly thread: number;
  /** Name of the channel on which orders come, to all threads of the pool. */
  readonly channel: string;
  /** Replies go; orders come that were sent before the thread listened to the channel. */
  readonly port: MessagePort;
  /** One shared word of the pool: how many orders have been posted. Threads sleep on it. */
  readonly posted: Int32Array;
  /** One shared word of the thread: 1 once it listens to the channel. */
  readonly listening: Int32Array;
}

/** What the calling thread sends to all threads: once a wave. */
export interface WaveOrder {
  /** Number of the wave in its pool. */
  readonly wave: number;
  /** URL of the module that exports the task. */
  readonly module: string;
  readonly name: string;
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

/** Shared memory of one wave. */
export interface WaveMemory {
  /** Chunk k is [bounds[k], bounds[k + 1]). */
  readonly bounds: Float64Array;
  /** By thread: milliseconds from the first chunk to the last; 0 without a chunk. */
  readonly ms: Float64Array;
  /** `NEXT`, `DONE`, `REPLIES`, `ENDED`, and from `INSIDE` on a bit a thread: 1 while it is at the wave. */
  readonly words: Int32Array;
}

/** The next chunk that nobody has claimed. */
export const NEXT = 0;
/** Chunks that are done. */
export const DONE = 1;
/** Replies that have been sent. */
export const REPLIES = 2;
/** 1 once all chunks are claimed and no thread is at one. The calling thread waits for it. */
export const ENDED = 3;
const INSIDE = 4;

/** No chunk number: a counter that stands here ends the wave. */
const NO_MORE_CHUNKS = 2 ** 30;

/** Memory for a wave over some chunks. */
export function createWaveMemory(bounds: readonly number[], threads: number): WaveMemory {
  const shared = new SharedArrayBuffer(8 * (bounds.length + threads) + 4 * (INSIDE + Math.ceil(threads / 32)));
  const memory = {
    bounds: new Float64Array(shared, 0, bounds.length),
    ms: new Float64Array(shared, 8 * bounds.length, threads),
    words: new Int32Array(shared, 8 * (bounds.length + threads)),
  };
  memory.bounds.set(bounds);
  return memory;
}

/** A thread comes to a wave. Claims no chunk before. One atomic, so that wherever a thread dies its bit says whether it was inside. */
export function enterWave({words}: WaveMemory, thread: number): void {
  Atomics.or(words, INSIDE + (thread >>> 5), 1 << (thread & 31));
}

/** A thread goes, or has died; ends the wave where it was the last one. Returns whether it was there. */
export function leaveWave(memory: WaveMemory, thread: number): boolean {
  const bit = 1 << (thread & 31);
  const wasInside = (Atomics.and(memory.words, INSIDE + (thread >>> 5), ~bit) & bit) !== 0;
  endIfDone(memory);
  return wasInside;
}

/** Lets threads finish their chunks and take no more. */
export function stopWave(memory: WaveMemory): void {
  Atomics.store(memory.words, NEXT, NO_MORE_CHUNKS);
  endIfDone(memory);
}

/**
 * Ends the wave, and wakes the calling thread, if all chunks are claimed and no thread is inside. Atomics have one order for all threads: of those
 * that leave the last one sees all bits at 0. One that comes later finds no chunk.
 */
function endIfDone({bounds, words}: WaveMemory): void {
  if (Atomics.load(words, NEXT) < bounds.length - 1) return;
  for (let word = INSIDE; word < words.length; word++) if (Atomics.load(words, word) !== 0) return;
  Atomics.store(words, ENDED, 1);
  Atomics.notify(words, ENDED);
}
