import type {GridGeometry} from './geometry.ts';

/** Maximum dimension of a grid: beyond, the 3^dim cells around a point are too many. */
export const MAX_GRID_DIM = 4;

const MAX_REACH = 3;

/** Maximum number of rows around a cell: (2 · reach + 1)^(dim − 1). */
const MAX_ROWS = (2 * MAX_REACH + 1) ** (MAX_GRID_DIM - 1);

/** Length of the `ranges` array that `neighborRanges` fills: [start, end) of each row. */
export const RANGES_LENGTH: number = 2 * MAX_ROWS;

/** Locates the neighbours of a stored cell's points. */
export interface NeighborRanges {
  /**
   * The positions in the (2 · reach + 1)^dim cells around a stored cell, as ranges, without empty ones.
   *
   * @param cell    a stored cell, for example `cellOf[position]`
   * @param ranges  receives start and end (exclusive) of each range; `RANGES_LENGTH` values are enough
   * @returns       number of ranges, at most one for each row
   * @complexity    O(rows), no allocation. Call it once per cell, not once per point
   */
  neighborRanges(cell: number, ranges: Int32Array): number;

  /**
   * The same as runs of stored cells, including empty ones.
   *
   * @param cells  receives first and end (exclusive) cell of each run, ascending; `RANGES_LENGTH` values are enough
   * @returns      number of runs, at most one for each row
   */
  neighborCells(cell: number, cells: Int32Array): number;
}

/**
 * Points sorted by cell. The points of a cell are contiguous, and so are those of cells adjacent along axis 0. A row is
 * the 2 · reach + 1 cells around a cell along axis 0: the cells around a cell are (2 · reach + 1)^(dim − 1) rows, and
 * each is one range of positions. `reach` is 1, unless the diagonal of a cell is shorter than eps (`GridGeometry`).
 *
 * A position is a point's place in this order. Cells ascend in ((c3 · n2 + c2) · n1 + c1) · n0 + c0; within a cell,
 * points are in input order.
 */
export interface CellIndex extends NeighborRanges {
  readonly dim: number;
  /** Number of points. */
  readonly n: number;
  /** As in `GridGeometry`. If it exceeds 1, any two points of a cell are neighbours. */
  readonly reach: number;
  /** Length of the arrays that `neighborRanges` and `neighborCells` fill. */
  readonly rangesLength: number;
  /** Number of stored cells: all cells of the box, or the occupied ones. */
  readonly cellCount: number;
  /** CSR, length cellCount + 1: cell c holds positions cellStart[c] … cellStart[c + 1] − 1. */
  readonly cellStart: Int32Array;
  /** Original index of each position. */
  readonly pointOrder: Int32Array;
  /** Coordinates by position, point-major, same type as the input. */
  readonly sortedCoords: Float32Array | Float64Array;
}

/** Converts runs of cells to ranges of positions, in place, and drops empty ones. Returns the number of ranges. */
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

/** An index with the cell of each position and the position of each point. */
export interface UniformGrid extends CellIndex {
  readonly geometry: GridGeometry;
  /**
   * dense: every cell of the box is stored, its number linear in its axis indices, axis 0 fastest. sparse: occupied
   * cells only, so that cost follows n, not the box.
   */
  readonly layout: 'dense' | 'sparse';
  /** Axis indices of the occupied cells, cell-major: `dim` values per cell; empty for a dense grid. */
  readonly cellCoords: Int32Array;
  /** First cell of each row of a sparse grid, then the number of cells; empty for a dense grid. */
  readonly rowStart: Int32Array;
  /** Stored cell of each position. The first access computes it: O(n). */
  readonly cellOf: Int32Array;
  /** Position of each original index; the inverse of `pointOrder`. The first access computes it: O(n). */
  readonly positionOf: Int32Array;
}
