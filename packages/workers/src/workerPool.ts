import {host} from '#host';
import {checkKnownOptions, InvalidParameterError, throwIfAborted} from '@epsball/clustering';
import type {ThreadMessage, WaveOrder} from './order.ts';
import {RunningWave} from './runningWave.ts';
import {requireSharedMemory} from './sharedArena.ts';
import {checkBounds, checkSteps, openSteps} from './steps.ts';
import type {TaskInput, TaskModule, TaskName, TaskResult, TaskTaking} from './task.ts';
import {Threads} from './threads.ts';
import type {Step, SteppedWave, StepsUnderWay, Wave, WaveOutcome} from './wave.ts';
import {chunkCount} from './waveMemory.ts';

/** Above the processors of any machine. A thread takes some megabytes, and milliseconds to start. */
const THREADS_MAX = 1024;

export interface WorkerPoolOptions {
  /** Integer from 1 to 1024. Default: one per processor. */
  readonly threads?: number | undefined;
}

/**
 * Worker threads that run waves of synchronous tasks over shared memory: fork, claim chunks until none is left, join.
 *
 * As many threads as there are processors start with the pool, the others when a wave has chunks for them. They live
 * until `destroy`, and do not keep the process alive between waves. Waves of one pool may overlap; they share its
 * threads. A task that throws fails its wave only, and its thread stays. A thread that dies fails the waves in which it
 * took part, and all waves if no other thread is left; the next wave starts another thread.
 *
 * A wave costs a message to each thread, one call that wakes as many threads as there are chunks, two atomics for each
 * thread that takes part, and a message of the last thread that leaves. Results cost a message back; tasks that return
 * nothing send none. A thread that comes after all chunks are claimed has nothing to do, and the wave does not wait for
 * it.
 *
 * A plain load in a wave sees the plain stores of an earlier wave, on any thread. Claims do not order memory between
 * waves, but the start and the end of a wave do: after its last chunk a thread clears its bit by an atomic; the last
 * thread to do so reads that all bits are clear and sends a message; on its receipt the calling thread posts the next
 * order; a thread begins on receipt of that order. Each of these happens before the next. So all stores of a wave
 * happen before all loads of waves that start after it has settled, also if it failed. Inside a wave and between
 * overlapping waves no order holds: there, tasks must touch disjoint memory or use `Atomics`.
 *
 * @source ECMAScript, Memory Model (happens-before); HTML, structured clone and message ports (a message synchronizes
 *         the sending agent with the receiving one)
 */
export class WorkerPool implements Disposable {
  readonly threads: number;
  readonly #threads: Threads;
  readonly #running = new Map<number, RunningWave<unknown>>();
  #lastWave = 0;
  #isDestroyed = false;

  /**
   * @throws InvalidParameterError    if an option is unknown, or `threads` is not an integer from 1 to 1024
   * @throws WorkersUnavailableError  in a page that is not cross-origin isolated
   */
  constructor(options: WorkerPoolOptions = {}) {
    requireSharedMemory();
    checkKnownOptions(options, ['threads'], 'options', 'an object such as {threads: 4}');
    const {threads = host.processors()} = options;
    if (!Number.isInteger(threads) || threads < 1 || threads > THREADS_MAX) {
      throw new InvalidParameterError('threads', threads, `an integer from 1 to ${THREADS_MAX}`);
    }
    this.threads = threads;
    this.#threads = new Threads(threads, {
      orders: () => this.#orders(),
      onMessage: (thread, message) => this.#take(thread, message),
      onMessageError: (thread, cause) => {
        for (const running of this.#running.values()) running.loseMessage(thread, cause);
      },
      onDeath: (thread, cause) => {
        const isLast = !this.#threads.areAlive;
        for (const running of this.#running.values()) running.loseThread(thread, cause, isLast);
      },
    });
    this.#threads.start(host.processors(), []);
  }

  /**
   * Runs one task on all chunks and waits for them.
   *
   * @param module  module of the task; each thread loads it once
   * @param name    name of the exported task
   * @returns       results by chunk, and the time of each thread
   * @throws WorkerFailedError  if the task throws (names phase and chunk; the error is the cause), the module cannot be
   *                            loaded, the input cannot be copied, or a thread dies. No thread then works on the wave
   * @throws RunAbortedError    if the signal has fired
   * @throws InvalidParameterError  if `bounds` is empty or does not ascend
   * @complexity    some 0.05 ms and 0.01 ms a thread beside the tasks; half a millisecond more after 50 ms without one
   */
  async wave<Tasks, Name extends TaskName<Tasks>>(
    module: TaskModule<Tasks>,
    name: Name,
    wave: Wave<TaskInput<Tasks[Name]>>,
  ): Promise<WaveOutcome<TaskResult<Tasks[Name]>>> {
    const {phase, bounds} = wave;
    checkBounds('bounds', bounds);
    const steps = [{phase, name, bounds}];
    const running = this.#begin<TaskResult<Tasks[Name]>>(module, wave, steps);
    const results = await this.#finish(running, wave);
    return {results, threadMs: running.threadMs()[0]};
  }

  /**
   * Starts several tasks in a row as one wave. When all chunks of a step are done, the threads go on to the next
   * step. Threads at a closed step sleep until it opens, and take no chunks of other waves meanwhile.
   *
   * @param module  module of the tasks; each thread loads it once
   * @throws RunAbortedError    if the signal has fired
   * @throws InvalidParameterError  if there is no step, a step has no chunk, bounds do not ascend, or an open step
   *                                follows a closed one
   * @complexity    as one wave; some 0.02 ms more for each step
   */
  steps<Tasks, Input>(module: TaskModule<Tasks>, stepped: SteppedWave<Input, TaskTaking<Tasks, Input>>): StepsUnderWay {
    const {steps} = stepped;
    checkSteps(steps);
    const running = this.#begin<unknown>(module, stepped, steps);
    const ended = this.#finish(running, stepped).then((results) => running.outcome(results));
    // A caller that stops the wave need not handle this promise.
    ended.catch(() => undefined);
    return {
      open: (bounds) => openSteps(running.order.memory, bounds),
      stop: (reason) => {
        if (!running.hasEnded) running.fail(reason);
      },
      ended,
    };
  }

  /** Ends the threads. Running waves fail. Further calls have no effect. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#threads.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  #begin<Result>(
    {url, code}: TaskModule<unknown>,
    {input, signal}: Pick<Wave<unknown>, 'input' | 'signal'>,
    steps: readonly Step<string>[],
  ): RunningWave<Result> {
    throwIfAborted(signal, steps[0].phase);
    const wave = ++this.#lastWave;
    const running = new RunningWave<Result>(wave, host.urlOf(url, code), input, steps, this.threads);
    const chunks = chunkCount(running.order.memory);
    if (this.#isDestroyed) running.fail(new Error('the pool is destroyed'));
    else if (chunks === 0) running.stop();
    if (running.hasEnded) return running;
    this.#running.set(wave, running);
    try {
      // Threads that take part in other waves may be busy for long.
      const count = [...this.#running.values()].reduce((sum, {order}) => sum + chunkCount(order.memory), 0);
      this.#threads.post(running.order, chunks, count);
    } catch (error) {
      running.fail(error);
    }
    return running;
  }

  async #finish<Result>(
    running: RunningWave<Result>,
    options: Pick<Wave<unknown>, 'signal' | 'onProgress'>,
  ): Promise<Result[]> {
    try {
      return await running.results(options);
    } finally {
      this.#running.delete(running.order.wave);
      if (this.#running.size === 0) this.#threads.rest();
    }
  }

  /** Orders of the running waves. A wave that has failed needs no more threads. */
  #orders(): WaveOrder[] {
    return [...this.#running.values()].filter(({hasFailed}) => !hasFailed).map(({order}) => order);
  }

  #take(thread: number, message: ThreadMessage): void {
    if ('ended' in message) this.#running.get(message.ended)?.look();
    else this.#running.get(message.wave)?.addReply(thread, message);
  }
}

/** The threads of an algorithm: its own, or those of a pool. */
export interface PoolOptions extends WorkerPoolOptions {
  /** Threads to use instead; borrowed. Not together with `threads`. */
  readonly pool?: WorkerPool | undefined;
}

/**
 * The pool of an algorithm. `release` destroys it, unless it is borrowed.
 *
 * @throws InvalidParameterError  if `threads` is out of range, or given together with a pool
 */
export function usePool({threads, pool}: PoolOptions): {readonly pool: WorkerPool; readonly release: () => void} {
  if (pool === undefined) {
    const own = new WorkerPool({threads});
    return {pool: own, release: () => own.destroy()};
  }
  if (threads === undefined) return {pool, release: () => undefined};
  throw new InvalidParameterError('threads', threads, 'no value with `pool`, which has threads of its own');
}
