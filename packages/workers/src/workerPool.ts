import {availableParallelism} from 'node:os';
import {InvalidParameterError, throwIfAborted, WorkerFailedError} from '@epsball/clustering';
import {PoolThread, type RunningWave} from './poolThread.ts';
import {createWaveMemory, DONE, LEFT, NEXT, NO_MORE_CHUNKS, type WaveReply} from './task.ts';
import type {TaskInput, TaskModule, TaskName, TaskResult} from './taskModule.ts';

/** More than machines have processors: a thread takes some megabytes, and milliseconds to start. */
const THREADS_MAX = 1024;

/** Milliseconds between two looks at how far a wave is. */
const PROGRESS_MS = 100;

/** The longest that a timer can wait: 24 days, and then again. */
const TIMER_MAX = 2 ** 31 - 1;

export interface WorkerPoolOptions {
  /** Integer from 1 to 1024. Default: one per processor. */
  readonly threads?: number | undefined;
}

/** One fork and join: the same task over chunks of [0, …). */
export interface Wave<Input> {
  /** Where the run is, for errors. */
  readonly phase: string;
  /** Copied to each thread once; shared memory in it is shared, not copied. Keep the rest small. */
  readonly input: Input;
  /** One value at least, integers ≥ 0, ascending: chunk k is [bounds[k], bounds[k + 1]). Threads claim chunks one by one, in this order. */
  readonly bounds: readonly number[];
  /** Looked at before the wave; when it fires during one, threads end with the chunk that they are at. */
  readonly signal?: AbortSignal | undefined;
  /** Called now and then while the wave runs, when more chunks are done than before; they need not be the first ones. */
  readonly onProgress?: ((chunksDone: number) => void) | undefined;
}

export interface WaveOutcome<Result> {
  /** By chunk. */
  readonly results: Result[];
  /** Milliseconds that each thread worked, by its number in the pool; 0 without a chunk. */
  readonly threadMs: readonly number[];
}

/**
 * Threads that run waves of synchronous tasks over shared memory: fork, claim chunks until none is left, join.
 *
 * Threads start when the pool is made, those beyond the processors when a wave has chunks for them, and live until `destroy`.
 * Idle ones do not keep the process alive. Waves of one pool may overlap; they share its threads. A task that throws fails
 * its wave alone: the threads go on. A thread that dies fails the waves that it works on, and the next wave starts another.
 *
 * A wave costs a message to each thread, and a word that the threads count down. Results cost a message back; tasks that
 * return nothing send none.
 *
 * What a wave stores in shared memory, with plain stores, the next wave reads with plain loads, on any thread. Claiming chunks
 * orders nothing between waves; the start and the end of a wave do: a thread counts itself down, by an atomic, after its last
 * chunk, the calling thread posts the next wave's orders after it has read that all are down, and a thread starts on receipt of
 * its order. Each of these happens before the next, so all stores of a wave happen before all loads of waves that start once it
 * has settled, also when it failed. Inside a wave and between overlapping waves nothing is ordered: there, tasks touch
 * disjoint memory, or use `Atomics`.
 *
 * @source ECMAScript, Memory Model (happens-before); HTML, structured clone and message ports (a message synchronizes the
 *         sending agent with the receiving one)
 */
export class WorkerPool implements Disposable {
  readonly threads: number;
  /** By number. */
  readonly #all: readonly PoolThread[];
  /** Alive while a wave runs: nothing else of a pool keeps the process alive. */
  readonly #keepAlive: NodeJS.Timeout;
  #waveCount = 0;
  #lastWave = 0;
  #isDestroyed = false;

  /** @throws InvalidParameterError  if `threads` is not an integer from 1 to 1024 */
  constructor(options: WorkerPoolOptions = {}) {
    const {threads = availableParallelism()} = options;
    if (!Number.isInteger(threads) || threads < 1 || threads > THREADS_MAX) {
      throw new InvalidParameterError('threads', threads, `an integer from 1 to ${THREADS_MAX}`);
    }
    this.threads = threads;
    this.#all = Array.from({length: threads}, () => new PoolThread());
    this.#keepAlive = setInterval(() => {}, TIMER_MAX).unref();
    for (const thread of this.#all.slice(0, availableParallelism())) thread.start();
  }

  /**
   * Runs one task over all chunks and waits for them.
   *
   * @param module  of the task; each thread loads it once
   * @param name    the export
   * @returns       results by chunk, and the threads' times
   * @throws WorkerFailedError  if the task throws (names phase and chunk; the error is the cause), if it cannot be loaded,
   *                            its input not copied, or a thread dies. By then no thread works on the wave any more
   * @throws RunAbortedError    if the signal has fired
   * @throws InvalidParameterError  if `bounds` is empty or does not ascend
   * @complexity    some 0.02 ms and 0.01 ms a thread beside the tasks
   */
  async wave<Tasks, Name extends TaskName<Tasks>>(
    module: TaskModule<Tasks>,
    name: Name,
    wave: Wave<TaskInput<Tasks[Name]>>,
  ): Promise<WaveOutcome<TaskResult<Tasks[Name]>>> {
    const {phase, input, bounds, signal} = wave;
    checkBounds(bounds);
    const whole = [bounds[0], bounds[bounds.length - 1]] as const;
    throwIfAborted(signal, phase);
    if (this.#isDestroyed) {
      throw new WorkerFailedError(phase, whole, {cause: new Error('the pool is destroyed')});
    }
    const threads = this.#leastBusy(Math.min(this.threads, bounds.length - 1));
    const memory = createWaveMemory(bounds, threads.length);
    const running: RunningWave<TaskResult<Tasks[Name]>> = {memory, replies: []};
    const number = ++this.#lastWave;
    threads.forEach((thread, fork) => {
      thread.post({wave: number, module: module.url, name, input, memory, fork}, running);
    });
    try {
      await this.#ended(running, wave);
    } finally {
      for (const thread of threads) thread.close(number);
    }
    const results = join(running, wave, whole);
    throwIfAborted(signal, phase);
    return {results, threadMs: this.#byNumber(threads, memory.ms)};
  }

  /** Ends the threads, and with an error the waves that run; safe to call twice. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (this.#waveCount === 0) clearInterval(this.#keepAlive);
    for (const thread of this.#all) thread.terminate();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** The threads with the fewest open orders, the lowest numbers first. */
  #leastBusy(count: number): PoolThread[] {
    if (this.#waveCount === 0) return this.#all.slice(0, count);
    return this.#all.toSorted((a, b) => a.openCount - b.openCount).slice(0, count);
  }

  /** Waits until all forks have ended; then throws what `onProgress` threw, if it did. */
  async #ended({memory: {words}}: RunningWave<unknown>, {signal, onProgress}: Wave<unknown>): Promise<void> {
    const stop = (): void => void Atomics.store(words, NEXT, NO_MORE_CHUNKS);
    signal?.addEventListener('abort', stop);
    let thrown: {readonly error: unknown} | undefined;
    const fail = (error: unknown): void => {
      thrown ??= {error};
      stop();
    };
    const looks = onProgress === undefined ? undefined : reportDone(words, onProgress, fail);
    if (this.#waveCount++ === 0) this.#keepAlive.ref();
    for (let left = Atomics.load(words, LEFT); left > 0; left = Atomics.load(words, LEFT)) {
      await Atomics.waitAsync(words, LEFT, left).value;
    }
    if (--this.#waveCount === 0) this.#keepAlive.unref();
    if (this.#isDestroyed && this.#waveCount === 0) clearInterval(this.#keepAlive);
    clearInterval(looks);
    signal?.removeEventListener('abort', stop);
    if (thrown !== undefined) throw thrown.error;
  }

  /** Times by the threads' numbers, from times by fork. */
  #byNumber(threads: readonly PoolThread[], ms: Float64Array): number[] {
    return this.#all.map((thread) => ms[threads.indexOf(thread)] ?? 0);
  }
}

/** Looks now and then how many chunks of a wave are done, until it is cleared. What a listener throws goes to `fail`. */
function reportDone(
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

function checkBounds(bounds: readonly number[]): void {
  if (bounds.length === 0) throw new InvalidParameterError('bounds.length', 0, 'an integer ≥ 1');
  let low = 0;
  bounds.forEach((bound, k) => {
    if (!Number.isInteger(bound) || bound < low) {
      throw new InvalidParameterError(`bounds[${k}]`, bound, `an integer ≥ ${low}`);
    }
    low = bound;
  });
}

/** Puts the replies together, or throws the first failure, by chunk. */
function join<Result>(
  {replies, failure: ended}: RunningWave<Result>,
  {phase, bounds}: Wave<unknown>,
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
