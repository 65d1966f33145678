import type {GridGeometry} from './geometry.ts';
import {compareRows, rowSteps, type RowsOfCells} from './sparseRows.ts';

/** The occupied cells around each cell of a sparse grid: a table with an entry for each cell and each row around it. */
export interface CellRows {
  /** Number of rows around a cell, the entries of a cell. */
  readonly rows: number;
  /** First occupied cell of the row among the 2 · reach + 1 cells; unspecified if `rowCells` is 0. */
  readonly rowFirst: Int32Array;
  /** Number of occupied cells of the row among the 2 · reach + 1 cells. */
  readonly rowCells: Uint8Array;
}

/** Number of rows around a cell. */
export function rowsAround({dim, reach}: GridGeometry): number {
  return (2 * reach + 1) ** (dim - 1);
}

/**
 * Fills the table for the rows that begin in a range of cells. Row + offset ascends with the row, so the cursor of each
 * offset only moves forward: a merge, with one binary search per offset at the start. Chunks may run at the same time:
 * each row belongs to the chunk in which it begins.
 *
 * @param table      `rowsAround` entries for each cell
 * @complexity       O((cells + log rows) · rows around a cell)
 */
export function findCellRows(cells: RowsOfCells, table: CellRows, firstCell: number, endCell: number): void {
  const {cellCoords, rowStart} = cells;
  const {dim, reach} = cells.geometry;
  const {rows, rowFirst, rowCells} = table;
  const steps = rowSteps(dim, reach);
  const rowCount = rowStart.length - 1;
  const firstRow = firstRowFrom(rowStart, firstCell);
  const endRow = firstRowFrom(rowStart, endCell);
  if (firstRow === endRow) return;
  rowCells.fill(0, rowStart[firstRow] * rows, rowStart[endRow] * rows);
  const cursors = new Int32Array(rows);
  if (firstRow > 0) cursors.forEach((_, offset) => (cursors[offset] = firstNotBefore(cells, firstRow, steps, offset)));
  for (let row = firstRow; row < endRow; row++) {
    for (let offset = 0; offset < rows; offset++) {
      let other = cursors[offset];
      let order = -1;
      while (other < rowCount) {
        order = compareRows(cellCoords, dim, rowStart[other], rowStart[row], steps, offset);
        if (order >= 0) break;
        other++;
      }
      cursors[offset] = other;
      if (order !== 0) continue;
      const end = rowStart[other + 1];
      let first = rowStart[other];
      for (let cell = rowStart[row]; cell < rowStart[row + 1]; cell++) {
        const c0 = cellCoords[cell * dim];
        while (first < end && cellCoords[first * dim] < c0 - reach) first++;
        let last = first;
        while (last < end && cellCoords[last * dim] <= c0 + reach) last++;
        rowFirst[cell * rows + offset] = first;
        rowCells[cell * rows + offset] = last - first;
      }
    }
  }
}

/** Reads the cells around a cell, as `NeighborRanges.neighborCells`. */
export function readCellRows({rows, rowFirst, rowCells}: CellRows, cell: number, cells: Int32Array): number {
  const end = (cell + 1) * rows;
  let count = 0;
  for (let k = cell * rows; k < end; k++) {
    const length = rowCells[k];
    if (length === 0) continue;
    const first = rowFirst[k];
    cells[count++] = first;
    cells[count++] = first + length;
  }
  return count >> 1;
}

/** The first row that begins at `cell` or behind it. */
function firstRowFrom(rowStart: Int32Array, cell: number): number {
  let low = 0;
  let high = rowStart.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rowStart[middle] < cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first row that is not before the row at `offset` from `row`. */
function firstNotBefore(
  {geometry, cellCoords, rowStart}: RowsOfCells,
  row: number,
  steps: Int8Array,
  offset: number,
): number {
  let low = 0;
  let high = rowStart.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(cellCoords, geometry.dim, rowStart[middle], rowStart[row], steps, offset) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
