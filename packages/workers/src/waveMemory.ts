// Shared memory of a wave. Lock-free. A thread claims the next chunk of a step by adding to the step's counter, and
// only if the step may begin: it is open, and all chunks before it are done. Invariant: a thread that waits holds no
// chunk, and a claimed chunk runs. So one thread is enough for any number of steps, and a thread that wakes late
// delays no other.

export interface WaveMemory {
  /** Chunk k is [bounds[2k], bounds[2k + 1]). Bounds of a closed step are written before it opens. */
  readonly bounds: Float64Array;
  /** Milliseconds in chunks, by step and thread. */
  readonly ms: Float64Array;
  /** By step: time of `sharedNow` when its last chunk was done. */
  readonly doneAt: Float64Array;
  /** By step: number of the chunk after its last one. */
  readonly ends: Int32Array;
  /** By step: the next unclaimed chunk. */
  readonly next: Int32Array;
  /**
   * `DONE` to `TURNS`; from `THREADS` on a bit for each thread, 1 while it takes part in the wave; then, in as many
   * words, a bit for each thread, 1 once it replies.
   */
  readonly words: Int32Array;
}

/** Number of finished chunks. */
export const DONE = 0;
/** 1 once all chunks are claimed and no thread takes part any more. Who sets it tells the calling thread. */
export const ENDED = 1;
const OPEN = 2;
/** Counts the events that a thread waiting for a step must look at. */
const TURNS = 3;
const THREADS = 4;

/**
 * Milliseconds for which a thread that waits for a step spins before it sleeps. Other threads usually finish their
 * last chunks sooner than a thread falls asleep and wakes up.
 */
const AWAKE_MS = 1;

/** Above all chunk numbers: a counter with this value ends its step. */
const NO_MORE_CHUNKS = 2 ** 30;

/** Creates the memory of a wave with all steps open. */
export function createWaveMemory(ends: readonly number[], threads: number): WaveMemory {
  const steps = ends.length;
  const chunks = ends[steps - 1];
  const doubles = 2 * chunks + steps * threads + steps;
  const shared = new SharedArrayBuffer(8 * doubles + 4 * (2 * steps + THREADS + 2 * Math.ceil(threads / 32)));
  const memory = {
    bounds: new Float64Array(shared, 0, 2 * chunks),
    ms: new Float64Array(shared, 16 * chunks, steps * threads),
    doneAt: new Float64Array(shared, 8 * (doubles - steps), steps),
    ends: new Int32Array(shared, 8 * doubles, steps),
    next: new Int32Array(shared, 8 * doubles + 4 * steps, steps),
    words: new Int32Array(shared, 8 * doubles + 8 * steps),
  };
  memory.ends.set(ends);
  memory.next.set(ends.map((_, step) => firstChunk(memory, step)));
  openChunks(memory, chunks);
  return memory;
}

export function writeBounds(memory: WaveMemory, first: number, bounds: readonly number[]): void {
  for (let k = 0; k < bounds.length - 1; k++) {
    memory.bounds[2 * (first + k)] = bounds[k];
    memory.bounds[2 * (first + k) + 1] = bounds[k + 1];
  }
}

export function chunkCount({bounds}: WaveMemory): number {
  return bounds.length / 2;
}

export function firstChunk({ends}: WaveMemory, step: number): number {
  return step === 0 ? 0 : ends[step - 1];
}

/** Opens the steps of the chunks below `chunks`, and closes the others. */
export function openChunks({words}: WaveMemory, chunks: number): void {
  Atomics.store(words, OPEN, chunks);
  turn(words);
}

/** Number of chunks in open steps. */
export function openChunkCount({words}: WaveMemory): number {
  return Atomics.load(words, OPEN);
}

/**
 * Adds a thread to a wave, before its first claim. One atomic: wherever a thread dies, its bit says whether it took
 * part.
 */
export function enterWave({words}: WaveMemory, thread: number): void {
  Atomics.or(words, THREADS + (thread >>> 5), 1 << (thread & 31));
}

/** A thread replies. It says so before it sends the reply, and leaves the wave after that. */
export function markReplying({words}: WaveMemory, thread: number): void {
  Atomics.or(words, THREADS + bitWords(words) + (thread >>> 5), 1 << (thread & 31));
}

export function replyingThreads({words}: WaveMemory): number[] {
  const threads: number[] = [];
  const first = THREADS + bitWords(words);
  for (let word = first; word < words.length; word++) {
    for (let bits = Atomics.load(words, word); bits !== 0; bits &= bits - 1) {
      threads.push(32 * (word - first) + 31 - Math.clz32(bits & -bits));
    }
  }
  return threads;
}

function bitWords(words: Int32Array): number {
  return (words.length - THREADS) / 2;
}

export function hasChunks({ends, next}: WaveMemory): boolean {
  const last = ends.length - 1;
  return Atomics.load(next, last) < ends[last];
}

/**
 * Waits until a step may begin.
 *
 * @returns  false if no chunk of the wave is left, because all are claimed or the wave was stopped
 */
export function awaitStep(memory: WaveMemory, step: number): boolean {
  const {ends, words} = memory;
  let awakeUntil = 0;
  for (;;) {
    // Read first: a later event changes the word, and the thread does not sleep.
    const seen = Atomics.load(words, TURNS);
    if (!hasChunks(memory)) return false;
    if (Atomics.load(words, OPEN) >= ends[step] && Atomics.load(words, DONE) >= firstChunk(memory, step)) return true;
    const now = performance.now();
    if (awakeUntil === 0) awakeUntil = now + AWAKE_MS;
    if (now > awakeUntil) Atomics.wait(words, TURNS, seen);
  }
}

/** Claims a chunk of a step that may begin; undefined if none is left. */
export function claimChunk({ends, next}: WaveMemory, step: number): number | undefined {
  const chunk = Atomics.add(next, step, 1);
  return chunk < ends[step] ? chunk : undefined;
}

/** Counts a finished chunk. After the last chunk of a step, wakes the threads that wait for the next step. */
export function finishChunk({doneAt, ends, words}: WaveMemory, step: number): void {
  // Read first: once counted, a chunk of the next step may finish before this thread continues.
  const now = sharedNow();
  if (Atomics.add(words, DONE, 1) + 1 !== ends[step]) return;
  doneAt[step] = now;
  turn(words);
}

/** Milliseconds of a clock that is the same for all threads of a process or page. */
export function sharedNow(): number {
  return performance.timeOrigin + performance.now();
}

export function isInside({words}: WaveMemory, thread: number): boolean {
  return (Atomics.load(words, THREADS + (thread >>> 5)) & (1 << (thread & 31))) !== 0;
}

/** Removes a thread that leaves or has died. The last one ends the wave. Returns whether this call has ended it. */
export function leaveWave(memory: WaveMemory, thread: number): boolean {
  Atomics.and(memory.words, THREADS + (thread >>> 5), ~(1 << (thread & 31)));
  return endIfDone(memory);
}

/** Stops a wave: threads finish their chunks and claim no others. */
export function stopWave(memory: WaveMemory): void {
  for (let step = 0; step < memory.next.length; step++) Atomics.store(memory.next, step, NO_MORE_CHUNKS);
  turn(memory.words);
  endIfDone(memory);
}

function turn(words: Int32Array): void {
  Atomics.add(words, TURNS, 1);
  Atomics.notify(words, TURNS);
}

/**
 * Ends the wave, if all chunks are claimed and no thread takes part. All threads see atomics in one order, so the last
 * thread that leaves sees all bits at 0. A thread that comes later finds no chunk.
 */
function endIfDone(memory: WaveMemory): boolean {
  const {words} = memory;
  if (hasChunks(memory)) return false;
  const end = THREADS + bitWords(words);
  for (let word = THREADS; word < end; word++) if (Atomics.load(words, word) !== 0) return false;
  return Atomics.exchange(words, ENDED, 1) === 0;
}
