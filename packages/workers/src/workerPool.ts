import {availableParallelism} from 'node:os';
import {InvalidParameterError, throwIfAborted} from '@epsball/clustering';
import {SPARE_PROCESSORS} from './calls.ts';
import {Residents} from './residents.ts';
import {
  createRunningWave,
  failWave,
  join,
  leaveDead,
  memberTimes,
  phaseOf,
  reportDone,
  wakeIfEnded,
  type RunningWave,
} from './runningWave.ts';
import type {Stage} from './stage.ts';
import {
  checkBounds,
  checkStages,
  helpWith,
  openStages,
  stagesOutcome,
  stopStages,
  type StagedWave,
  type StagesUnderWay,
} from './stages.ts';
import type {WaveOrder} from './task.ts';
import type {TaskInput, TaskModule, TaskName, TaskResult, TaskTaking} from './taskModule.ts';
import type {Wave, WaveOutcome} from './wave.ts';
import {chunkCount, ENDED, REPLIES, stopWave} from './waveMemory.ts';

/** More than machines have processors: a thread takes some megabytes, and milliseconds to start. */
const THREADS_MAX = 1024;

/** Milliseconds without a wave after which the resident tasks end: pending ones would keep the process alive. */
const RESIDENCE_MS = 50;

export interface WorkerPoolOptions {
  /** Integer from 1 to 1024. Default: one per processor. */
  readonly threads?: number | undefined;
}

/**
 * Threads that run waves of synchronous tasks over shared memory: fork, claim chunks until none is left, join.
 *
 * Threads start when the pool is made, those beyond the processors when a wave has chunks for them, and live until `destroy`.
 * Idle ones do not keep the process alive. Waves of one pool may overlap; they share its threads. A task that throws fails
 * its wave alone: the threads go on. A thread that dies fails the waves that it works on, and those of which no other thread has heard; the next wave starts another.
 *
 * A wave costs one message to all threads, one call that wakes as many as it has chunks for, and a bit that each sets when it comes and clears when it goes. Results
 * cost a message back; tasks that return nothing send none. A thread that comes when all chunks are claimed has nothing to do, and nobody waits for it.
 *
 * What a wave stores in shared memory, with plain stores, the next wave reads with plain loads, on any thread. Claiming chunks
 * orders nothing between waves; the start and the end of a wave do: a thread clears its bit, by an atomic, after its last
 * chunk, the calling thread posts the next wave's order after it has read, by way of the thread that cleared the last one, that all are clear, and a thread
 * starts on receipt of the order. Each of these happens before the next, so all stores of a wave happen before all loads of waves that start once it
 * has settled, also when it failed. Inside a wave and between overlapping waves nothing is ordered: there, tasks touch
 * disjoint memory, or use `Atomics`.
 *
 * @source ECMAScript, Memory Model (happens-before); HTML, structured clone and message ports (a message synchronizes the
 *         sending agent with the receiving one)
 */
export class WorkerPool implements Disposable {
  readonly threads: number;
  readonly #residents: Residents;
  /** By number of the wave: those that have not ended. */
  readonly #running = new Map<number, RunningWave<unknown>>();
  /** Fires when no wave has run for a while. */
  readonly #idle: NodeJS.Timeout;
  #lastWave = 0;
  #isDestroyed = false;

  /** @throws InvalidParameterError  if `threads` is not an integer from 1 to 1024 */
  constructor(options: WorkerPoolOptions = {}) {
    const {threads = availableParallelism()} = options;
    if (!Number.isInteger(threads) || threads < 1 || threads > THREADS_MAX) {
      throw new InvalidParameterError('threads', threads, `an integer from 1 to ${THREADS_MAX}`);
    }
    this.threads = threads;
    this.#residents = new Residents(threads, {
      orders: () => this.#orders(),
      onReply: (reply) => void this.#running.get(reply.wave)?.replies.push(reply),
      onLostReply: (cause) => this.#failWavesWithReplies(cause),
      onDeath: (thread, cause) => this.#failWavesOf(thread, cause),
    });
    this.#idle = setTimeout(() => this.#endTasks(), RESIDENCE_MS);
    this.#residents.submit(availableParallelism());
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
   * @complexity    some 0.05 ms and 0.01 ms a thread beside the tasks
   */
  async wave<Tasks, Name extends TaskName<Tasks>>(
    module: TaskModule<Tasks>,
    name: Name,
    wave: Wave<TaskInput<Tasks[Name]>>,
  ): Promise<WaveOutcome<TaskResult<Tasks[Name]>>> {
    const {phase, bounds} = wave;
    checkBounds('bounds', bounds);
    const stages = [{phase, name, bounds}];
    const running = this.#begin<TaskResult<Tasks[Name]>>(module.url, wave, stages);
    const results = await this.#finish(running, wave);
    return {results, threadMs: memberTimes(running)[0].slice(0, this.threads)};
  }

  /**
   * Begins with several tasks in a row, which is one wave to the pool: threads that are done with the chunks of one stage go on to
   * the next when the others are done as well. Those that come to a closed stage sleep until it is opened; they are at no other
   * wave then.
   *
   * @param module  of the tasks; each thread loads it once
   * @throws RunAbortedError    if the signal has fired
   * @throws InvalidParameterError  if there is no stage, bounds are of no chunk or do not ascend, or an open stage follows a closed one
   * @complexity    as one wave; some 0.02 ms a stage more
   */
  stages<Tasks, Input>(
    module: TaskModule<Tasks>,
    staged: StagedWave<Input, TaskTaking<Tasks, Input>>,
  ): StagesUnderWay<Input, TaskTaking<Tasks, Input>> {
    const {stages} = staged;
    checkStages(stages);
    const running = this.#begin<unknown>(module.url, staged, stages);
    const ended = this.#finish(running, staged).then((results) => stagesOutcome(running, results));
    // Who ends the wave with an error of their own need not wait for this one.
    ended.catch(() => undefined);
    const {memory} = running;
    const named = {names: stages.map(({name}) => name), input: staged.input, memory};
    return {
      open: (bounds) => openStages(memory, bounds),
      help: (own, ms) => helpWith(running, named, own, {member: this.threads, ms}),
      stop: (reason) => stopStages(running, reason),
      ended,
    };
  }

  /**
   * Wakes threads for a wave that is about to come: they stay awake for a millisecond at most. To wake up takes a tenth or two, in which the caller can get the wave's input ready.
   * Only a hint: two processors are left alone, that of the calling thread and a spare one, because a thread that is awake and has nothing to do would stand in its way.
   *
   * @param threads  as many as the wave has work for at a time; all unless given
   */
  awaken(threads: number = Infinity): void {
    const count = Math.min(threads, availableParallelism() - SPARE_PROCESSORS);
    if (this.#isDestroyed || count <= 0) return;
    this.#residents.awaken(count);
    this.#idle.refresh();
  }

  /** Ends the threads, and with an error the waves that run; safe to call twice. */
  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    clearTimeout(this.#idle);
    this.#residents.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Posts the order of a wave. */
  #begin<Result>(
    module: string,
    {input, signal}: Pick<Wave<unknown>, 'input' | 'signal'>,
    stages: readonly Stage<string>[],
  ): RunningWave<Result> {
    throwIfAborted(signal, stages[0].phase);
    const running = createRunningWave<Result>(stages, this.threads);
    const {memory} = running;
    if (this.#isDestroyed) {
      running.failure = {cause: new Error('the pool is destroyed')};
      stopWave(memory);
    }
    if (this.#isDestroyed || chunkCount(memory) === 0) return running;
    const wave = ++this.#lastWave;
    running.order = {wave, module, names: stages.map(({name}) => name), input, memory};
    this.#running.set(wave, running);
    try {
      // Threads that are at other waves may be at them for long.
      const count = [...this.#running.values()].reduce((sum, one) => sum + chunkCount(one.memory), 0);
      this.#residents.post(running.order, chunkCount(memory), count);
    } catch (error) {
      failWave(running, error);
    }
    return running;
  }

  /** Waits until a wave has ended, and puts its results together. */
  async #finish<Result>(
    running: RunningWave<Result>,
    wave: Pick<Wave<unknown>, 'signal' | 'onProgress'>,
  ): Promise<Result[]> {
    const {memory, order} = running;
    if (order !== undefined) {
      try {
        await this.#ended(running, wave);
      } finally {
        if (Atomics.load(memory.words, REPLIES) > 0) this.#residents.takeReplies();
        this.#running.delete(order.wave);
        if (!this.#isDestroyed) this.#idle.refresh();
      }
    }
    const results = join(running);
    throwIfAborted(wave.signal, phaseOf(running));
    return results;
  }

  /** Orders of the waves that run. */
  #orders(): WaveOrder[] {
    return [...this.#running.values()].flatMap(({order}) => order ?? []);
  }

  /** Ends the resident tasks, unless a wave runs. */
  #endTasks(): void {
    if (this.#running.size > 0) return;
    this.#residents.end();
  }

  /** Fails the waves in which a thread took part when it died. If no thread is left, fails all waves. */
  #failWavesOf(thread: number, cause: unknown): void {
    for (const running of this.#running.values()) {
      const isOver = Atomics.load(running.memory.words, ENDED) === 1;
      const isLost = leaveDead(running, thread) || !this.#residents.hasPending;
      if (!isOver && isLost) failWave(running, cause);
    }
  }

  #failWavesWithReplies(cause: unknown): void {
    for (const running of this.#running.values()) {
      if (Atomics.load(running.memory.words, REPLIES) > 0) running.failure ??= {cause};
    }
  }

  /** Waits until the wave has ended; then throws what `onProgress` threw, if it did. */
  async #ended(
    running: RunningWave<unknown>,
    {signal, onProgress}: Pick<Wave<unknown>, 'signal' | 'onProgress'>,
  ): Promise<void> {
    const {memory} = running;
    const stop = (): void => {
      stopWave(memory);
      wakeIfEnded(running);
    };
    signal?.addEventListener('abort', stop);
    let thrown: {readonly error: unknown} | undefined;
    const fail = (error: unknown): void => {
      thrown ??= {error};
      stop();
    };
    const looks = onProgress === undefined ? undefined : reportDone(memory.words, onProgress, fail);
    const seen = new Promise<void>((resolve) => (running.wake = resolve));
    await Promise.race([Atomics.waitAsync(memory.words, ENDED, 0).value, seen]);
    clearInterval(looks);
    signal?.removeEventListener('abort', stop);
    if (thrown !== undefined) throw thrown.error;
  }
}
