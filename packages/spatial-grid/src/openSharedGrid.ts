import {readCellRows, type CellRows} from './cellRows.ts';
import {DenseRows} from './denseRows.ts';
import type {GridGeometry} from './geometry.ts';
import {SparseRows} from './sparseRows.ts';
import {
  cellsToRanges,
  RANGES_LENGTH,
  type CellIndex,
  type DenseUniformGrid,
  type NeighborRanges,
  type SparseUniformGrid,
} from './uniformGrid.ts';

/**
 * A grid index in shared memory, in the form that threads receive: the arrays of `UniformGrid`, to the byte, except
 * `cellOf` and `positionOf`. `openSharedGrid` turns it into a `CellIndex`.
 */
export interface SharedGrid {
  readonly geometry: GridGeometry;
  readonly layout: 'dense' | 'sparse';
  readonly n: number;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  /** Axis indices of the occupied cells, `dim` per cell; empty for a dense grid. */
  readonly cellCoords: Int32Array;
  /** First cell of each row of a sparse grid, then the number of cells; empty for a dense grid. */
  readonly rowStart: Int32Array;
  /** The cells around each cell of a sparse grid, if `SharedGridOptions.tableBytesMax` allows the table. */
  readonly cellRows?: CellRows | undefined;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
}

/**
 * Opens a grid on one thread. If sparse and without `cellRows`, `neighborRanges` keeps cursors and expects ascending
 * cells. O(1).
 */
export function openSharedGrid(grid: SharedGrid): CellIndex {
  const {geometry, n, cellCount, cellStart, pointOrder, sortedCoords} = grid;
  const {dim, reach} = geometry;
  const arrays = {cellStart, pointOrder, sortedCoords};
  return {dim, reach, rangesLength: RANGES_LENGTH, n, cellCount, ...arrays, ...openRows(grid)};
}

function openRows(grid: SharedGrid): NeighborRanges {
  const {geometry, layout, cellStart, cellRows} = grid;
  if (cellRows !== undefined) {
    const neighborCells = (cell: number, cells: Int32Array): number => readCellRows(cellRows, cell, cells);
    const neighborRanges = (cell: number, ranges: Int32Array): number =>
      cellsToRanges(ranges, neighborCells(cell, ranges), cellStart);
    return {neighborRanges, neighborCells};
  }
  const rows = layout === 'dense' ? new DenseRows(geometry, cellStart) : new SparseRows(grid);
  return {
    neighborRanges: (cell, ranges) => rows.neighborRanges(cell, ranges),
    neighborCells: (cell, cells) => rows.neighborCells(cell, cells),
  };
}

/**
 * An index of the grid for one search in ascending order of cells. If the grid is sparse, it needs no table of the rows
 * around each cell, which takes longer to build than such a search.
 */
export function ascendingIndex(grid: DenseUniformGrid | SparseUniformGrid): CellIndex {
  return grid.layout === 'dense' ? grid : openSharedGrid(grid);
}
