// How long a dispatch may be. Nothing stops one that lasts, and a run can end between two only.

/** A tile of tiledRows.wgsl has as many rows. */
export const TILE_ROWS = 64;

/** What the time that a pair takes depends on. */
export interface PairCost {
  readonly isGrid: boolean;
  readonly dim: number;
  readonly speed: 'hardware' | 'software';
  /** Software float64 decides every pair. */
  readonly isExactOnly: boolean;
}

/** Pairs in 2-D that take an H200 some 12 ms without an index, and some 40 ms over a grid. */
const PAIRS = {
  none: {hardware: 2 ** 34, software: 2 ** 28},
  grid: {hardware: 2 ** 36, software: 2 ** 30},
};

/** How many times as long undecided rows take: without an index they go through no tiles. Few of their pairs ask software float64. */
const EXACT = {grid: 1, none: 8};
/** The same where every pair asks it. */
const EXACT_ONLY = 64;

/** Most pairs that a step tests, as far as float32 is certain. */
export function certainPairs({isGrid, dim, speed}: PairCost): number {
  // Coordinates are the work; with fewer than two it is the rest.
  return Math.floor((2 * PAIRS[isGrid ? 'grid' : 'none'][speed]) / Math.max(2, dim));
}

/** Most pairs that a step tests of undecided rows. */
export function undecidedPairs(cost: PairCost): number {
  const times = cost.isExactOnly ? EXACT_ONLY : EXACT[cost.isGrid ? 'grid' : 'none'];
  return Math.floor(certainPairs(cost) / times);
}

/** Items, one after another. */
export interface Span {
  readonly first: number;
  readonly count: number;
}

/** Cuts rows so that each piece has at most so many pairs with as many columns each, but whole tiles. */
export function cutRows({first, count}: Span, columns: number, pairs: number): Span[] {
  const tiles = Math.max(1, Math.floor(pairs / Math.max(1, columns) / TILE_ROWS));
  return cut({first, count}, TILE_ROWS * tiles);
}

/** The same of a list of rows, one row at least. */
export function cutList(count: number, columns: number, pairs: number): Span[] {
  return cut({first: 0, count}, Math.max(1, Math.floor(pairs / Math.max(1, columns))));
}

function cut({first, count}: Span, size: number): Span[] {
  return Array.from({length: Math.ceil(count / size)}, (_, k) => ({
    first: first + k * size,
    count: Math.min(size, count - k * size),
  }));
}
