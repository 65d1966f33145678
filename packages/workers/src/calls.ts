// How the calling thread reaches the threads of a pool. Invariant: a thread sleeps only if no call has come since it
// last looked for orders.
import {AWAKE_MS} from './waveMemory.ts';

/** Word 0 counts the calls. Threads sleep on it. */
const CALLS = 0;
/** Word 1 counts the orders, and the other reasons to look for orders again. */
const ORDERS = 1;
/** From word 2 on: the state of each thread's resident task. */
const STATES = 2;

/** The resident task is submitted and does not listen to the channel yet: orders go through its port. */
const SUBMITTED = 0;
/** The resident task listens to the channel. */
const LISTENS = 1;
/** The resident task is to end. */
const ENDS = 2;

/** Processors without an awakened thread: the calling thread's, and one more. */
export const SPARE_PROCESSORS = 2;

/** The calls that a thread has seen. */
export interface SeenCalls {
  readonly calls: number;
  readonly orders: number;
}

/** Creates the shared words of a pool. */
export function createCalls(threads: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer((STATES + threads) * Int32Array.BYTES_PER_ELEMENT));
}

/** Counts an order, and wakes up to `threads` sleeping threads: those that have slept longest. */
export function callThreads(calls: Int32Array, threads: number): void {
  // In this order: a thread that has seen the order counted has also seen the call, and does not wait for another one.
  Atomics.add(calls, CALLS, 1);
  Atomics.add(calls, ORDERS, 1);
  Atomics.notify(calls, CALLS, threads);
}

/** Wakes up to `threads` sleeping threads for an order that will follow. */
export function awakenThreads(calls: Int32Array, threads: number): void {
  if (threads <= 0) return;
  Atomics.add(calls, CALLS, 1);
  Atomics.notify(calls, CALLS, threads);
}

/** Reads the counters. A thread reads them before it looks for orders. */
export function callsSoFar(calls: Int32Array): SeenCalls {
  // Orders first: an order that comes between the two reads is found, and not waited for.
  const orders = Atomics.load(calls, ORDERS);
  return {calls: Atomics.load(calls, CALLS), orders};
}

/** Sleeps until a call comes that was not seen. If it came without an order, spins for one for at most `AWAKE_MS`. */
export function awaitCall(calls: Int32Array, seen: SeenCalls): void {
  Atomics.wait(calls, CALLS, seen.calls);
  const until = performance.now() + AWAKE_MS;
  while (Atomics.load(calls, ORDERS) === seen.orders && performance.now() < until);
}

/** Calling thread: the resident task of a thread is submitted. */
export function markSubmitted(calls: Int32Array, thread: number): void {
  Atomics.store(calls, STATES + thread, SUBMITTED);
}

/** Resident task: it listens to the channel. Returns false if it is to end instead. */
export function markListening(calls: Int32Array, thread: number): boolean {
  return Atomics.compareExchange(calls, STATES + thread, SUBMITTED, LISTENS) === SUBMITTED;
}

/** Whether the resident task of a thread receives what goes out on the channel. */
export function listens(calls: Int32Array, thread: number): boolean {
  return Atomics.load(calls, STATES + thread) === LISTENS;
}

/** Calling thread: the resident task of a thread is to end. It looks after the next call. */
export function markEnding(calls: Int32Array, thread: number): void {
  Atomics.store(calls, STATES + thread, ENDS);
}

/** Whether the resident task of a thread is to end. */
export function isEnding(calls: Int32Array, thread: number): boolean {
  return Atomics.load(calls, STATES + thread) === ENDS;
}
