import {host} from '#host';
import {checkKnownOptions, InvalidParameterError, throwIfAborted} from '@epsball/clustering';
import {requireSharedMemory} from './sharedMemory.ts';
import {
  createRunningWave,
  failWave,
  hasEnded,
  join,
  owesReply,
  phaseOf,
  reportDone,
  threadTimes,
  wakeIfComplete,
  type RunningWave,
} from './runningWave.ts';
import type {Step} from './step.ts';
import {checkBounds, checkSteps, openSteps, stepsOutcome, type SteppedWave, type StepsUnderWay} from './steps.ts';
import type {WaveOrder, WaveReply} from './task.ts';
import type {TaskInput, TaskModule, TaskName, TaskResult, TaskTaking} from './taskModule.ts';
import type {Threads} from './threads.ts';
import type {Wave, WaveOutcome} from './wave.ts';
import {chunkCount, leaveWave, stopWave} from './waveMemory.ts';

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
 * until `destroy`. Idle threads keep the process alive for 50 ms after a wave, and no longer. Waves of one pool may
 * overlap; they share its threads. A task that throws fails its wave only, and its thread stays. A thread that dies
 * fails the waves in which it took part, and all waves if no other thread is left; the next wave starts another
 * thread.
 *
 * A wave costs one message to all threads, one call that wakes as many threads as there are chunks, and two atomics
 * for each thread that takes part. Results cost a message back; tasks that return nothing send none. A thread that
 * comes after all chunks are claimed has nothing to do, and the wave does not wait for it.
 *
 * A plain load in a wave sees the plain stores of an earlier wave, on any thread. Claims do not order memory between
 * waves, but the start and the end of a wave do: after its last chunk a thread clears its bit by an atomic; the last
 * thread to do so reads that all bits are clear and wakes the calling thread; the calling thread posts the next
 * order; a thread begins on receipt of that order. Each of these happens before the next. So all stores of a wave
 * happen before all loads of waves that start after it has settled, also if it failed. Inside a wave and between
 * overlapping waves no order holds: there, tasks must touch disjoint memory or use `Atomics`.
 *
 * @source ECMAScript, Memory Model (happens-before); HTML, structured clone and message ports (a message synchronizes
 *         the sending agent with the receiving one)
 */
export class WorkerPool implements Disposable {
  readonly threads: number;
  readonly #workers: Threads;
  /** Waves that have not ended, by number. */
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
    this.#workers = host.createThreads(threads, {
      orders: () => this.#orders(),
      onReply: (thread, reply) => this.#addReply(thread, reply),
      onLostReply: (thread, cause) => this.#failWavesOwed(thread, cause),
      onLeft: (wave) => this.#look(this.#running.get(wave)),
      onDeath: (thread, cause) => this.#failWavesOf(thread, cause),
    });
    this.#workers.submit(host.processors());
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
   * @complexity    some 0.05 ms and 0.01 ms a thread beside the tasks; a millisecond more after an idle time of 50 ms
   */
  async wave<Tasks, Name extends TaskName<Tasks>>(
    module: TaskModule<Tasks>,
    name: Name,
    wave: Wave<TaskInput<Tasks[Name]>>,
  ): Promise<WaveOutcome<TaskResult<Tasks[Name]>>> {
    const {phase, bounds} = wave;
    checkBounds('bounds', bounds);
    const steps = [{phase, name, bounds}];
    const running = this.#begin<TaskResult<Tasks[Name]>>(urlOf(module), wave, steps);
    const results = await this.#finish(running, wave);
    return {results, threadMs: threadTimes(running)[0]};
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
    const running = this.#begin<unknown>(urlOf(module), stepped, steps);
    const ended = this.#finish(running, stepped).then((results) => stepsOutcome(running, results));
    // A caller that stops the wave need not handle this promise.
    ended.catch(() => undefined);
    const {memory} = running;
    return {
      open: (bounds) => openSteps(memory, bounds),
      stop: (reason) => {
        if (!hasEnded(running)) this.#fail(running, reason);
      },
      ended,
    };
  }

  /** Ends the threads. Running waves fail. Further calls have no effect. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#workers.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Starts a wave. */
  #begin<Result>(
    module: string,
    {input, signal}: Pick<Wave<unknown>, 'input' | 'signal'>,
    steps: readonly Step<string>[],
  ): RunningWave<Result> {
    throwIfAborted(signal, steps[0].phase);
    const running = createRunningWave<Result>(steps, this.threads);
    const {memory} = running;
    if (this.#isDestroyed) {
      running.failure = {cause: new Error('the pool is destroyed')};
      stopWave(memory);
    }
    if (this.#isDestroyed || chunkCount(memory) === 0) return running;
    const wave = ++this.#lastWave;
    running.order = {wave, module, names: steps.map(({name}) => name), input, memory};
    this.#running.set(wave, running);
    try {
      // Threads that take part in other waves may be busy for long.
      const count = [...this.#running.values()].reduce((sum, one) => sum + chunkCount(one.memory), 0);
      this.#workers.post(running.order, chunkCount(memory), count);
    } catch (error) {
      this.#fail(running, error);
    }
    return running;
  }

  /** Waits until a wave has ended, and joins its results. */
  async #finish<Result>(
    running: RunningWave<Result>,
    wave: Pick<Wave<unknown>, 'signal' | 'onProgress'>,
  ): Promise<Result[]> {
    const {order} = running;
    if (order !== undefined) {
      try {
        await this.#ended(running, wave);
      } finally {
        this.#running.delete(order.wave);
        if (this.#running.size === 0 && !this.#isDestroyed) this.#workers.rest();
      }
    }
    const results = join(running);
    throwIfAborted(wave.signal, phaseOf(running));
    return results;
  }

  /** Orders of the running waves. A wave that has failed needs no more threads. */
  #orders(): WaveOrder[] {
    return [...this.#running.values()].flatMap(({order, failure}) => (failure === undefined && order) || []);
  }

  #addReply(thread: number, reply: WaveReply<unknown>): void {
    const running = this.#running.get(reply.wave);
    if (running === undefined) return;
    running.replies.set(thread, reply);
    wakeIfComplete(running);
  }

  /** Ends the wait for a wave if it is complete. Called whenever it may have ended. */
  #look(running: RunningWave<unknown> | undefined): void {
    if (running === undefined || !hasEnded(running)) return;
    this.#workers.takeReplies();
    wakeIfComplete(running);
  }

  #fail(running: RunningWave<unknown>, cause: unknown): void {
    failWave(running, cause);
    this.#look(running);
  }

  /**
   * Fails the waves in which a thread took part when it died, and those to which it owes a reply. If no thread is left,
   * fails all waves.
   */
  #failWavesOf(thread: number, cause: unknown): void {
    for (const running of this.#running.values()) {
      const isOver = hasEnded(running);
      const wasInside = leaveWave(running.memory, thread);
      const isLost = !isOver && (wasInside || !this.#workers.hasPending);
      if (isLost || owesReply(running, thread)) failWave(running, cause);
      this.#look(running);
    }
  }

  /** Fails the waves to which a thread owes a reply: one of its replies is lost. */
  #failWavesOwed(thread: number, cause: unknown): void {
    for (const running of this.#running.values()) if (owesReply(running, thread)) this.#fail(running, cause);
  }

  /** Waits until the wave is complete. Then throws the error of `onProgress`, if there is one. */
  async #ended(
    running: RunningWave<unknown>,
    {signal, onProgress}: Pick<Wave<unknown>, 'signal' | 'onProgress'>,
  ): Promise<void> {
    const {memory} = running;
    const stop = (): void => {
      stopWave(memory);
      this.#look(running);
    };
    signal?.addEventListener('abort', stop);
    let thrown: {readonly error: unknown} | undefined;
    const fail = (error: unknown): void => {
      thrown ??= {error};
      stop();
    };
    const looks = onProgress === undefined ? undefined : reportDone(memory.words, onProgress, fail);
    await new Promise<void>((resolve) => {
      running.wake = resolve;
      this.#look(running);
    });
    clearInterval(looks);
    signal?.removeEventListener('abort', stop);
    if (thrown !== undefined) throw thrown.error;
  }
}

function urlOf({url, code}: TaskModule<unknown>): string {
  return host.urlOf(url, code);
}
