import {cellOfPosition} from './cells.ts';

/** Cells of fewer points are not worth a look whether they are whole. */
export const LARGE_CELL = 8;

/** By first position of a piece: nothing is known of it. */
export const APART = 0;
/** Its core points are in one set. */
export const WHOLE_PIECE = 1;
/** It is all of its cell, and its core points are in one set. */
export const WHOLE_CELL = 2;

/**
 * Pieces of large cells. Core points are marked by ranges of positions, and a piece is what one range holds of a cell: mostly all
 * of it. A crowded cell is in many ranges, so that many threads unite its points.
 */
export interface Pieces {
  /** Where the ranges begin, and where the last one ends, ascending. */
  readonly cuts: Int32Array;
  /** By first position of a piece of a large cell: `APART`, `WHOLE_PIECE` or, where it is all of the cell, `WHOLE_CELL`. */
  readonly state: Uint8Array;
}

/** Where the piece that begins at `position` ends, in a cell that ends at `cellEnd`; O(log ranges). */
export function endOfPiece({cuts}: Pieces, position: number, cellEnd: number): number {
  return Math.min(cuts[cellOfPosition(cuts, position) + 1], cellEnd);
}
