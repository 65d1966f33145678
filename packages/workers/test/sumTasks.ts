import {threadId} from 'node:worker_threads';

export interface Numbers {
  readonly values: Float64Array;
}

/** Sum of a chunk. */
export function sum({values}: Numbers, start: number, end: number): number {
  let total = 0;
  for (let i = start; i < end; i++) total += values[i];
  return total;
}

/** Doubles a chunk in place. */
export function double({values}: Numbers, start: number, end: number): void {
  for (let i = start; i < end; i++) values[i] *= 2;
}

export function failAt({at}: {at: number}, start: number, end: number): number {
  if (start <= at && at < end) throw new RangeError(`no value at ${at}`);
  return end - start;
}

export function endThread({status}: {status: number}): void {
  process.exit(status);
}

/** Works for some milliseconds and says who worked. */
export function spin({ms}: {ms: number}): number {
  const until = performance.now() + ms;
  while (performance.now() < until);
  return threadId;
}

/** Counts the chunks. */
export function count({counts}: {counts: Int32Array}): void {
  Atomics.add(counts, 0, 1);
}
