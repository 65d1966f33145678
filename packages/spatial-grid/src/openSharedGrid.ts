import {readCellRows, type CellRows} from './cellRows.ts';
import {denseRows} from './denseRows.ts';
import type {GridGeometry} from './geometry.ts';
import {SparseRows} from './sparseRows.ts';
import {cellsToRanges, RANGES_LENGTH, type CellIndex, type NeighborRanges} from './uniformGrid.ts';

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
 * Opens a grid on one thread. If sparse and without `cellRows`, it keeps cursors: fastest for ascending cells. O(1).
 */
export function openSharedGrid(grid: SharedGrid): CellIndex {
  const {geometry, n, cellCount, cellStart, pointOrder, sortedCoords} = grid;
  const {dim, reach} = geometry;
  const neighborCells = cellsOfGrid(grid, grid.cellRows);
  const neighborRanges = (cell: number, ranges: Int32Array): number =>
    cellsToRanges(ranges, neighborCells(cell, ranges), cellStart);
  const arrays = {cellStart, pointOrder, sortedCoords};
  return {dim, reach, rangesLength: RANGES_LENGTH, n, cellCount, ...arrays, neighborRanges, neighborCells};
}

/** Finds the cells around a cell: in a table of them, if there is one. */
export function cellsOfGrid(grid: SharedGrid, table: CellRows | undefined): NeighborRanges['neighborCells'] {
  if (table !== undefined) return (cell, runs) => readCellRows(table, cell, runs);
  if (grid.layout === 'dense') return denseRows(grid.geometry);
  const rows = new SparseRows(grid);
  return (cell, runs) => rows.neighborCells(cell, runs);
}
