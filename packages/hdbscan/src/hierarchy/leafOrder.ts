import type {TreeEdges} from './treeEdges.ts';

/** Words of a position. */
const WORDS = 4;
/** The position above, or for a root −(positions of the component). */
const UP = 0;
/** The next position of the ring; behind the last one comes the first. */
const NEXT = 1;
/** Of a root: the last position of its list. */
const LAST = 2;
/** Of the first position of a list that was appended to another: the edge that joined them. */
const EDGE = 3;

/** Edges whose positions are read ahead. */
const TOUCHED = 64;

/**
 * A hierarchy as a list: each component, at each level, is a range of it. Its inner heights are at most the level, and
 * the heights at its ends are above it.
 */
export interface LeafOrder {
  /** What stands at each place of the list. */
  readonly order: Int32Array;
  /** The squared weight at which each entry and the one before it join; infinite for the first. */
  readonly heights: Float64Array;
}

/**
 * The components of a spanning tree as a list: edges of ascending weight append one list to another. Two lists are two
 * rings, which one exchange of links makes one. The four words of a position are in one cache line, since edges come in
 * the order of their weights, and each of them reads other lines than the one before.
 *
 * @param edges  ascending; n − 1, or none
 * @returns      positions; owned by the caller
 * @complexity   O(n · α(n)); 16 bytes a position beyond the result
 */
export function leafOrder({from, to, squared}: TreeEdges, n: number): LeafOrder {
  const order = new Int32Array(n);
  const heights = new Float64Array(n).fill(Infinity);
  if (squared.length === 0) return {order: order.map((_, p) => p), heights};
  const words = new Int32Array(WORDS * n);
  for (let p = 0, at = 0; p < n; p++, at += WORDS) {
    words[at + UP] = -1;
    words[at + NEXT] = p;
    words[at + LAST] = p;
  }
  let root = 0;
  for (let edge = 0; edge < squared.length; edge++) {
    if (edge % TOUCHED === 0) touch(words, from, to, edge);
    root = append(words, findRoot(words, from[edge]), findRoot(words, to[edge]), edge);
  }
  let p = words[WORDS * words[WORDS * root + LAST] + NEXT];
  order[0] = p;
  for (let k = 1; k < n; k++) {
    p = words[WORDS * p + NEXT];
    order[k] = p;
    heights[k] = squared[words[WORDS * p + EDGE]];
  }
  return {order, heights};
}

function findRoot(words: Int32Array, position: number): number {
  let p = position;
  let up = words[WORDS * p];
  while (up >= 0) {
    const above = words[WORDS * up];
    if (above < 0) return up;
    words[WORDS * p] = above;
    p = above;
    up = words[WORDS * p];
  }
  return p;
}

/** Appends the list of root b to that of root a. Returns the root of both. */
function append(words: Int32Array, a: number, b: number, edge: number): number {
  const lastA = WORDS * words[WORDS * a + LAST];
  const lastB = words[WORDS * b + LAST];
  const firstB = words[WORDS * lastB + NEXT];
  words[WORDS * lastB + NEXT] = words[lastA + NEXT];
  words[lastA + NEXT] = firstB;
  words[WORDS * firstB + EDGE] = edge;
  const isLarger = words[WORDS * a] <= words[WORDS * b];
  const above = isLarger ? a : b;
  const below = isLarger ? b : a;
  words[WORDS * above + UP] += words[WORDS * below + UP];
  words[WORDS * below + UP] = above;
  words[WORDS * above + LAST] = lastB;
  return above;
}

/** Without meaning: a compiler drops reads whose values are not used. */
const sink = new Int32Array(1);

/**
 * Reads words of the ends of some edges, none of which waits for another, so that their cache lines come together.
 * Edges would wait for one line after another.
 */
function touch(words: Int32Array, from: Int32Array, to: Int32Array, first: number): void {
  const end = Math.min(from.length, first + TOUCHED);
  let sum = 0;
  for (let k = first; k < end; k++) sum += words[WORDS * from[k]] + words[WORDS * to[k]];
  sink[0] = sum;
}
