import {host} from '#host';
import type {ThreadMessage, ThreadStart, WaveOrder} from './order.ts';

/** A running thread. It serves orders one after another (`serve.ts`), and sends its messages in order. */
export interface Thread {
  /** @throws DataCloneError  if the input cannot be copied */
  post(order: WaveOrder): void;
  /** Whether the thread keeps its process alive. */
  hold(isHeld: boolean): void;
  /** Resolves when the thread has stopped. */
  end(): Promise<unknown>;
}

/** What a thread reports. */
export interface ThreadEvents {
  readonly onMessage: (message: ThreadMessage) => void;
  /** A message failed to deserialize. */
  readonly onMessageError: (cause: unknown) => void;
  /**
   * The thread has stopped. Messages that it sent before have been reported, or never come.
   *
   * @param instead  starts a thread in its place: it never came up, because its module is not there
   */
  readonly onDeath: (cause: unknown, instead?: StartThread) => void;
}

/** An engine: starts a thread that runs `serve`. */
export type StartThread = (start: ThreadStart, events: ThreadEvents) => Thread;

/** The parts of a pool that Node and browsers have in two versions. */
export interface ThreadHost {
  processors(): number;
  /** Why there are no threads with shared memory; undefined if there are. */
  missing(): string | undefined;
  startThread: StartThread;
  /** The URL from which threads load a module of tasks. */
  urlOf(url: string, code: string | undefined): string;
}

/** What the threads of a pool report to it. */
export interface PoolEvents {
  /** Orders of the waves that run and have not failed, for a thread that starts meanwhile. */
  orders(): readonly WaveOrder[];
  onMessage(thread: number, message: ThreadMessage): void;
  /** A message of a thread failed to deserialize. Its wave is unknown. */
  onMessageError(thread: number, cause: unknown): void;
  onDeath(thread: number, cause: unknown): void;
}

/** The threads of a pool: starts them when they are needed, and sends each order to all of them. */
export class Threads {
  readonly #events: PoolEvents;
  /** By number of the thread; undefined before its start and after its death. */
  readonly #threads: (Thread | undefined)[];
  readonly #calls = new Int32Array(new SharedArrayBuffer(4));
  /** Modules that threads have been told to load. */
  readonly #modules = new Set<string>();

  constructor(threads: number, events: PoolEvents) {
    this.#events = events;
    this.#threads = Array.from({length: threads}, () => undefined);
  }

  /** Whether any thread lives. It receives the orders of all waves that run. */
  get areAlive(): boolean {
    return this.#threads.some((thread) => thread !== undefined);
  }

  /**
   * Starts the first `count` threads, if they do not live, and sends them the orders of running waves.
   *
   * @returns  why one could not be started
   */
  start(count: number, orders: readonly WaveOrder[]): ErrorOptions | undefined {
    let failure: ErrorOptions | undefined;
    for (let thread = 0; thread < Math.min(count, this.#threads.length); thread++) {
      try {
        if (this.#threads[thread] === undefined) this.#start(thread, host.startThread, orders);
      } catch (cause) {
        failure = {cause};
      }
    }
    return failure;
  }

  /**
   * Sends an order to all threads and wakes up to `chunks` of them.
   *
   * @param count  starts that many threads first
   * @throws       if the input cannot be copied, or if no thread could be started
   */
  post(order: WaveOrder, chunks: number, count: number): void {
    const others = this.#events.orders().filter((other) => other !== order);
    const failure = this.start(count, others);
    if (failure !== undefined && !this.areAlive) throw failure.cause;
    for (const thread of this.#threads) {
      thread?.hold(true);
      thread?.post(order);
    }
    // Threads that sleep on find the order when it is their turn, and no chunk of it. A new module is for all of them.
    this.#call(this.#modules.has(order.module) ? chunks : Infinity);
    this.#modules.add(order.module);
  }

  /** No wave runs for now: idle threads do not keep a process alive. */
  rest(): void {
    for (const thread of this.#threads) thread?.hold(false);
  }

  destroy(): void {
    this.#threads.splice(0).forEach((ended, thread) => {
      void ended?.end().then(() => this.#events.onDeath(thread, new Error('the pool is destroyed')));
    });
  }

  #start(thread: number, startThread: StartThread, orders: readonly WaveOrder[]): void {
    const started = startThread(
      {thread, calls: this.#calls},
      {
        onMessage: (message) => this.#events.onMessage(thread, message),
        onMessageError: (cause) => this.#events.onMessageError(thread, cause),
        onDeath: (cause, instead) => {
          // Ended with its pool, or reported before.
          if (this.#threads[thread] !== started) return;
          this.#threads[thread] = undefined;
          this.#replace(thread, cause, instead);
        },
      },
    );
    this.#threads[thread] = started;
    started.hold(orders.length > 0);
    for (const order of orders) started.post(order);
  }

  #replace(thread: number, cause: unknown, instead: StartThread | undefined): void {
    try {
      if (instead !== undefined) return this.#start(thread, instead, this.#events.orders());
    } catch {
      // The first cause says more.
    }
    // The thread may have been woken for a wave that it never reached.
    this.#call(Infinity);
    this.#events.onDeath(thread, cause);
  }

  /** Wakes up to `count` sleeping threads: those that have slept longest. */
  #call(count: number): void {
    Atomics.add(this.#calls, 0, 1);
    Atomics.notify(this.#calls, 0, count);
  }
}
