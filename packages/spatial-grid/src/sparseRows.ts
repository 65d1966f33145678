import type {GridGeometry} from './geometry.ts';

/** Rows or cells that a cursor passes one by one before it does a binary search. */
const STEPS_MAX = 16;

/** The occupied cells of a sparse grid, in the order of the grid. */
export interface SparseCells {
  readonly geometry: GridGeometry;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  /** First cell of each row, then `cellCount`: the cells of a row differ on axis 0 only. */
  readonly rowStart: Int32Array;
}

/**
 * Finds the cells around a cell with cursors: one for each row around a row, and one for each occupied one. Fastest for
 * ascending cells; any other order costs binary searches. Needs no memory per cell, unlike `CellRows`.
 */
export class SparseRows {
  readonly #cells: SparseCells;
  readonly #steps: Int8Array;
  /** By row around: the first row that is not before it. */
  readonly #rowCursors: Int32Array;
  #row = -1;
  /** The occupied rows around it: the cursor, the first cell and the end of each. */
  readonly #found: Int32Array;
  #foundLength = 0;

  constructor(cells: SparseCells) {
    const {geometry} = cells;
    this.#cells = cells;
    this.#steps = rowSteps(geometry.dim, geometry.reach);
    this.#rowCursors = new Int32Array(rowsAround(geometry));
    this.#found = new Int32Array(3 * this.#rowCursors.length);
  }

  neighborCells(cell: number, cells: Int32Array): number {
    const {geometry, cellCoords, rowStart} = this.#cells;
    const {dim, reach} = geometry;
    const row = this.#row;
    if (row < 0 || cell < rowStart[row] || cell >= rowStart[row + 1]) this.#enterRow(cell);
    const found = this.#found;
    const low = cellCoords[cell * dim] - reach;
    const high = low + 2 * reach;
    let count = 0;
    for (let k = 0; k < this.#foundLength; k += 3) {
      const end = found[k + 2];
      let first = found[k];
      if (first < end && cellCoords[first * dim] < low) first = this.#seek(first, end, low);
      else if (first > found[k + 1] && cellCoords[(first - 1) * dim] >= low) first = this.#seek(found[k + 1], end, low);
      found[k] = first;
      let last = first;
      while (last < end && cellCoords[last * dim] <= high) last++;
      if (last === first) continue;
      cells[count++] = first;
      cells[count++] = last;
    }
    return count >> 1;
  }

  /** The first cell of [from, end) in a row that is not before `low`. */
  #seek(from: number, end: number, low: number): number {
    const {geometry, cellCoords} = this.#cells;
    const {dim} = geometry;
    const stop = Math.min(from + STEPS_MAX, end);
    let at = from;
    while (at < stop && cellCoords[at * dim] < low) at++;
    if (at < stop || at === end) return at;
    let high = end;
    while (at < high) {
      const middle = (at + high) >>> 1;
      if (cellCoords[middle * dim] < low) at = middle + 1;
      else high = middle;
    }
    return at;
  }

  #enterRow(cell: number): void {
    const {rowStart} = this.#cells;
    let row = this.#row + 1;
    if (row >= rowStart.length - 1 || cell < rowStart[row] || cell >= rowStart[row + 1]) {
      row = firstRowFrom(rowStart, cell + 1) - 1;
    }
    this.#row = row;
    const cursors = this.#rowCursors;
    const found = this.#found;
    let length = 0;
    for (let offset = 0; offset < cursors.length; offset++) {
      const at = this.#seekRow(cursors[offset], row, offset);
      cursors[offset] = at;
      if (at === rowStart.length - 1 || this.#compare(at, row, offset) !== 0) continue;
      found[length++] = rowStart[at];
      found[length++] = rowStart[at];
      found[length++] = rowStart[at + 1];
    }
    this.#foundLength = length;
  }

  /** The first row that is not before the row at `offset` from `row`. */
  #seekRow(cursor: number, row: number, offset: number): number {
    const rowCount = this.#cells.rowStart.length - 1;
    let low = cursor;
    let high = rowCount;
    if (cursor < rowCount && this.#compare(cursor, row, offset) < 0) {
      const stop = Math.min(cursor + STEPS_MAX, rowCount);
      low++;
      while (low < stop && this.#compare(low, row, offset) < 0) low++;
      if (low < stop) return low;
    } else {
      if (cursor === 0 || this.#compare(cursor - 1, row, offset) < 0) return cursor;
      low = 0;
      high = cursor - 1;
    }
    return firstNotBefore(this.#cells, row, this.#steps, offset, low, high);
  }

  #compare(a: number, b: number, offset: number): number {
    const {geometry, cellCoords, rowStart} = this.#cells;
    return compareRows(cellCoords, geometry.dim, rowStart[a], rowStart[b], this.#steps, offset);
  }
}

export function rowsAround({dim, reach}: GridGeometry): number {
  return (2 * reach + 1) ** (dim - 1);
}

/** The first row that begins at `cell` or behind it, in O(log rows). */
export function firstRowFrom(rowStart: Int32Array, cell: number): number {
  let low = 0;
  let high = rowStart.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rowStart[middle] < cell) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first row of [low, high] that is not before the row at `offset` from `row`, in O(log rows). */
export function firstNotBefore(
  {geometry, cellCoords, rowStart}: SparseCells,
  row: number,
  steps: Int8Array,
  offset: number,
  low: number,
  high: number,
): number {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (compareRows(cellCoords, geometry.dim, rowStart[middle], rowStart[row], steps, offset) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** First cell of each row, then the number of cells; `rowStart` has room for one value more than cells. */
export function findRowStarts(
  cellCoords: Int32Array,
  dim: number,
  rowStart: Int32Array = new Int32Array(cellCoords.length / dim + 1),
): Int32Array {
  const cellCount = cellCoords.length / dim;
  let rowCount = 0;
  for (let cell = 0, at = 0; cell < cellCount; cell++, at += dim) {
    let d = cell === 0 ? 0 : dim - 1;
    while (d > 0 && cellCoords[at + d] === cellCoords[at + d - dim]) d--;
    if (cell === 0 || d > 0) rowStart[rowCount++] = cell;
  }
  rowStart[rowCount] = cellCount;
  return rowStart.subarray(0, rowCount + 1);
}

/** Compares the row of cell a with the row of cell b moved by row number `offset` of `rowSteps`: < 0, 0 or > 0. */
export function compareRows(
  cellCoords: Int32Array,
  dim: number,
  a: number,
  b: number,
  steps: Int8Array,
  offset: number,
): number {
  for (let d = dim - 1; d > 0; d--) {
    const step = steps[offset * 3 + d - 1];
    const difference = cellCoords[a * dim + d] - cellCoords[b * dim + d] - step;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Steps on axes 1, 2 and 3 of each row around a cell, in the order of the grid: digits in base 2 · reach + 1. */
export function rowSteps(dim: number, reach: number): Int8Array {
  const base = 2 * reach + 1;
  const steps = new Int8Array(3 * base ** (dim - 1));
  return steps.map((_, k) => (Math.trunc(Math.trunc(k / 3) / base ** (k % 3)) % base) - reach);
}
