import type {ThreadEvents, Threads} from './threads.ts';
import type {WaveOrder, WaveReply} from './task.ts';

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
  /** The worker has stopped or must be stopped. Messages that it sent before have been reported, or never come. */
  readonly onError: (cause: unknown) => void;
}

/** Starts a worker that runs `serveMessages`. */
export type StartWorker = (events: MessageWorkerEvents) => MessageWorker;

/**
 * Threads that get orders as messages: for browsers, and for Node programs that a bundler has put into one file. Their
 * event loops turn, so an idle thread costs nothing, and a wave costs one message to each thread and one back. The
 * messages of two threads may arrive in any order.
 */
export class MessageThreads implements Threads {
  readonly #events: ThreadEvents;
  readonly #start: StartWorker;
  /** By number of the thread; undefined before its start and after its death. */
  readonly #workers: (MessageWorker | undefined)[];

  constructor(threads: number, events: ThreadEvents, start: StartWorker) {
    this.#events = events;
    this.#start = start;
    this.#workers = Array.from({length: threads}, () => undefined);
  }

  get hasPending(): boolean {
    return this.#workers.some((worker) => worker !== undefined);
  }

  submit(count: number): ErrorOptions | undefined {
    return this.#startWorkers(count, this.#events.orders());
  }

  post(order: WaveOrder, _chunks: number, count: number): void {
    const others = this.#events.orders().filter((other) => other !== order);
    const failure = this.#startWorkers(count, others);
    if (failure !== undefined && !this.hasPending) throw failure.cause;
    this.#workers.forEach((worker, thread) => {
      worker?.hold(true);
      worker?.post({thread, order});
    });
  }

  /** Replies are reported as they come. */
  takeReplies(): void {}

  rest(): void {
    for (const worker of this.#workers) worker?.hold(false);
  }

  destroy(): void {
    const workers = this.#workers.splice(0);
    workers.forEach((worker, thread) => {
      void worker?.terminate().then(() => this.#events.onDeath(thread, new Error('the pool is destroyed')));
    });
  }

  /** Starts the first `count` threads, if they have not started, and sends them orders. */
  #startWorkers(count: number, orders: readonly WaveOrder[]): ErrorOptions | undefined {
    let failure: ErrorOptions | undefined;
    for (let thread = 0; thread < Math.min(count, this.#workers.length); thread++) {
      if (this.#workers[thread] !== undefined) continue;
      try {
        const worker = this.#startWorker(thread);
        worker.hold(orders.length > 0);
        for (const order of orders) worker.post({thread, order});
      } catch (cause) {
        failure = {cause};
      }
    }
    return failure;
  }

  #startWorker(thread: number): MessageWorker {
    const worker = this.#start({
      onMessage: (message) => {
        if ('left' in message) this.#events.onLeft(message.left);
        else this.#events.onReply(thread, message);
      },
      onMessageError: (cause) => this.#events.onLostReply(thread, cause),
      onError: (cause) => {
        // It may have been replaced.
        if (this.#workers[thread] !== worker) return;
        this.#workers[thread] = undefined;
        void worker.terminate();
        this.#events.onDeath(thread, cause);
      },
    });
    return (this.#workers[thread] = worker);
  }
}
