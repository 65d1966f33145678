import type {MessagePort} from 'node:worker_threads';

/** What all threads of a pool get when they start. */
export interface PoolLink {
  /** Name of the channel that carries orders to all threads of the pool. */
  readonly channel: string;
  /** Shared words of the pool (`calls.ts`). */
  readonly calls: Int32Array;
}

/** Argument of a resident task. */
export interface Residence {
  /** Number of the thread in the pool, from 0. */
  readonly thread: number;
  /** Carries replies, and the orders that were sent before the task listened to the channel. */
  readonly port: MessagePort;
}
