import type {ThreadEvents, Threads} from './threads.ts';
import type {WaveOrder, WaveReply} from './task.ts';
import {ENDED, REPLIES} from './waveMemory.ts';

/** What the calling thread sends to a thread. */
export interface OrderMessage {
  /** Number of the thread in the pool, from 0. */
  readonly thread: number;
  readonly order: WaveOrder;
}

/** What a thread sends: a reply, or the number of a wave that it has left. */
export type ThreadMessage = WaveReply<unknown> | {readonly left: number};

/** A worker of a browser, or a worker thread of Node. */
export interface MessageWorker {
  post(message: OrderMessage): void;
  /** Resolves when the worker has stopped. */
  terminate(): Promise<unknown>;
  /** Whether the worker keeps its process alive. */
  hold(isHeld: boolean): void;
}

/** What a worker reports. */
export interface MessageWorkerEvents {
  readonly onMessage: (message: ThreadMessage) => void;
  readonly onMessageError: (cause: unknown) => void;
  readonly onError: (cause: unknown) => void;
}

/** Starts a worker that runs `serveMessages`. */
export type StartWorker = (events: MessageWorkerEvents) => MessageWorker;

interface Waiting {
  readonly order: WaveOrder;
  readonly resolve: () => void;
}

/**
 * Threads that get orders as messages: for browsers, and for Node programs that a bundler has put into one file. Their
 * event loops turn, so an idle thread costs nothing, and a wave costs one message to each thread and one back.
 *
 * A thread sends its reply before it leaves a wave, but two threads' messages may arrive in any order. So a wave has
 * ended when the last thread has left it and as many replies have come as threads have counted.
 */
export class MessageThreads implements Threads {
  readonly #events: ThreadEvents;
  readonly #start: StartWorker;
  /** By number of the thread; undefined before its start and after its death. */
  readonly #workers: (MessageWorker | undefined)[];
  /** Replies that have come, by number of the wave. */
  readonly #replies = new Map<number, number>();
  readonly #waiting = new Map<number, Waiting>();

  constructor(threads: number, events: ThreadEvents, start: StartWorker) {
    this.#events = events;
    this.#start = start;
    this.#workers = Array.from({length: threads}, () => undefined);
  }

  get hasPending(): boolean {
    return this.#workers.some((worker) => worker !== undefined);
  }

  submit(count: number): ErrorOptions | undefined {
    let failure: ErrorOptions | undefined;
    for (let thread = 0; thread < Math.min(count, this.#workers.length); thread++) {
      if (this.#workers[thread] !== undefined) continue;
      try {
        const worker = this.#start(this.#eventsOf(thread));
        this.#workers[thread] = worker;
        worker.hold(this.#events.orders().length > 0);
        for (const order of this.#events.orders()) worker.post({thread, order});
      } catch (cause) {
        failure = {cause};
      }
    }
    return failure;
  }

  post(order: WaveOrder, _chunks: number, count: number): void {
    const started = this.#workers.map((worker) => worker !== undefined);
    const failure = this.submit(count);
    if (failure !== undefined && !this.hasPending) throw failure.cause;
    this.#workers.forEach((worker, thread) => {
      worker?.hold(true);
      // A thread that has just started has got the order with the others.
      if (started[thread]) worker?.post({thread, order});
    });
  }

  ended(order: WaveOrder): Promise<unknown> {
    return new Promise<void>((resolve) => {
      this.#waiting.set(order.wave, {order, resolve});
      this.#endWaiting();
    });
  }

  /** Replies are reported as they come. */
  takeReplies(): void {}

  rest(): void {
    const running = new Set(this.#events.orders().map(({wave}) => wave));
    for (const map of [this.#replies, this.#waiting]) {
      for (const wave of map.keys()) if (!running.has(wave)) map.delete(wave);
    }
    if (running.size === 0) for (const worker of this.#workers) worker?.hold(false);
  }

  destroy(): void {
    const workers = this.#workers.splice(0);
    workers.forEach((worker, thread) => {
      void worker?.terminate().then(() => this.#events.onDeath(thread, new Error('the pool is destroyed')));
    });
  }

  #eventsOf(thread: number): MessageWorkerEvents {
    return {
      onMessage: (message) => {
        if ('left' in message) return this.#endWaiting();
        this.#replies.set(message.wave, (this.#replies.get(message.wave) ?? 0) + 1);
        this.#events.onReply(message);
        this.#endWaiting();
      },
      onMessageError: (cause) => this.#events.onLostReply(cause),
      onError: (cause) => {
        if (this.#workers[thread] === undefined) return;
        void this.#workers[thread].terminate();
        this.#workers[thread] = undefined;
        this.#events.onDeath(thread, cause);
      },
    };
  }

  #endWaiting(): void {
    for (const {order, resolve} of this.#waiting.values()) {
      const {words} = order.memory;
      const come = this.#replies.get(order.wave) ?? 0;
      if (Atomics.load(words, ENDED) === 1 && come >= Atomics.load(words, REPLIES)) resolve();
    }
  }
}
