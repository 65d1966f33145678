import {randomUUID} from 'node:crypto';
import {BroadcastChannel} from 'node:worker_threads';
import {callThreads, createCalls} from './calls.ts';
import {ResidentTask, type ResidentPool} from './residentTask.ts';
import type {WaveOrder} from './task.ts';

/** What the resident tasks report to their pool. */
export interface ResidentEvents extends Pick<ResidentPool, 'onReply' | 'onLostReply' | 'onDeath'> {
  /** Orders of the waves that run, for a task that is submitted meanwhile. */
  orders(): readonly WaveOrder[];
}

/** The resident tasks of a pool, one a thread, and the channel that carries orders to all of them. */
export class Residents {
  readonly #events: ResidentEvents;
  readonly #channel: BroadcastChannel;
  readonly #calls: Int32Array;
  /** By number of the thread. */
  readonly #tasks: readonly ResidentTask[];
  /** Modules that threads have been told to load. */
  readonly #modules = new Set<string>();

  constructor(threads: number, events: ResidentEvents) {
    this.#events = events;
    const channel = `@epsball/workers ${randomUUID()}`;
    this.#channel = new BroadcastChannel(channel);
    this.#channel.unref();
    this.#calls = createCalls(threads);
    const pool: ResidentPool = {
      link: {channel, calls: this.#calls},
      onReply: (reply) => events.onReply(reply),
      onLostReply: (cause) => events.onLostReply(cause),
      onEnd: (thread) => this.#submitAgain(thread),
      onDeath: (thread, cause) => this.#reportDeath(thread, cause),
    };
    this.#tasks = Array.from({length: threads}, (_, thread) => new ResidentTask(thread, pool));
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
  }

  /** Reports the replies that have come. */
  takeReplies(): void {
    for (const task of this.#tasks) task.takeReplies();
  }

  /** Ends the tasks. Their threads stay. */
  end(): void {
    for (const task of this.#tasks) task.end();
    callThreads(this.#calls, Infinity);
  }

  /** Ends the threads. */
  destroy(): void {
    for (const task of this.#tasks) task.destroy();
    this.#channel.close();
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
