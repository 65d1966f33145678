import {WorkerFailedError} from '@epsball/clustering';
import type {Step} from './step.ts';
import type {WaveOrder, WaveReply} from './task.ts';
import {
  chunkCount,
  createWaveMemory,
  DONE,
  ENDED,
  firstChunk,
  openChunks,
  replyingThreads,
  sharedNow,
  stopWave,
  writeBounds,
  type WaveMemory,
} from './waveMemory.ts';

/** Milliseconds between two progress reports of a wave. */
const PROGRESS_MS = 100;

/** A wave, from its start to its end. */
export interface RunningWave<Result> {
  readonly memory: WaveMemory;
  /** Phase of each step, for errors. */
  readonly phases: readonly string[];
  /** The replies that have come, by number of the thread: it replies once, when no chunk is left. */
  readonly replies: Map<number, WaveReply<Result>>;
  /** Time of `sharedNow`. */
  readonly postedAt: number;
  /** Its order, while the wave runs. */
  order?: WaveOrder;
  /** Why the wave was never sent or was stopped, or the thread that died. */
  failure?: ErrorOptions;
  /** Ends the wait for the wave. */
  wake?: () => void;
}

/** Creates a wave. Its chunks are numbered through all steps. Steps without bounds are closed. */
export function createRunningWave<Result>(
  steps: readonly Pick<Step<string>, 'phase' | 'bounds'>[],
  threads: number,
): RunningWave<Result> {
  let chunks = 0;
  const ends = steps.map(({bounds}) => (chunks += typeof bounds === 'number' ? bounds : bounds.length - 1));
  const memory = createWaveMemory(ends, threads);
  steps.forEach(({bounds}, step) => {
    if (typeof bounds !== 'number') writeBounds(memory, firstChunk(memory, step), bounds);
  });
  const firstClosed = steps.findIndex(({bounds}) => typeof bounds === 'number');
  if (firstClosed >= 0) openChunks(memory, firstChunk(memory, firstClosed));
  return {memory, phases: steps.map(({phase}) => phase), replies: new Map(), postedAt: sharedNow()};
}

/** Stops a wave with a failure. The first failure stays. */
export function failWave(running: RunningWave<unknown>, cause: unknown): void {
  running.failure ??= {cause};
  stopWave(running.memory);
}

/** Whether no thread takes part in a wave any more. Replies may still be on their way. */
export function hasEnded({memory}: RunningWave<unknown>): boolean {
  return Atomics.load(memory.words, ENDED) === 1;
}

/** Whether a thread replies and its reply has not come. */
export function owesReply({memory, replies}: RunningWave<unknown>, thread: number): boolean {
  return !replies.has(thread) && replyingThreads(memory).includes(thread);
}

/** Ends the wait if no thread takes part and all replies have come. A wave that has failed waits for no reply. */
export function wakeIfComplete(running: RunningWave<unknown>): void {
  if (!hasEnded(running)) return;
  const {failure, memory, replies, wake} = running;
  if (failure !== undefined || replyingThreads(memory).every((thread) => replies.has(thread))) wake?.();
}

/** Reports the number of finished chunks until the timer is cleared. An error of the listener goes to `fail`. */
export function reportDone(
  words: Int32Array,
  onProgress: (chunksDone: number) => void,
  fail: (error: unknown) => void,
): ReturnType<typeof setInterval> {
  let before = 0;
  return setInterval(() => {
    const done = Atomics.load(words, DONE);
    try {
      if (done > before) onProgress(done);
    } catch (error) {
      fail(error);
    }
    before = done;
  }, PROGRESS_MS);
}

/** Returns the results by chunk, or throws the failure of the lowest chunk. */
export function join<Result>(running: RunningWave<Result>): Result[] {
  const {replies, failure: ended, memory} = running;
  if (ended !== undefined) throw failureAt(running, -1, ended);
  const results: Result[] = [];
  results.length = chunkCount(memory);
  let failure: WaveReply<Result>['failure'];
  for (const reply of replies.values()) {
    if (reply.failure !== undefined && (failure === undefined || reply.failure.chunk < failure.chunk)) {
      failure = reply.failure;
    }
    reply.chunks.forEach((chunk, k) => (results[chunk] = reply.results[k]));
  }
  if (failure === undefined) return results;
  throw failureAt(running, failure.chunk, {cause: failure.error});
}

/** The phase of the step that the wave is at. If all chunks are done, the phase of the last step. */
export function phaseOf(running: RunningWave<unknown>): string {
  return running.phases[stepOf(running, Atomics.load(running.memory.words, DONE))];
}

/** The step of a chunk. */
function stepOf({memory: {ends}}: RunningWave<unknown>, chunk: number): number {
  const step = ends.findIndex((end) => chunk < end);
  return step < 0 ? ends.length - 1 : step;
}

/**
 * Names the range of the chunk that failed. If no chunk failed (−1), names the range of the step that the wave was
 * at.
 */
function failureAt(running: RunningWave<unknown>, chunk: number, why: ErrorOptions): WorkerFailedError {
  const {memory, phases} = running;
  const {bounds, ends, words} = memory;
  const step = stepOf(running, chunk < 0 ? Atomics.load(words, DONE) : chunk);
  const [first, last] = chunk < 0 ? [firstChunk(memory, step), ends[step] - 1] : [chunk, chunk];
  return new WorkerFailedError(phases[step], [bounds[2 * first], bounds[2 * last + 1]], why);
}

/** By step: milliseconds from the end of the step before, or from the order, to its end. */
export function stepTimes({memory: {doneAt}, postedAt}: RunningWave<unknown>): number[] {
  return [...doneAt].map((ms, step) => ms - (step === 0 ? postedAt : doneAt[step - 1]));
}

/** By step and thread: milliseconds in chunks. */
export function threadTimes({memory: {ms}, phases}: RunningWave<unknown>): number[][] {
  const threads = ms.length / phases.length;
  return phases.map((_, step) => [...ms.subarray(step * threads, (step + 1) * threads)]);
}
