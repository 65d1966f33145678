import type {WaveOrder, WaveReply} from './task.ts';

/** What threads report to their pool. */
export interface ThreadEvents {
  /** Orders of the waves that run and have not failed, for a thread that starts meanwhile. */
  orders(): readonly WaveOrder[];
  /** A reply of a thread has come. */
  onReply(thread: number, reply: WaveReply<unknown>): void;
  /** A reply of a thread failed to deserialize. Its wave is unknown. */
  onLostReply(thread: number, cause: unknown): void;
  /** A thread has left a wave; it may be the last one. */
  onLeft(wave: number): void;
  /** A thread has died. Replies that it sent before have been reported, or never come. */
  onDeath(thread: number, cause: unknown): void;
}

/** The threads of a pool. */
export interface Threads {
  /** Whether any thread receives the orders of all waves that run. */
  readonly hasPending: boolean;
  /** Starts the first `count` threads, if they have not started. Returns why one could not be started. */
  submit(count: number): ErrorOptions | undefined;
  /**
   * Sends an order to all threads and wakes up to `chunks` of them.
   *
   * @param count  starts that many threads first
   * @throws       if the input cannot be copied, or if no thread could be started
   */
  post(order: WaveOrder, chunks: number, count: number): void;
  /** Reports the replies that have come and have not been reported. */
  takeReplies(): void;
  /** No wave runs for now. Idle threads do not keep a process alive for long. */
  rest(): void;
  /** Ends the threads. */
  destroy(): void;
}

/** The parts of a pool that Node and browsers have in two versions. */
export interface ThreadHost {
  /** Processors of the machine. */
  processors(): number;
  /** Why there are no threads with shared memory; undefined if there are. */
  missing(): string | undefined;
  createThreads: (threads: number, events: ThreadEvents) => Threads;
  /** The URL from which threads load a module of tasks. */
  urlOf(url: string, code: string | undefined): string;
}
