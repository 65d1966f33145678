import type {BucketedPoints} from './buckets.ts';
import type {DenseTarget} from './denseBucket.ts';
import {cellOnAxis, type GridGeometry} from './geometry.ts';

/** Maximum bits per digit of the radix sort: 2048 counters fit in the L1 cache. */
const DIGIT_BITS = 11;

/** Bits of a word that keep it non-negative. */
const WORD_BITS = 31;

/**
 * Stable sort of one bucket, [start, end), by cell. Writes the list of its occupied cells over its unsorted points:
 * first positions to `order` from `start` on, axis indices to `words` from `cellWords` on. Returns the number of cells.
 */
export function sortSparseBucket(
  bucketed: BucketedPoints,
  geometry: GridGeometry,
  start: number,
  end: number,
  {pointOrder, sortedCoords}: Pick<DenseTarget, 'pointOrder' | 'sortedCoords'>,
): number {
  const {dim} = geometry;
  const {order, coords, words} = bucketed;
  const keys = cellKeys(coords, geometry, start, end);
  if (keys.length === 0 && start < end) {
    // One cell: the points are already in order.
    pointOrder.set(order.subarray(start, end), start);
    sortedCoords.set(coords.subarray(start * dim, end * dim), start * dim);
    order[start] = start;
    const word = cellWords(bucketed, geometry, start);
    for (let d = 0; d < dim; d++) words[word + d] = cellOnAxis(geometry, d, sortedCoords[start * dim + d]);
    return 1;
  }
  const local = sortByKeys(keys, end - start);
  for (let k = 0, to = start; k < local.length; k++, to++) {
    const from = start + local[k];
    pointOrder[to] = order[from];
    for (let d = 0; d < dim; d++) sortedCoords[to * dim + d] = coords[from * dim + d];
  }
  // A separate loop: it overwrites what the loop above reads.
  let cellCount = 0;
  let word = cellWords(bucketed, geometry, start);
  for (let k = 0; k < local.length; k++) {
    if (k > 0 && haveSameKeys(keys, local[k - 1], local[k])) continue;
    order[start + cellCount++] = start + k;
    for (let d = 0; d < dim; d++) words[word++] = cellOnAxis(geometry, d, sortedCoords[(start + k) * dim + d]);
  }
  return cellCount;
}

/** Index in `words` where the axis indices of a bucket's cells begin, `dim` per cell. */
export function cellWords({words, coords}: BucketedPoints, {dim}: GridGeometry, start: number): number {
  return start * dim * (words.length / coords.length);
}

/** A part of the points' cells in one word; two cells have equal words only if they agree in this part. */
interface Key {
  readonly values: Int32Array;
  readonly bits: number;
}

/** The points' cells minus the bucket's lowest on each axis, packed into few words, lowest axis in the lowest bits. */
function cellKeys(coords: Float32Array | Float64Array, geometry: GridGeometry, start: number, end: number): Key[] {
  const {dim} = geometry;
  const keys: {values: Int32Array; bits: number}[] = [];
  for (let d = 0; d < dim; d++) {
    const cells = new Int32Array(end - start);
    let low = 0x7fffffff;
    let high = 0;
    for (let k = 0, at = start * dim + d; k < cells.length; k++, at += dim) {
      const cell = cellOnAxis(geometry, d, coords[at]);
      cells[k] = cell;
      if (cell < low) low = cell;
      if (cell > high) high = cell;
    }
    if (high <= low) continue;
    const bits = 32 - Math.clz32(high - low);
    const last = keys.at(-1);
    if (last !== undefined && last.bits + bits <= WORD_BITS) {
      for (let k = 0; k < cells.length; k++) last.values[k] |= (cells[k] - low) << last.bits;
      last.bits += bits;
    } else {
      for (let k = 0; k < cells.length; k++) cells[k] -= low;
      keys.push({values: cells, bits});
    }
  }
  return keys;
}

/** Stable radix sort, lowest digit of the first key first. Returns the numbers of the points in ascending order. */
export function sortByKeys(keys: readonly Key[], length: number): Int32Array {
  let order = new Int32Array(length);
  let next = new Int32Array(length);
  for (let k = 0; k < length; k++) order[k] = k;
  for (const {values, bits} of keys) {
    const digits = Math.ceil(bits / DIGIT_BITS);
    const width = Math.ceil(bits / digits);
    for (let digit = 0; digit < digits; digit++) {
      sortByDigit(values, digit * width, width, order, next);
      [order, next] = [next, order];
    }
  }
  return order;
}

function sortByDigit(values: Int32Array, shift: number, width: number, order: Int32Array, next: Int32Array): void {
  const mask = (1 << width) - 1;
  const starts = new Int32Array(1 << width);
  for (let k = 0; k < values.length; k++) starts[(values[k] >> shift) & mask]++;
  let sum = 0;
  for (let c = 0; c < starts.length; c++) {
    const size = starts[c];
    starts[c] = sum;
    sum += size;
  }
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    next[starts[(values[i] >> shift) & mask]++] = i;
  }
}

function haveSameKeys(keys: readonly Key[], a: number, b: number): boolean {
  for (const {values} of keys) if (values[a] !== values[b]) return false;
  return true;
}
