import {sortByKeys} from '../sparseBucket.ts';
import type {KeyColumns} from './projection.ts';

/**
 * The 32-bit words by which a column of keys is ordered, least significant first, as unsigned integers: IEEE 754
 * totalOrder, −0 before +0. Integers because a GPU sorts the same keys and may flush subnormals. By point: one array
 * for float32, two for float64.
 */
export function orderedWords({values, stride}: KeyColumns, column: number, n: number): Int32Array[] {
  const words = new Int32Array(values.buffer, values.byteOffset, values.byteLength / 4);
  const [lows, highs] = [new Int32Array(n), new Int32Array(n)];
  const isWide = values instanceof Float64Array;
  for (let i = 0; i < n; i++) {
    const at = (i * stride + column) * (isWide ? 2 : 1);
    const high = words[isWide ? at + 1 : at];
    // Flips all bits of negative floats, whose words descend, and only the sign of the others.
    lows[i] = words[at] ^ (high >> 31);
    highs[i] = high ^ ((high >> 31) | 0x80000000);
  }
  return isWide ? [lows, highs] : [highs];
}

/**
 * Stable sort of the points [start, end) of `order` by words of points, least significant first: the “fractionated
 * sorting” of Böhm et al. 2009, section 6.
 */
export function sortPartition(order: Int32Array, start: number, end: number, words: readonly Int32Array[]): void {
  if (end - start < 2) return;
  const points = order.slice(start, end);
  const keys = words.map((ofPoint) => ({values: points.map((point) => ofPoint[point]), bits: 32}));
  const sorted = sortByKeys(keys, points.length);
  for (let k = 0; k < sorted.length; k++) order[start + k] = points[sorted[k]];
}
