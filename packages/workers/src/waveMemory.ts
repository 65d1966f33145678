// What the threads of a wave share. Lock-free. Chunks of a stage are claimed by adding to the stage's counter, in ascending order, and only when the
// stage may begin: all chunks before it are done, and it is open. Invariant: a thread that waits holds no chunk, and a chunk that is
// claimed runs. So no number of threads is too small for any number of stages, and a thread that wakes late keeps nobody waiting.

/** Shared memory of one wave. */
export interface WaveMemory {
  /** Chunk k is [bounds[2k], bounds[2k + 1]). Those of a closed stage are written before it opens. */
  readonly bounds: Float64Array;
  /** By stage and member, which are the threads and then the calling one: milliseconds in chunks. */
  readonly ms: Float64Array;
  /** By stage: when its last chunk was done, by `sharedNow`. */
  readonly doneAt: Float64Array;
  /** By stage: the chunk behind its last one. */
  readonly ends: Int32Array;
  /** By stage: the next chunk that nobody has claimed. */
  readonly next: Int32Array;
  /** `DONE` and so on, and from `INSIDE` on a bit a member: 1 while it is at the wave. */
  readonly words: Int32Array;
}

/** Chunks that are done. */
export const DONE = 0;
/** Replies that have been sent. */
export const REPLIES = 1;
/** 1 once all chunks are claimed and no thread is at one. The calling thread waits for it. */
export const ENDED = 2;
/** Chunks of the stages that are open. */
const OPEN = 3;
/** Grows with all that may let a thread go on that waits for a stage. */
const TURNS = 4;
const INSIDE = 5;

/**
 * Milliseconds for which a thread stays awake that waits for a stage, or for a wave that is about to come. While others are at the last chunks of the one before, falling
 * asleep and waking up would take longer.
 */
export const AWAKE_MS = 1;

/** No chunk number: a counter that stands here ends its stage. */
const NO_MORE_CHUNKS = 2 ** 30;

/** Memory for a wave, all of whose stages are open. */
export function createWaveMemory(ends: readonly number[], threads: number): WaveMemory {
  const stages = ends.length;
  const chunks = ends[stages - 1];
  const members = threads + 1;
  const doubles = 2 * chunks + stages * members + stages;
  const shared = new SharedArrayBuffer(8 * doubles + 4 * (2 * stages + INSIDE + Math.ceil(members / 32)));
  const memory = {
    bounds: new Float64Array(shared, 0, 2 * chunks),
    ms: new Float64Array(shared, 16 * chunks, stages * members),
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

/** Fills in the bounds of chunks that follow each other. */
export function writeBounds(memory: WaveMemory, first: number, bounds: readonly number[]): void {
  for (let k = 0; k < bounds.length - 1; k++) {
    memory.bounds[2 * (first + k)] = bounds[k];
    memory.bounds[2 * (first + k) + 1] = bounds[k + 1];
  }
}

/** Of all stages. */
export function chunkCount({bounds}: WaveMemory): number {
  return bounds.length / 2;
}

/** Of a stage. */
export function firstChunk({ends}: WaveMemory, stage: number): number {
  return stage === 0 ? 0 : ends[stage - 1];
}

/** Lets threads begin with the chunks below `chunks`, which are those of whole stages, and no others yet. */
export function openChunks({words}: WaveMemory, chunks: number): void {
  Atomics.store(words, OPEN, chunks);
  turn(words);
}

/** Chunks that threads may begin with. */
export function openChunkCount({words}: WaveMemory): number {
  return Atomics.load(words, OPEN);
}

/** A member comes to a wave. Claims no chunk before. One atomic, so that wherever a thread dies its bit says whether it was inside. */
export function enterWave({words}: WaveMemory, member: number): void {
  Atomics.or(words, INSIDE + (member >>> 5), 1 << (member & 31));
}

/** Whether any chunk is left to be claimed. */
export function hasChunks({ends, next}: WaveMemory): boolean {
  const last = ends.length - 1;
  return Atomics.load(next, last) < ends[last];
}

/**
 * Waits until a stage may begin.
 *
 * @param until  awake, and no longer than this, in `performance.now()`
 * @returns      false where no chunk of the wave is left: others have done it all, or it was stopped; and where it is late
 */
export function awaitStage(memory: WaveMemory, stage: number, until?: number): boolean {
  const {ends, words} = memory;
  let awakeUntil = 0;
  for (;;) {
    // Read first: what happens behind this makes the word another, and nobody sleeps.
    const seen = Atomics.load(words, TURNS);
    if (!hasChunks(memory)) return false;
    const now = performance.now();
    if (until !== undefined && now > until) return false;
    if (Atomics.load(words, OPEN) >= ends[stage] && Atomics.load(words, DONE) >= firstChunk(memory, stage)) return true;
    if (awakeUntil === 0) awakeUntil = until ?? now + AWAKE_MS;
    if (now > awakeUntil) Atomics.wait(words, TURNS, seen);
  }
}

/** Claims a chunk of a stage that may begin; undefined where none is left. */
export function claimChunk({ends, next}: WaveMemory, stage: number): number | undefined {
  const chunk = Atomics.add(next, stage, 1);
  return chunk < ends[stage] ? chunk : undefined;
}

/** A chunk is done; where it was the last one of its stage, threads may begin with the next. */
export function finishChunk({doneAt, ends, words}: WaveMemory, stage: number): void {
  // Read first: a chunk of the next stage may be done before this thread goes on.
  const now = sharedNow();
  if (Atomics.add(words, DONE, 1) + 1 !== ends[stage]) return;
  doneAt[stage] = now;
  turn(words);
}

/** Milliseconds of a clock that all threads of the process have in common. */
export function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A member goes, or has died; ends the wave where it was the last one. Returns whether it was there. */
export function leaveWave(memory: WaveMemory, member: number): boolean {
  const bit = 1 << (member & 31);
  const wasInside = (Atomics.and(memory.words, INSIDE + (member >>> 5), ~bit) & bit) !== 0;
  endIfDone(memory);
  return wasInside;
}

/** Lets threads finish their chunks and begin no more. */
export function stopWave(memory: WaveMemory): void {
  for (let stage = 0; stage < memory.next.length; stage++) Atomics.store(memory.next, stage, NO_MORE_CHUNKS);
  turn(memory.words);
  endIfDone(memory);
}

/** Wakes those that wait for a stage. */
function turn(words: Int32Array): void {
  Atomics.add(words, TURNS, 1);
  Atomics.notify(words, TURNS);
}

/**
 * Ends the wave, and wakes the calling thread, if all chunks are claimed and no thread is inside. Atomics have one order for all threads: of those
 * that leave the last one sees all bits at 0. One that comes later finds no chunk.
 */
function endIfDone(memory: WaveMemory): void {
  const {words} = memory;
  if (hasChunks(memory)) return;
  for (let word = INSIDE; word < words.length; word++) if (Atomics.load(words, word) !== 0) return;
  Atomics.store(words, ENDED, 1);
  Atomics.notify(words, ENDED);
}
