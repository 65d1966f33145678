import {WorkerFailedError} from '@epsball/clustering';
import {DONE, type WaveMemory, type WaveReply} from './task.ts';

/** Milliseconds between two looks at how far a wave is. */
const PROGRESS_MS = 100;

/** One wave, from its start until it has ended. */
export interface RunningWave<Result> {
  readonly memory: WaveMemory;
  readonly replies: WaveReply<Result>[];
  /** Why it was never sent, or a thread that died. */
  failure?: ErrorOptions;
}

export function chunkCount({memory}: RunningWave<unknown>): number {
  return memory.bounds.length - 1;
}

/** Looks now and then how many chunks of a wave are done, until it is cleared. What a listener throws goes to `fail`. */
export function reportDone(
  words: Int32Array,
  onProgress: (chunksDone: number) => void,
  fail: (error: unknown) => void,
): NodeJS.Timeout {
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

/** Puts the replies together, or throws the first failure, by chunk. */
export function join<Result>(
  {replies, failure: ended, memory: {bounds}}: RunningWave<Result>,
  phase: string,
  whole: readonly [start: number, end: number],
): Result[] {
  if (ended !== undefined) throw new WorkerFailedError(phase, whole, ended);
  const results: Result[] = [];
  results.length = bounds.length - 1;
  let failure: WaveReply<Result>['failure'];
  for (const reply of replies) {
    if (reply.failure !== undefined && (failure === undefined || reply.failure.chunk < failure.chunk)) {
      failure = reply.failure;
    }
    reply.chunks.forEach((chunk, k) => (results[chunk] = reply.results[k]));
  }
  if (failure === undefined) return results;
  const {chunk, error} = failure;
  const range = chunk < 0 ? whole : ([bounds[chunk], bounds[chunk + 1]] as const);
  throw new WorkerFailedError(phase, range, {cause: error});
}
