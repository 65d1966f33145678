// How the calling thread reaches the threads of a pool. Invariant: a thread sleeps only if no call has come since it
// last looked for orders.

/** Word 0 counts the calls: orders, and other reasons to look for orders again. Threads sleep on it. */
const CALLS = 0;
/** From word 1 on: the state of each thread's resident task. */
const STATES = 1;

/** The resident task is submitted and does not listen to the channel yet: orders go through its port. */
const SUBMITTED = 0;
/** The resident task listens to the channel. */
const LISTENS = 1;
/** The resident task is to end. */
const ENDS = 2;

/** Creates the shared words of a pool. */
export function createCalls(threads: number): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer((STATES + threads) * Int32Array.BYTES_PER_ELEMENT));
}

/** Counts a call, and wakes up to `threads` sleeping threads: those that have slept longest. */
export function callThreads(calls: Int32Array, threads: number): void {
  Atomics.add(calls, CALLS, 1);
  Atomics.notify(calls, CALLS, threads);
}

/** Reads the number of calls. A thread reads it before it looks for orders. */
export function callsSoFar(calls: Int32Array): number {
  return Atomics.load(calls, CALLS);
}

/** Sleeps until there are more calls than `seen`. */
export function awaitCall(calls: Int32Array, seen: number): void {
  Atomics.wait(calls, CALLS, seen);
}

/** Calling thread: the resident task of a thread is submitted. */
export function markSubmitted(calls: Int32Array, thread: number): void {
  Atomics.store(calls, STATES + thread, SUBMITTED);
}

/** Resident task: it listens to the channel. Returns false if it is to end instead. */
export function markListening(calls: Int32Array, thread: number): boolean {
  return Atomics.compareExchange(calls, STATES + thread, SUBMITTED, LISTENS) === SUBMITTED;
}

/**
 * Calling thread: keeps the resident task of a thread from listening, if it does not listen yet. Returns false if it
 * does.
 */
export function withdrawTask(calls: Int32Array, thread: number): boolean {
  return Atomics.compareExchange(calls, STATES + thread, SUBMITTED, ENDS) !== LISTENS;
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
