import {compareRows, firstNotBefore, firstRowFrom, rowsAround, rowSteps, type SparseCells} from './sparseRows.ts';

/**
 * The cells around each cell of a sparse grid: a place for each cell and each row around it, at cell · rows + row. It
 * takes less time to fill and to read in several passes than as many passes with `SparseRows`.
 */
export interface CellRows {
  readonly rows: number;
  /** First occupied cell of the row among the 2 · reach + 1 cells; unspecified if there is none. */
  readonly rowFirst: Int32Array;
  /** Number of occupied cells of the row among the 2 · reach + 1 cells. */
  readonly rowCells: Uint8Array;
}

export function buildCellRows(cells: SparseCells): CellRows {
  const rows = rowsAround(cells.geometry);
  const places = rows * cells.cellCount;
  const table = {rows, rowFirst: new Int32Array(places), rowCells: new Uint8Array(places)};
  findCellRows({cells, table}, 0, cells.cellCount);
  return table;
}

/**
 * Fills the table for the rows that begin in a range of cells, so that ranges write to different places. Row + offset
 * ascends with the row, and the cursor of each offset only moves forward: a merge, after one search for each offset.
 */
export function findCellRows(
  {cells, table}: {readonly cells: SparseCells; readonly table: CellRows},
  firstCell: number,
  endCell: number,
): void {
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
  if (firstRow > 0) cursors.forEach((_, k) => (cursors[k] = firstNotBefore(cells, firstRow, steps, k, 0, rowCount)));
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
