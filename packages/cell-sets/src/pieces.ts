/** In cells of fewer points the check whether they are whole does not pay. */
export const LARGE_CELL = 8;

/** State of a piece: its core points may be in several sets. */
export const APART = 0;
/** State of a piece: its core points are in one set. */
export const WHOLE_PIECE = 1;
/** State of a piece that is its whole cell: its core points are in one set. */
export const WHOLE_CELL = 2;

/**
 * Pieces of large cells. Core points are marked in ranges of positions. A piece is the part of a cell in one range,
 * usually the whole cell. A crowded cell lies in many ranges, so that many threads unite its points.
 */
export interface Pieces {
  readonly cuts: Int32Array;
  /** By first position of a piece of a large cell: `APART`, `WHOLE_PIECE` or `WHOLE_CELL`. */
  readonly state: Uint8Array;
}

/** End of the piece that begins at `position`, in a cell that ends at `cellEnd`; O(log ranges). */
export function endOfPiece({cuts}: Pieces, position: number, cellEnd: number): number {
  return Math.min(cuts[cellOfPosition(cuts, position) + 1], cellEnd);
}

/** The cell that holds a position, in O(log cells). */
export function cellOfPosition(cellStart: Int32Array, position: number): number {
  let low = 0;
  let high = cellStart.length - 1;
  // cellStart[low] <= position < cellStart[high]
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (cellStart[middle] <= position) low = middle;
    else high = middle;
  }
  return low;
}
