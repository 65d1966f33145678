import {threadId} from 'node:worker_threads';

export interface Numbers {
  readonly values: Float64Array;
}

/** Sums a chunk. */
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

/** Spins for some milliseconds and returns the id of its thread. */
export function spin({ms}: {ms: number}): number {
  const until = performance.now() + ms;
  while (performance.now() < until);
  return threadId;
}

/** Counts the chunks. */
export function count({counts}: {counts: Int32Array}): void {
  Atomics.add(counts, 0, 1);
}

/** Waits in each chunk until `counts[0]` changes, for at most 20 · `ms` milliseconds. */
export function waitFor({counts, ms}: {counts: Int32Array; ms: number}): void {
  Atomics.wait(counts, 0, 0, 20 * ms);
}

/** Waits until `others` tasks have come. Returns whether they came within ten seconds. */
export function meet({counts, others}: {counts: Int32Array; others: number}): boolean {
  Atomics.add(counts, 0, 1);
  Atomics.notify(counts, 0);
  const until = performance.now() + 10_000;
  for (let here = Atomics.load(counts, 0); here < others; here = Atomics.load(counts, 0)) {
    if (performance.now() > until) return false;
    Atomics.wait(counts, 0, here, 1000);
  }
  return true;
}

export function returnFunction(): () => void {
  return () => {};
}

export function throwFunction(): never {
  throw Object.assign(new Error('no copy'), {cause: () => {}});
}

export function print(_: unknown, start: number, end: number): void {
  process.stdout.write(`start ${start}\n`);
  process.stdout.write(`end ${end}\n`);
}

/** Counts the chunks, and prints an invisible character. */
export function printNothing({counts}: {counts: Int32Array}): void {
  Atomics.add(counts, 0, 1);
  process.stdout.write('\r');
}

/** Returns its arguments. */
export function boundsOf(_: unknown, start: number, end: number, chunk: number): number[] {
  return [start, end, chunk];
}

/** Ends its thread when `others` tasks have come. */
export function meetAndEnd(input: {counts: Int32Array; others: number}): void {
  meet(input);
  process.exit(3);
}
