import {pointCount, type PointSet} from '@epsball/clustering';
import {gatherCoords} from './denseGrid.ts';
import {cellOnAxis, type GridGeometry} from './geometry.ts';
import type {SparseUniformGrid} from './uniformGrid.ts';

/** Digits of the radix sort are at most this wide: 2048 counters stay in the L1 cache. */
const DIGIT_BITS = 11;

/**
 * Stores occupied cells only: cost follows n, whatever the box.
 *
 * @param points    points inside the geometry's box, dim ≤ 4; not modified
 * @param geometry  at most 2^31 − 1 cells an axis; their product may exceed what a number holds
 * @complexity      O(n · digits + occupied cells · 3^(dim − 1))
 */
export function buildSparseGrid(points: PointSet, geometry: GridGeometry): SparseUniformGrid {
  const {pointOrder, spare} = sortByCell(points, geometry);
  const sortedCoords = gatherCoords(points, pointOrder);
  const {cellStart, cellCoords, cellOf} = findCells(sortedCoords, geometry, spare);
  const positionOf = new Int32Array(pointOrder.length);
  for (let k = 0; k < pointOrder.length; k++) positionOf[pointOrder[k]] = k;
  return new SparseGrid(geometry, {cellStart, cellCoords, cellOf, pointOrder, positionOf, sortedCoords});
}

/**
 * Stable order of the points by cell. A linear cell number need not fit 53 bits, so this is a radix sort,
 * lowest digit of axis 0 first. Cells are recomputed in each pass: cheaper than an array of them.
 */
function sortByCell(points: PointSet, geometry: GridGeometry): {pointOrder: Int32Array; spare: Int32Array} {
  const n = pointCount(points);
  let order = new Int32Array(n);
  let next = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  for (let d = 0; d < geometry.dim; d++) {
    const bits = 32 - Math.clz32(geometry.cellCounts[d] - 1);
    const digits = Math.ceil(bits / DIGIT_BITS);
    for (let digit = 0; digit < digits; digit++) {
      const width = Math.ceil(bits / digits);
      sortByDigit(points, geometry, {axis: d, shift: digit * width, width}, order, next);
      [order, next] = [next, order];
    }
  }
  return {pointOrder: order, spare: next};
}

interface Digit {
  readonly axis: number;
  readonly shift: number;
  readonly width: number;
}

/** One stable counting sort of `order` into `next`. */
function sortByDigit(
  {coords, dim}: PointSet,
  geometry: GridGeometry,
  {axis, shift, width}: Digit,
  order: Int32Array,
  next: Int32Array,
): void {
  const origin = geometry.origin[axis];
  const inv = geometry.invSide[axis]; // not 0: an axis of one cell has no digits
  const mask = (1 << width) - 1;
  const starts = new Int32Array(1 << width);
  for (let k = axis; k < coords.length; k += dim) {
    starts[(Math.floor((coords[k] - origin) * inv) >> shift) & mask]++;
  }
  let sum = 0;
  for (let c = 0; c < starts.length; c++) {
    const size = starts[c];
    starts[c] = sum;
    sum += size;
  }
  for (let k = 0; k < order.length; k++) {
    const i = order[k];
    next[starts[(Math.floor((coords[i * dim + axis] - origin) * inv) >> shift) & mask]++] = i;
  }
}

/** Bounds, axis indices and members of the occupied cells; `cellOf` is overwritten. */
function findCells(
  sortedCoords: Float32Array | Float64Array,
  geometry: GridGeometry,
  cellOf: Int32Array,
): {cellStart: Int32Array; cellCoords: Int32Array; cellOf: Int32Array} {
  const {dim} = geometry;
  const n = cellOf.length;
  const current = new Int32Array(dim).fill(-1);
  let cellCount = 0;
  for (let k = 0; k < n; k++) {
    let isNew = false;
    for (let d = 0; d < dim; d++) {
      const c = cellOnAxis(geometry, d, sortedCoords[k * dim + d]);
      if (c !== current[d]) {
        current[d] = c;
        isNew = true;
      }
    }
    if (isNew) cellCount++;
    cellOf[k] = cellCount - 1;
  }
  const cellStart = new Int32Array(cellCount + 1);
  const cellCoords = new Int32Array(cellCount * dim);
  for (let k = 0, cell = 0; k < n; k++) {
    if (cellOf[k] !== cell - 1) {
      cellStart[cell] = k;
      for (let d = 0; d < dim; d++) cellCoords[cell * dim + d] = cellOnAxis(geometry, d, sortedCoords[k * dim + d]);
      cell++;
    }
  }
  cellStart[cellCount] = n;
  return {cellStart, cellCoords, cellOf};
}

/**
 * For each occupied cell and each of the 3^(dim − 1) rows around it: the first occupied cell of that row from c0 − 1
 * on, and how many of the three cells from there are occupied. Row + offset ascends with the row, so each offset's
 * cursor only moves forward: a merge, no search.
 */
function findRows(cellCoords: Int32Array, dim: number): {rowFirst: Int32Array; rowCells: Uint8Array} {
  const cellCount = cellCoords.length / dim;
  const offsetCount = 3 ** (dim - 1);
  const rowFirst = new Int32Array(cellCount * offsetCount);
  const rowCells = new Uint8Array(cellCount * offsetCount);
  const rowStart = findRowStarts(cellCoords, dim);
  const rowCount = rowStart.length - 1;
  const cursors = new Int32Array(offsetCount);
  for (let row = 0; row < rowCount; row++) {
    for (let offset = 0; offset < offsetCount; offset++) {
      let other = cursors[offset];
      let order = -1;
      while (other < rowCount) {
        order = compareRows(cellCoords, dim, rowStart[other], rowStart[row], offset);
        if (order >= 0) break;
        other++;
      }
      cursors[offset] = other;
      if (order !== 0) continue;
      const end = rowStart[other + 1];
      let first = rowStart[other];
      for (let cell = rowStart[row]; cell < rowStart[row + 1]; cell++) {
        const c0 = cellCoords[cell * dim];
        while (first < end && cellCoords[first * dim] < c0 - 1) first++;
        let last = first;
        while (last < end && cellCoords[last * dim] <= c0 + 1) last++;
        rowFirst[cell * offsetCount + offset] = first;
        rowCells[cell * offsetCount + offset] = last - first;
      }
    }
  }
  return {rowFirst, rowCells};
}

/** CSR over the occupied cells: those of one row differ on axis 0 only. */
function findRowStarts(cellCoords: Int32Array, dim: number): Int32Array {
  const cellCount = cellCoords.length / dim;
  const middle = (3 ** (dim - 1) - 1) / 2;
  const isFirst = (cell: number): boolean => cell === 0 || compareRows(cellCoords, dim, cell, cell - 1, middle) !== 0;
  let rowCount = 0;
  for (let cell = 0; cell < cellCount; cell++) if (isFirst(cell)) rowCount++;
  const rowStart = new Int32Array(rowCount + 1);
  for (let cell = 0, row = 0; cell < cellCount; cell++) if (isFirst(cell)) rowStart[row++] = cell;
  rowStart[rowCount] = cellCount;
  return rowStart;
}

/**
 * How the row of cell a compares with the row of cell b moved by an offset: < 0, 0 or > 0.
 *
 * @param offset  0 … 3^(dim − 1) − 1: its ternary digits, less 1, are the steps on axes 1, 2 and 3
 */
function compareRows(cellCoords: Int32Array, dim: number, a: number, b: number, offset: number): number {
  for (let d = dim - 1; d > 0; d--) {
    const step = OFFSET_STEPS[offset * 3 + d - 1];
    const difference = cellCoords[a * dim + d] - cellCoords[b * dim + d] - step;
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Steps on axes 1, 2 and 3 of each of the 27 offsets. */
const OFFSET_STEPS = Int8Array.from({length: 81}, (_, k) => (Math.trunc(Math.trunc(k / 3) / 3 ** (k % 3)) % 3) - 1);

interface SparseArrays {
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  readonly cellOf: Int32Array;
  readonly pointOrder: Int32Array;
  readonly positionOf: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
}

class SparseGrid implements SparseUniformGrid {
  readonly layout = 'sparse';
  readonly geometry: GridGeometry;
  readonly dim: number;
  readonly n: number;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  readonly cellOf: Int32Array;
  readonly pointOrder: Int32Array;
  readonly positionOf: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
  readonly #rows: number;
  readonly #rowFirst: Int32Array;
  readonly #rowCells: Uint8Array;

  constructor(geometry: GridGeometry, arrays: SparseArrays) {
    this.geometry = geometry;
    this.dim = geometry.dim;
    this.n = arrays.pointOrder.length;
    this.cellCount = arrays.cellStart.length - 1;
    this.cellStart = arrays.cellStart;
    this.cellCoords = arrays.cellCoords;
    this.cellOf = arrays.cellOf;
    this.pointOrder = arrays.pointOrder;
    this.positionOf = arrays.positionOf;
    this.sortedCoords = arrays.sortedCoords;
    const {rowFirst, rowCells} = findRows(arrays.cellCoords, geometry.dim);
    this.#rows = 3 ** (geometry.dim - 1);
    this.#rowFirst = rowFirst;
    this.#rowCells = rowCells;
  }

  neighborRanges(cell: number, ranges: Int32Array): number {
    const {cellStart} = this;
    const rowFirst = this.#rowFirst;
    const rowCells = this.#rowCells;
    const end = (cell + 1) * this.#rows;
    let count = 0;
    for (let k = cell * this.#rows; k < end; k++) {
      const cells = rowCells[k];
      if (cells === 0) continue;
      const first = rowFirst[k];
      ranges[count++] = cellStart[first];
      ranges[count++] = cellStart[first + cells];
    }
    return count >> 1;
  }
}
