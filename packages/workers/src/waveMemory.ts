// Shared memory of a wave. Lock-free. A thread claims the next chunk of a stage by adding to the stage's counter, and
// only if the stage may begin: it is open, and all chunks before it are done. Invariant: a thread that waits holds no
// chunk, and a claimed chunk runs. So one thread is enough for any number of stages, and a thread that wakes late
// delays no other.

/** Shared memory of one wave. */
export interface WaveMemory {
  /** Chunk k is [bounds[2k], bounds[2k + 1]). Bounds of a closed stage are written before it opens. */
  readonly bounds: Float64Array;
  /** Milliseconds in chunks, by stage and thread. */
  readonly ms: Float64Array;
  /** By stage: time of `sharedNow` when its last chunk was done. */
  readonly doneAt: Float64Array;
  /** By stage: number of the chunk after its last one. */
  readonly ends: Int32Array;
  /** By stage: the next unclaimed chunk. */
  readonly next: Int32Array;
  /** `DONE` to `TURNS`, and from `INSIDE` on a bit for each thread: 1 while it takes part in the wave. */
  readonly words: Int32Array;
}

/** Number of finished chunks. */
export const DONE = 0;
/** Number of sent replies. */
export const REPLIES = 1;
/** 1 once all chunks are claimed and no thread takes part any more. The calling thread waits for it. */
export const ENDED = 2;
/** Number of chunks in open stages. */
const OPEN = 3;
/** Counts the events that a thread waiting for a stage must look at. */
const TURNS = 4;
const INSIDE = 5;

/**
 * Milliseconds for which a thread that waits for a stage spins before it sleeps. Other threads usually finish their
 * last chunks sooner than a thread falls asleep and wakes up.
 */
const AWAKE_MS = 1;

/** Above all chunk numbers: a counter with this value ends its stage. */
const NO_MORE_CHUNKS = 2 ** 30;

/** Creates the memory of a wave with all stages open. */
export function createWaveMemory(ends: readonly number[], threads: number): WaveMemory {
  const stages = ends.length;
  const chunks = ends[stages - 1];
  const doubles = 2 * chunks + stages * threads + stages;
  const shared = new SharedArrayBuffer(8 * doubles + 4 * (2 * stages + INSIDE + Math.ceil(threads / 32)));
  const memory = {
    bounds: new Float64Array(shared, 0, 2 * chunks),
    ms: new Float64Array(shared, 16 * chunks, stages * threads),
    doneAt: new Float64Array(shared, 8 * (doubles - stages), stages),
    ends: new Int32Array(shared, 8 * doubles, stages),
    next: new Int32Array(shared, 8 * doubles + 4 * stages, stages),
    words: new Int32Array(shared, 8 * doubles + 8 * stages),
  };
  memory.ends.set(ends);
  memory.next.set(ends.map((_, stage) => firstChunk(memory, stage)));
  openChunks(memory, chunks);
  return memory;
}

/** Writes the bounds of consecutive chunks. */
export function writeBounds(memory: WaveMemory, first: number, bounds: readonly number[]): void {
  for (let k = 0; k < bounds.length - 1; k++) {
    memory.bounds[2 * (first + k)] = bounds[k];
    memory.bounds[2 * (first + k) + 1] = bounds[k + 1];
  }
}

/** Number of chunks in all stages. */
export function chunkCount({bounds}: WaveMemory): number {
  return bounds.length / 2;
}

/** Number of the first chunk of a stage. */
export function firstChunk({ends}: WaveMemory, stage: number): number {
  return stage === 0 ? 0 : ends[stage - 1];
}

/** Opens the stages of the chunks below `chunks`, and closes the others. */
export function openChunks({words}: WaveMemory, chunks: number): void {
  Atomics.store(words, OPEN, chunks);
  turn(words);
}

/** Number of chunks in open stages. */
export function openChunkCount({words}: WaveMemory): number {
  return Atomics.load(words, OPEN);
}

/**
 * Adds a thread to a wave, before its first claim. One atomic: wherever a thread dies, its bit says whether it took
 * part.
 */
export function enterWave({words}: WaveMemory, thread: number): void {
  Atomics.or(words, INSIDE + (thread >>> 5), 1 << (thread & 31));
}

/** Whether any chunk is unclaimed. */
export function hasChunks({ends, next}: WaveMemory): boolean {
  const last = ends.length - 1;
  return Atomics.load(next, last) < ends[last];
}

/**
 * Waits until a stage may begin.
 *
 * @returns  false if no chunk of the wave is left, because all are claimed or the wave was stopped
 */
export function awaitStage(memory: WaveMemory, stage: number): boolean {
  const {ends, words} = memory;
  let awakeUntil = 0;
  for (;;) {
    // Read first: a later event changes the word, and the thread does not sleep.
    const seen = Atomics.load(words, TURNS);
    if (!hasChunks(memory)) return false;
    if (Atomics.load(words, OPEN) >= ends[stage] && Atomics.load(words, DONE) >= firstChunk(memory, stage)) return true;
    const now = performance.now();
    if (awakeUntil === 0) awakeUntil = now + AWAKE_MS;
    if (now > awakeUntil) Atomics.wait(words, TURNS, seen);
  }
}

/** Claims a chunk of a stage that may begin; undefined if none is left. */
export function claimChunk({ends, next}: WaveMemory, stage: number): number | undefined {
  const chunk = Atomics.add(next, stage, 1);
  return chunk < ends[stage] ? chunk : undefined;
}

/** Counts a finished chunk. After the last chunk of a stage, wakes the threads that wait for the next stage. */
export function finishChunk({doneAt, ends, words}: WaveMemory, stage: number): void {
  // Read first: once counted, a chunk of the next stage may finish before this thread continues.
  const now = sharedNow();
  if (Atomics.add(words, DONE, 1) + 1 !== ends[stage]) return;
  doneAt[stage] = now;
  turn(words);
}

/** Milliseconds of a clock that is the same for all threads of the process. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Removes a thread that leaves or has died. The last one ends the wave. Returns whether the thread took part. */
export function leaveWave(memory: WaveMemory, thread: number): boolean {
  const bit = 1 << (thread & 31);
  const wasInside = (Atomics.and(memory.words, INSIDE + (thread >>> 5), ~bit) & bit) !== 0;
  endIfDone(memory);
  return wasInside;
}

/** Stops a wave: threads finish their chunks and claim no others. */
export function stopWave(memory: WaveMemory): void {
  for (let stage = 0; stage < memory.next.length; stage++) Atomics.store(memory.next, stage, NO_MORE_CHUNKS);
  turn(memory.words);
  endIfDone(memory);
}

/** Wakes the threads that wait for a stage. */
function turn(words: Int32Array): void {
  Atomics.add(words, TURNS, 1);
  Atomics.notify(words, TURNS);
}

/**
 * Ends the wave and wakes the calling thread, if all chunks are claimed and no thread takes part. All threads see
 * atomics in one order, so the last thread that leaves sees all bits at 0. A thread that comes later finds no chunk.
 */
function endIfDone(memory: WaveMemory): void {
  const {words} = memory;
  if (hasChunks(memory)) return;
  for (let word = INSIDE; word < words.length; word++) if (Atomics.load(words, word) !== 0) return;
  Atomics.store(words, ENDED, 1);
  Atomics.notify(words, ENDED);
}
