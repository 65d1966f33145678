// A radix sort of edges by keys of 32 bits, the lowest digit first; edges with one key are then ordered by their
// weights. Floats that are not negative have the order of their bits: a key has the 32 bits from the first in which
// weights differ. The steps run on ranges of edges, on one thread or on many: those of one step share no word that they
// write. Edges move as a whole, because each look at an array by index would wait for memory.
import {gather} from './numberTree.ts';
import type {TreeEdges} from './treeEdges.ts';

import {indicesBelow} from '@epsball/clustering';
/** From this many edges on, a radix sort is faster than a comparison sort. */
const RADIX_FROM = 4096;

/** All but the sign, which −0 has. */
const UPPER_MASK = 0x7fffffff;
const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;
/** Digits of a key. */
export const SORT_DIGITS = 3;

/** Words of an edge: the lower and the upper one of its weight, and its ends. */
const WORDS = 4;

/** A sort under way: a plain object of arrays, which threads share. */
export interface EdgeSort {
  readonly edges: TreeEdges;
  /** The upper word of the smallest weight. */
  readonly least: number;
  /** Bits of a key from the lower word of a weight; from 1 to 31. */
  readonly lowerBits: number;
  /** Words of the edges, before and after a digit in turn. */
  readonly moved: readonly [Int32Array, Int32Array];
  /** By range of edges and digit: edges, and then where they go. */
  readonly counts: Uint32Array;
  /** Of one element: the digits whose places are known. */
  readonly known: Int32Array;
  /** The result, in the memory of the first `moved`. */
  readonly sorted: TreeEdges;
}

/** 16 bytes an edge, twice; shared for threads. The second may be that of the edges themselves, which change then. */
export type SortMemory = readonly [ArrayBufferLike, ArrayBufferLike];

/**
 * Sorts edges by their weights. Edges of one weight keep their order.
 *
 * @param edges   not modified, unless they lie in `memory`
 * @param memory  which changes. Default: made if needed
 * @returns       ends in the first `memory`
 * @complexity    O(m)
 */
export function sortEdges(edges: TreeEdges, memory?: SortMemory): TreeEdges {
  const {length} = edges.squared;
  if (length < RADIX_FROM) return compareWeights(edges);
  const sort = laySort(edges, memory ?? [new ArrayBuffer(16 * length), new ArrayBuffer(16 * length)]);
  readEdges(sort, 0, length);
  for (let digit = 0; digit < SORT_DIGITS; digit++) {
    countDigits(sort, 0, length, 0);
    placeDigits(sort);
    moveEdges(sort, 0, length, 0);
  }
  writeSorted(sort, 0, length);
  const sorted = orderKeys(sort);
  // Callers get the weights, in memory of their own.
  return {...sorted, squared: sorted.squared.slice()};
}

function compareWeights({from, to, squared}: TreeEdges): TreeEdges {
  const order = indicesBelow(squared.length).sort((a, b) => squared[a] - squared[b] || 0);
  return {from: gather(from, order), to: gather(to, order), squared: gather(squared, order)};
}

/**
 * @param ranges  that the edges are divided into
 * @param buffer  makes shared memory for threads
 */
export function laySort(
  edges: TreeEdges,
  [first, second]: SortMemory,
  ranges: number = 1,
  buffer: (bytes: number) => ArrayBufferLike = (bytes) => new ArrayBuffer(bytes),
): EdgeSort {
  const m = edges.squared.length;
  const bits = bitsOf(edges);
  let least = UPPER_MASK;
  let most = 0;
  for (let at = 1; at < bits.length; at += 2) {
    const upper = bits[at] & UPPER_MASK;
    if (upper < least) least = upper;
    if (upper > most) most = upper;
  }
  return {
    edges,
    least,
    lowerBits: Math.min(31, Math.clz32(most - least)),
    moved: [new Int32Array(first, 0, WORDS * m), new Int32Array(second, 0, WORDS * m)],
    counts: new Uint32Array(buffer(4 * ranges * DIGITS)),
    known: new Int32Array(buffer(4)),
    sorted: {
      squared: new Float64Array(first, 0, m),
      from: new Int32Array(first, 8 * m, m),
      to: new Int32Array(first, 12 * m, m),
    },
  };
}

function bitsOf({squared}: TreeEdges): Int32Array {
  return new Int32Array(squared.buffer, squared.byteOffset, 2 * squared.length);
}

/** The key of the weight whose two words begin at an index. */
function keyAt(words: Int32Array, at: number, {least, lowerBits}: EdgeSort): number {
  return ((words[at + 1] - least) << lowerBits) | (words[at] >>> (32 - lowerBits));
}

/** Writes the words of a range of edges. */
export function readEdges({edges, moved: [words]}: EdgeSort, start: number, end: number): void {
  const {from, to} = edges;
  const bits = bitsOf(edges);
  for (let k = start, at = WORDS * start; k < end; k++, at += WORDS) {
    words[at] = bits[2 * k];
    words[at + 1] = bits[2 * k + 1] & UPPER_MASK;
    words[at + 2] = from[k];
    words[at + 3] = to[k];
  }
}

/** Counts the edges of a range by the next digit. */
export function countDigits(sort: EdgeSort, start: number, end: number, range: number): void {
  const digit = sort.known[0];
  const words = sort.moved[digit & 1];
  const own = sort.counts.subarray(range * DIGITS, (range + 1) * DIGITS).fill(0);
  for (let at = WORDS * start; at < WORDS * end; at += WORDS) {
    own[(keyAt(words, at, sort) >>> (digit * DIGIT_BITS)) & (DIGITS - 1)]++;
  }
}

/** Turns counts into places: digits ascending, and in each the ranges in their order. Runs alone. */
export function placeDigits({counts, known}: EdgeSort): void {
  let sum = 0;
  for (let digit = 0; digit < DIGITS; digit++) {
    for (let at = digit; at < counts.length; at += DIGITS) {
      const count = counts[at];
      counts[at] = sum;
      sum += count;
    }
  }
  known[0]++;
}

/** Moves the edges of a range to their places. */
export function moveEdges(sort: EdgeSort, start: number, end: number, range: number): void {
  const digit = sort.known[0] - 1;
  const words = sort.moved[digit & 1];
  const next = sort.moved[~digit & 1];
  const places = sort.counts.subarray(range * DIGITS, (range + 1) * DIGITS);
  for (let at = WORDS * start; at < WORDS * end; at += WORDS) {
    const to = WORDS * places[(keyAt(words, at, sort) >>> (digit * DIGIT_BITS)) & (DIGITS - 1)]++;
    next[to] = words[at];
    next[to + 1] = words[at + 1];
    next[to + 2] = words[at + 2];
    next[to + 3] = words[at + 3];
  }
}

/** Writes a range of the result. Edges with one key are not in order yet. */
export function writeSorted({moved: [, words], sorted}: EdgeSort, start: number, end: number): void {
  const {from, to} = sorted;
  const bits = bitsOf(sorted);
  for (let k = start, at = WORDS * start; k < end; k++, at += WORDS) {
    bits[2 * k] = words[at];
    bits[2 * k + 1] = words[at + 1];
    from[k] = words[at + 2];
    to[k] = words[at + 3];
  }
}

/** The result, where edges of one key are brought into the order of their weights. Runs alone, last. */
export function orderKeys(sort: EdgeSort): TreeEdges {
  const {from, to, squared} = sort.sorted;
  const bits = bitsOf(sort.sorted);
  const keyOf = (k: number): number => keyAt(bits, 2 * k, sort);
  for (let k = 1; k < squared.length; k++) {
    if (squared[k] >= squared[k - 1]) continue;
    const key = keyOf(k);
    let start = k - 1;
    while (start > 0 && keyOf(start - 1) === key) start--;
    while (k < squared.length && keyOf(k) === key) k++;
    const run = compareWeights({
      from: from.subarray(start, k),
      to: to.subarray(start, k),
      squared: squared.subarray(start, k),
    });
    from.set(run.from, start);
    to.set(run.to, start);
    squared.set(run.squared, start);
  }
  return sort.sorted;
}
