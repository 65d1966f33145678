import {randomUUID} from 'node:crypto';
import {BroadcastChannel} from 'node:worker_threads';
import type {Piscina} from 'piscina';
import {callThreads, createCalls, withdrawTask} from './calls.ts';
import {ResidentTask, type ResidentPool} from './residentTask.ts';
import type {WaveOrder} from './task.ts';
import type {ThreadEvents, Threads} from './threads.ts';
import {ENDED} from './waveMemory.ts';

/** Milliseconds without a wave after which the resident tasks end: pending ones would keep the process alive. */
const RESIDENCE_MS = 50;

/** The resident tasks of a pool, one a thread, and the channel that carries orders to all of them. */
export class Residents implements Threads {
  readonly #events: ThreadEvents;
  readonly #channel: BroadcastChannel;
  readonly #calls: Int32Array;
  /** By number of the thread. */
  readonly #tasks: readonly ResidentTask[];
  /** Modules that threads have been told to load. */
  readonly #modules = new Set<string>();
  /** Whether a task has ended as it was told to. */
  #hasServed = false;
  /** Fires when no wave has run for `RESIDENCE_MS`. */
  readonly #idle: NodeJS.Timeout;

  constructor(threads: number, events: ThreadEvents, PiscinaClass: typeof Piscina) {
    this.#events = events;
    const channel = `@epsball/workers ${randomUUID()}`;
    this.#channel = new BroadcastChannel(channel);
    this.#channel.unref();
    this.#calls = createCalls(threads);
    const pool: ResidentPool = {
      link: {channel, calls: this.#calls},
      onReply: (thread, reply) => events.onReply(thread, reply),
      onLostReply: (thread, cause) => events.onLostReply(thread, cause),
      onEnd: (thread) => this.#submitAgain(thread),
      onDeath: (thread, cause) => this.#reportDeath(thread, cause),
    };
    this.#tasks = Array.from({length: threads}, (_, thread) => new ResidentTask(thread, pool, PiscinaClass));
    this.#idle = setTimeout(() => this.#end(), RESIDENCE_MS);
  }

  /** Whether any task is pending. A pending task receives the orders of all waves that run. */
  get hasPending(): boolean {
    return this.#tasks.some(({isPending}) => isPending);
  }

  /**
   * Submits the tasks of the first `count` threads, if they are not pending. Returns why one could not be submitted.
   */
  submit(count: number): ErrorOptions | undefined {
    let failure: ErrorOptions | undefined;
    for (const task of this.#tasks.slice(0, count)) {
      try {
        if (!task.isPending) task.submit(this.#events.orders());
      } catch (cause) {
        failure = {cause};
      }
    }
    return failure;
  }

  /**
   * Sends an order to all threads and wakes up to `chunks` of them.
   *
   * @param count  submits the tasks of that many threads first
   * @throws       if the input cannot be copied, or if no task could be submitted
   */
  post(order: WaveOrder, chunks: number, count: number): void {
    for (const task of this.#tasks) if (task.isPending && !task.isListening) task.send(order);
    const failure = this.submit(count);
    if (failure !== undefined && !this.hasPending) throw failure.cause;
    this.#sendToListeners(order);
    // Threads that sleep on find the order when it is their turn, and no chunk of it. A new module is for all of them.
    callThreads(this.#calls, this.#modules.has(order.module) ? chunks : Infinity);
    this.#modules.add(order.module);
    this.#awaitEnd(order);
  }

  /** Reports the replies that have come. */
  takeReplies(): void {
    for (const task of this.#tasks) task.takeReplies();
  }

  rest(): void {
    this.#idle.refresh();
  }

  /**
   * Keeps the tasks from their work, if none has begun it. Returns false if one has: its waves may have been served.
   * Then the others go on, too.
   */
  withdraw(): boolean {
    return !this.#hasServed && this.#tasks.every((_, thread) => withdrawTask(this.#calls, thread));
  }

  /** Ends the threads. */
  destroy(): void {
    clearTimeout(this.#idle);
    for (const task of this.#tasks) task.destroy();
    this.#channel.close();
  }

  /** Ends the tasks, unless a wave runs. Their threads stay. */
  #end(): void {
    if (this.#events.orders().length > 0) return;
    for (const task of this.#tasks) task.end();
    callThreads(this.#calls, Infinity);
  }

  /** The last thread that leaves the wave wakes this thread. */
  #awaitEnd({wave, memory}: WaveOrder): void {
    const ended = Promise.resolve(Atomics.waitAsync(memory.words, ENDED, 0).value);
    void ended.then(() => this.#events.onLeft(wave));
  }

  #sendToListeners(order: WaveOrder): void {
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads, not a window
      this.#channel.postMessage(order);
    } catch {
      // Node copies keys and blobs to a single thread only. If it copies the input to none, this throws too.
      for (const task of this.#tasks) task.send(order);
    }
  }

  /** A task has ended because no wave ran. Waves that have begun since then still get its thread. */
  #submitAgain(thread: number): void {
    this.#hasServed = true;
    const orders = this.#events.orders();
    if (orders.length === 0) return;
    try {
      this.#tasks[thread].submit(orders);
    } catch (error) {
      this.#reportDeath(thread, error);
    }
  }

  #reportDeath(thread: number, cause: unknown): void {
    // The thread may have been woken for a wave that it never reached.
    callThreads(this.#calls, Infinity);
    this.#events.onDeath(thread, cause);
  }
}
