// Maximum size of a dispatch. A running dispatch cannot be stopped; a run can only end between two dispatches.

/** Rows per tile in tiledRows.wgsl. */
export const TILE_ROWS = 64;

/** Factors of the time per pair. */
export interface PairCost {
  readonly isGrid: boolean;
  readonly dim: number;
  readonly speed: 'hardware' | 'software';
  /** Whether software float64 decides every pair. */
  readonly isExactOnly: boolean;
}

/** Pairs in 2-D that take an H200 about 12 ms without an index, and about 40 ms over a grid. */
const PAIRS = {
  none: {hardware: 2 ** 34, software: 2 ** 28},
  grid: {hardware: 2 ** 36, software: 2 ** 30},
};

/** Slowdown of undecided rows: without an index they do not use tiles. Few of their pairs need software float64. */
const EXACT = {grid: 1, none: 8};
/** Slowdown if every pair needs software float64. */
const EXACT_ONLY = 64;

/** Maximum pairs per step that float32 decides. */
export function certainPairs({isGrid, dim, speed}: PairCost): number {
  // Time grows with the number of coordinates; below two, the fixed cost dominates.
  return Math.floor((2 * PAIRS[isGrid ? 'grid' : 'none'][speed]) / Math.max(2, dim));
}

/** Maximum pairs per step for undecided rows. */
export function undecidedPairs(cost: PairCost): number {
  const times = cost.isExactOnly ? EXACT_ONLY : EXACT[cost.isGrid ? 'grid' : 'none'];
  return Math.floor(certainPairs(cost) / times);
}

/** A range of consecutive items. */
export interface Span {
  readonly first: number;
  readonly count: number;
}

/** Divides rows into ranges of whole tiles with at most `pairs` pairs each, for `columns` columns per row. */
export function cutRows({first, count}: Span, columns: number, pairs: number): Span[] {
  const tiles = Math.max(1, Math.floor(pairs / Math.max(1, columns) / TILE_ROWS));
  return cut({first, count}, TILE_ROWS * tiles);
}

/** Divides a list of rows in the same way, with at least one row per range. */
export function cutList(count: number, columns: number, pairs: number): Span[] {
  return cut({first: 0, count}, Math.max(1, Math.floor(pairs / Math.max(1, columns))));
}

function cut({first, count}: Span, size: number): Span[] {
  return Array.from({length: Math.ceil(count / size)}, (_, k) => ({
    first: first + k * size,
    count: Math.min(size, count - k * size),
  }));
}
