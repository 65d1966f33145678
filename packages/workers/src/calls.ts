// How the threads of a pool are called. Invariant: a thread sleeps only while nothing has been called since before it last looked for orders.
import {AWAKE_MS} from './waveMemory.ts';

/** Grows with every call. Threads sleep on it. */
const CALLS = 0;
/** Grows with every order, and where orders are to be looked for again. */
const ORDERS = 1;

/** Of the processors, where threads are awakened before there is work: that of the calling thread, and one more. */
export const SPARE_PROCESSORS = 2;

/** What a thread has seen of the calls. */
export interface SeenCalls {
  readonly calls: number;
  readonly orders: number;
}

/** For one pool. */
export function createCalls(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
}

/** Says that an order has been posted, and wakes so many of the threads that sleep: those that have slept longest. */
export function callThreads(calls: Int32Array, threads: number): void {
  // In this order: who has seen the order counted has seen the call, and does not wait for another one.
  Atomics.add(calls, CALLS, 1);
  Atomics.add(calls, ORDERS, 1);
  Atomics.notify(calls, CALLS, threads);
}

/** Wakes as many, or none, for an order that is about to be posted. */
export function awakenThreads(calls: Int32Array, threads: number): void {
  if (threads <= 0) return;
  Atomics.add(calls, CALLS, 1);
  Atomics.notify(calls, CALLS, threads);
}

/** To be read before a thread looks for orders. */
export function callsSoFar(calls: Int32Array): SeenCalls {
  // Orders first: one that comes between the two is found, and not waited for.
  const orders = Atomics.load(calls, ORDERS);
  return {calls: Atomics.load(calls, CALLS), orders};
}

/** Sleeps until there are more calls than were seen; where no order has come with them, stays awake for one. */
export function awaitCall(calls: Int32Array, seen: SeenCalls): void {
  Atomics.wait(calls, CALLS, seen.calls);
  const until = performance.now() + AWAKE_MS;
  while (Atomics.load(calls, ORDERS) === seen.orders && performance.now() < until);
}
