import {DenseRows} from './denseRows.ts';
import type {GridGeometry} from './geometry.ts';
import {SparseRows} from './sparseRows.ts';
import {RANGES_LENGTH, type CellIndex, type DenseUniformGrid, type SparseUniformGrid} from './uniformGrid.ts';

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
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
}

/** Opens a grid on one thread. If sparse, `neighborRanges` keeps cursors and expects ascending cells. O(1). */
export function openSharedGrid(grid: SharedGrid): CellIndex {
  const {geometry, n, cellCount, cellStart, pointOrder, sortedCoords} = grid;
  const {dim, reach} = geometry;
  const rows = grid.layout === 'dense' ? new DenseRows(geometry, cellStart) : new SparseRows(grid);
  const neighborRanges = (cell: number, ranges: Int32Array): number => rows.neighborRanges(cell, ranges);
  const neighborCells = (cell: number, cells: Int32Array): number => rows.neighborCells(cell, cells);
  const arrays = {cellStart, pointOrder, sortedCoords};
  return {dim, reach, rangesLength: RANGES_LENGTH, n, cellCount, ...arrays, neighborRanges, neighborCells};
}

/**
 * An index of the grid for searches in ascending order of cells. If the grid is sparse, it needs no table of the rows
 * around each cell, which takes longer to build than such searches.
 */
export function ascendingIndex(grid: DenseUniformGrid | SparseUniformGrid): CellIndex {
  return grid.layout === 'dense' ? grid : openSharedGrid(grid);
}
