import type {GridGeometry} from './geometry.ts';

/** The most axes a grid takes: the 3^dim cells around a point grow too fast beyond. */
export const MAX_GRID_DIM = 4;

/** Neighbouring rows of a cell at most: 3^(dim − 1). */
const MAX_ROWS = 3 ** (MAX_GRID_DIM - 1);

/** Length of the `ranges` array that `neighborRanges` fills: [start, end) of each row. */
export const RANGES_LENGTH: number = 2 * MAX_ROWS;

/** Where the neighbours of a stored cell's points are. */
export interface NeighborRanges {
  /**
   * The positions in the 3^dim cells around a stored cell, as ranges; empty ranges are left out.
   *
   * @param cell    a stored cell, such as `cellOf[position]`
   * @param ranges  receives start and end (exclusive) of each range; `RANGES_LENGTH` values are enough
   * @returns       number of ranges, at most 3^(dim − 1)
   * @complexity    O(3^(dim − 1)), no allocation. Ask once per cell, not once per point
   */
  neighborRanges(cell: number, ranges: Int32Array): number;
  /**
   * The same as runs of stored cells, empty ones included.
   *
   * @param cells  receives first and end (exclusive) cell of each run, ascending; `RANGES_LENGTH` values are enough
   * @returns      number of runs, at most 3^(dim − 1)
   */
  neighborCells(cell: number, cells: Int32Array): number;
}

/**
 * Points sorted by cell. A cell's points are contiguous, and so are those of cells adjacent along axis 0: the
 * 3^dim cells around a cell are at most 3^(dim − 1) ranges of positions.
 *
 * A position is a point's place in this order. Cells are in ascending order of
 * ((c3 · n2 + c2) · n1 + c1) · n0 + c0; inside a cell points keep the order of the input.
 */
export interface CellIndex extends NeighborRanges {
  readonly dim: number;
  /** Points. */
  readonly n: number;
  /** Stored cells: all of the box, or the occupied ones. */
  readonly cellCount: number;
  /** CSR, length cellCount + 1: cell c holds positions cellStart[c] … cellStart[c + 1] − 1. */
  readonly cellStart: Int32Array;
  /** Original index of each position. */
  readonly pointOrder: Int32Array;
  /** Coordinates by position, point-major, of the input's type. */
  readonly sortedCoords: Float32Array | Float64Array;
}

/**
 * Turns runs of cells into ranges of positions, in place, and leaves out empty ones.
 *
 * @returns  number of ranges
 */
export function cellsToRanges(cells: Int32Array, runCount: number, cellStart: Int32Array): number {
  let count = 0;
  for (let r = 0; r < 2 * runCount; r += 2) {
    const start = cellStart[cells[r]];
    const end = cellStart[cells[r + 1]];
    if (start === end) continue;
    cells[count++] = start;
    cells[count++] = end;
  }
  return count >> 1;
}

/** An index that also knows the cell of each position, and the position of each point. */
export interface UniformGrid extends CellIndex {
  readonly geometry: GridGeometry;
  /** dense: every cell of the box is stored. sparse: occupied cells only, so that cost follows n, never the box. */
  readonly layout: 'dense' | 'sparse';
  /** Stored cell of each position. */
  readonly cellOf: Int32Array;
  /** Position of each original index; the inverse of `pointOrder`. */
  readonly positionOf: Int32Array;
}

/** Every cell of the box is stored: a cell's number is linear in its axis indices, axis 0 fastest. */
export interface DenseUniformGrid extends UniformGrid {
  readonly layout: 'dense';
}

/** A sparse grid also knows where its cells lie. */
export interface SparseUniformGrid extends UniformGrid {
  readonly layout: 'sparse';
  /** Axis indices of the occupied cells, cell-major: `dim` values a cell. */
  readonly cellCoords: Int32Array;
}
