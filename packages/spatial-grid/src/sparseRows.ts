import {cellsToRanges, type NeighborRanges} from './uniformGrid.ts';

/** Cells that a cursor passes one by one before it does a binary search. */
const STEPS_MAX = 16;

/**
 * Finds the cells around a cell of a sparse grid with cursors, one for each of the 3^(dim − 1) rows around it. Fastest
 * for ascending cells, where each cursor moves forward by a cell or two; any other order costs one binary search per
 * row. Needs no memory per cell, unlike the table of `SparseUniformGrid`.
 */
export class SparseRows implements NeighborRanges {
  readonly #dim: number;
  readonly #cellCount: number;
  readonly #cellStart: Int32Array;
  readonly #cellCoords: Int32Array;
  readonly #cursors: Int32Array;

  /** @param cellCoords  axis indices of the occupied cells, `dim` per cell, in the order of the grid */
  constructor(dim: number, cellCount: number, cellStart: Int32Array, cellCoords: Int32Array) {
    this.#dim = dim;
    this.#cellCount = cellCount;
    this.#cellStart = cellStart;
    this.#cellCoords = cellCoords;
    this.#cursors = new Int32Array(3 ** (dim - 1));
  }

  neighborRanges(cell: number, ranges: Int32Array): number {
    return cellsToRanges(ranges, this.neighborCells(cell, ranges), this.#cellStart);
  }

  neighborCells(cell: number, cells: Int32Array): number {
    const dim = this.#dim;
    const cellCount = this.#cellCount;
    const cellCoords = this.#cellCoords;
    const cursors = this.#cursors;
    const high = cellCoords[cell * dim] + 1;
    let count = 0;
    for (let offset = 0; offset < cursors.length; offset++) {
      const first = this.#seek(cursors[offset], cell, offset);
      cursors[offset] = first;
      let last = first;
      while (
        last < cellCount &&
        cellCoords[last * dim] <= high &&
        compareRows(cellCoords, dim, last, cell, offset) === 0
      ) {
        last++;
      }
      if (last === first) continue;
      cells[count++] = first;
      cells[count++] = last;
    }
    return count >> 1;
  }

  /** The first cell at or after the left neighbour of `cell`, in the row at `offset`. */
  #seek(cursor: number, cell: number, offset: number): number {
    const cellCount = this.#cellCount;
    let at = cursor;
    if (at < cellCount && this.#isBefore(at, cell, offset)) {
      const stop = Math.min(at + STEPS_MAX, cellCount);
      at++;
      while (at < stop && this.#isBefore(at, cell, offset)) at++;
      return at < stop ? at : this.#search(at, cellCount, cell, offset);
    }
    return at === 0 || this.#isBefore(at - 1, cell, offset) ? at : this.#search(0, at - 1, cell, offset);
  }

  #search(from: number, to: number, cell: number, offset: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(middle, cell, offset)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(other: number, cell: number, offset: number): boolean {
    const dim = this.#dim;
    const cellCoords = this.#cellCoords;
    const order = compareRows(cellCoords, dim, other, cell, offset);
    return order < 0 || (order === 0 && cellCoords[other * dim] < cellCoords[cell * dim] - 1);
  }
}

/**
 * Compares the row of cell a with the row of cell b moved by an offset: < 0, 0 or > 0.
 *
 * @param offset  0 … 3^(dim − 1) − 1: its ternary digits, minus 1, are the steps on axes 1, 2 and 3
 */
export function compareRows(cellCoords: Int32Array, dim: number, a: number, b: number, offset: number): number {
  for (let d = dim - 1; d > 0; d--) {
    const step = OFFSET_STEPS[offset * 3 + d - 1];
    const difference = cellCoords[a * dim + d] - cellCoords[b * dim + d] - step;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Steps on axes 1, 2 and 3 of each of the 27 offsets. */
const OFFSET_STEPS = Int8Array.from({length: 81}, (_, k) => (Math.trunc(Math.trunc(k / 3) / 3 ** (k % 3)) % 3) - 1);
