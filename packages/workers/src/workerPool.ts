import {availableParallelism} from 'node:os';
import {InvalidParameterError, throwIfAborted, WorkerFailedError} from '@epsball/clustering';
import {Piscina} from 'piscina';
import {NO_MORE_CHUNKS, type WaveOrder, type WaveReply} from './task.ts';
import {taskModule, type TaskInput, type TaskModule, type TaskName, type TaskResult} from './taskModule.ts';
import type * as taskRunner from './taskRunner.ts';

const RUNNER = taskModule<typeof taskRunner>(import.meta.url, 'taskRunner').url;

/** From sources, packages of the workspace resolve to their sources on the threads as well. */
const EXEC_ARGV: {execArgv?: string[]} = import.meta.url.endsWith('.ts')
  ? {execArgv: ['--conditions=@epsball/source', '--disable-warning=ExperimentalWarning']}
  : {};

/** More than machines have processors: a thread takes some ten megabytes, and milliseconds to start. */
const THREADS_MAX = 1024;

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
 * its wave alone: the threads go on.
 *
 * What a wave stores in shared memory, with plain stores, the next wave reads with plain loads, on any thread. Claiming chunks
 * orders nothing between waves; messages do: a thread posts its reply after its last chunk, the calling thread posts the
 * next wave's orders after all replies, and a thread starts on receipt of its order. Each post happens before its receipt,
 * so all stores of a wave happen before all loads of waves that start once it has settled, also when it failed. Inside a
 * wave and between overlapping waves nothing is ordered: there, tasks touch disjoint memory, or use `Atomics`.
 *
 * @source ECMAScript, Memory Model (happens-before); HTML, structured clone and message ports (a message synchronizes the
 *         sending agent with the receiving one)
 */
export class WorkerPool implements Disposable {
  readonly threads: number;
  readonly #piscina: Piscina;
  /** Numbers of the threads that have worked, from 0, by thread id. */
  readonly #numbers = new Map<number, number>();
  #isDestroyed = false;

  /** @throws InvalidParameterError  if `threads` is not an integer from 1 to 1024 */
  constructor(options: WorkerPoolOptions = {}) {
    const {threads = availableParallelism()} = options;
    if (!Number.isInteger(threads) || threads < 1 || threads > THREADS_MAX) {
      throw new InvalidParameterError('threads', threads, `an integer from 1 to ${THREADS_MAX}`);
    }
    this.threads = threads;
    this.#piscina = new Piscina({
      filename: RUNNER,
      minThreads: Math.min(threads, availableParallelism()),
      maxThreads: threads,
      // A thread that has started stays.
      idleTimeout: Infinity,
      // Each costs time a task.
      recordTiming: false,
      trackUnmanagedFds: false,
      ...EXEC_ARGV,
    });
    // A thread that dies rejects its task, if it has one, and is replaced; as an event alone it would end the process.
    this.#piscina.on('error', () => {});
  }

  /**
   * Runs one task over all chunks and waits for them.
   *
   * @param module  of the task; each thread loads it once
   * @param name    the export
   * @returns       results by chunk, and the threads' times
   * @throws WorkerFailedError  if the task throws (names phase and chunk; the error is the cause), or a thread dies.
   *                            By then no thread works on the wave any more
   * @throws RunAbortedError    if the signal has fired
   * @throws InvalidParameterError  if `bounds` is empty or does not ascend
   * @complexity    about 0.1 ms beside the tasks
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
    const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const stop = (): void => void Atomics.store(next, 0, NO_MORE_CHUNKS);
    signal?.addEventListener('abort', stop);
    const order: WaveOrder = {module: module.url, name, input, bounds, next};
    const forks = Math.min(this.threads, bounds.length - 1);
    const replies: PromiseSettledResult<WaveReply<TaskResult<Tasks[Name]>>>[] = await Promise.allSettled(
      Array.from({length: forks}, () => this.#piscina.run(order)),
    );
    signal?.removeEventListener('abort', stop);
    const {results, threadMs} = join(replies, wave, whole);
    throwIfAborted(signal, phase);
    return {results, threadMs: this.#byNumber(threadMs)};
  }

  /** Ends the threads, and with an error the waves that run; safe to call twice. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    void this.#piscina.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Times by thread number, from times by thread id. */
  #byNumber(threadMs: ReadonlyMap<number, number>): number[] {
    const byNumber = Array.from({length: this.threads}, () => 0);
    for (const [id, ms] of threadMs) {
      const number = this.#numberOf(id);
      if (number < this.threads) byNumber[number] += ms;
    }
    return byNumber;
  }

  /** The number of a thread: a thread that replaces a dead one takes the dead one's. */
  #numberOf(id: number): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const living = new Set(this.#piscina.threads.map(({threadId}) => threadId));
    for (const other of this.#numbers.keys()) if (!living.has(other)) this.#numbers.delete(other);
    const taken = new Set(this.#numbers.values());
    let number = 0;
    while (taken.has(number)) number++;
    this.#numbers.set(id, number);
    return number;
  }
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

/** Puts the replies together, or throws the first failure, by chunk. Times are by thread id. */
function join<Result>(
  replies: readonly PromiseSettledResult<WaveReply<Result>>[],
  {phase, bounds}: Wave<unknown>,
  whole: readonly [start: number, end: number],
): {results: Result[]; threadMs: ReadonlyMap<number, number>} {
  const results: Result[] = [];
  results.length = bounds.length - 1;
  const threadMs = new Map<number, number>();
  let failure: WaveReply<Result>['failure'];
  for (const reply of replies) {
    if (reply.status === 'rejected') throw new WorkerFailedError(phase, whole, {cause: reply.reason});
    const {value} = reply;
    if (value.failure !== undefined && (failure === undefined || value.failure.chunk < failure.chunk)) {
      failure = value.failure;
    }
    value.chunks.forEach((chunk, k) => (results[chunk] = value.results[k]));
    if (value.chunks.length > 0) threadMs.set(value.threadId, (threadMs.get(value.threadId) ?? 0) + value.ms);
  }
  if (failure === undefined) return {results, threadMs};
  const {chunk, error} = failure;
  throw new WorkerFailedError(phase, [bounds[chunk], bounds[chunk + 1]], {cause: error});
}
