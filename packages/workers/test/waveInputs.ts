/** 0, 1, 2 … in shared memory. */
export function sharedNumbers(n: number): Float64Array {
  const values = new Float64Array(new SharedArrayBuffer(8 * n));
  for (let i = 0; i < n; i++) values[i] = i;
  return values;
}

/** `count` chunks of `length` items. */
export function evenBounds(count: number, length: number): number[] {
  return Array.from({length: count + 1}, (_, k) => k * length);
}
