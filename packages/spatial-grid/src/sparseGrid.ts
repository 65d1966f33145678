import {pointCount, type PointSet} from '@epsball/clustering';
import {emptyCoords, sortIntoBuckets, type BucketedPoints} from './buckets.ts';
import {buildCellRows, readCellRows, type CellRows} from './cellRows.ts';
import type {GridGeometry} from './geometry.ts';
import {cellsOfPositions, positionsOfPoints} from './positions.ts';
import {cellWords, sortSparseBucket} from './sparseBucket.ts';
import {findRowStarts} from './sparseRows.ts';
import {cellsToRanges, RANGES_LENGTH, type SparseUniformGrid} from './uniformGrid.ts';

/**
 * Builds a grid of the occupied cells only: cost follows n, not the box.
 *
 * @param points    points inside the geometry's box, dim ≤ 4; not modified
 * @param geometry  at most 2^31 − 1 cells per axis; their product may exceed the range of a number
 * @complexity      O(n · digits + occupied cells · 3^(dim − 1))
 */
export function buildSparseGrid(points: PointSet, geometry: GridGeometry): SparseUniformGrid {
  const n = pointCount(points);
  const {buckets, bucketed} = sortIntoBuckets(points, geometry);
  const pointOrder = new Int32Array(n);
  const sortedCoords = emptyCoords(points);
  const firstCell = new Int32Array(buckets.count + 1);
  for (let k = 0; k < buckets.count; k++) {
    const target = {pointOrder, sortedCoords};
    const cells = sortSparseBucket(bucketed, geometry, buckets.start[k], buckets.start[k + 1], target);
    firstCell[k + 1] = firstCell[k] + cells;
  }
  const cells = takeCells(geometry, firstCell[buckets.count], n, bucketed);
  for (let k = 0; k < buckets.count; k++) {
    moveCells(bucketed, geometry, buckets.start[k], firstCell[k], firstCell[k + 1], cells);
  }
  const {cellStart, cellCoords} = cells;
  return new SparseGrid(geometry, {cellStart, cellCoords, pointOrder, sortedCoords});
}

/** Begin and axis indices of the occupied cells of a sparse grid. */
interface OccupiedCells {
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
}

/**
 * Returns arrays for the cells. If the cells fill most of the memory where they are listed, they are compacted in
 * place, which `moveCells` allows in ascending order: a cell is never listed before its final place.
 */
function takeCells({dim}: GridGeometry, cellCount: number, n: number, {words}: BucketedPoints): OccupiedCells {
  const cellStart = new Int32Array(cellCount + 1);
  cellStart[cellCount] = n;
  const length = cellCount * dim;
  return {cellStart, cellCoords: 2 * length > words.length ? words.subarray(0, length) : new Int32Array(length)};
}

/**
 * Moves the cells that `sortSparseBucket` listed to their places.
 *
 * @param start      first position of the bucket
 * @param firstCell  first cell of the bucket
 * @param cellEnd    cell after its last
 */
export function moveCells(
  bucketed: BucketedPoints,
  geometry: GridGeometry,
  start: number,
  firstCell: number,
  cellEnd: number,
  {cellStart, cellCoords}: OccupiedCells,
): void {
  const {dim} = geometry;
  const count = cellEnd - firstCell;
  const word = cellWords(bucketed, geometry, start);
  cellStart.set(bucketed.order.subarray(start, start + count), firstCell);
  cellCoords.set(bucketed.words.subarray(word, word + count * dim), firstCell * dim);
}

interface SparseArrays {
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
}

class SparseGrid implements SparseUniformGrid {
  readonly layout = 'sparse';
  readonly rangesLength = RANGES_LENGTH;
  readonly geometry: GridGeometry;
  readonly dim: number;
  readonly reach: number;
  readonly n: number;
  readonly cellCount: number;
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
  #rows: CellRows | undefined;
  #rowStart: Int32Array | undefined;
  #cellOf: Int32Array | undefined;
  #positionOf: Int32Array | undefined;

  constructor(geometry: GridGeometry, arrays: SparseArrays) {
    this.geometry = geometry;
    this.dim = geometry.dim;
    this.reach = geometry.reach;
    this.n = arrays.pointOrder.length;
    this.cellCount = arrays.cellStart.length - 1;
    this.cellStart = arrays.cellStart;
    this.cellCoords = arrays.cellCoords;
    this.pointOrder = arrays.pointOrder;
    this.sortedCoords = arrays.sortedCoords;
  }

  get rowStart(): Int32Array {
    return (this.#rowStart ??= findRowStarts(this.cellCoords, this.dim));
  }

  get cellOf(): Int32Array {
    return (this.#cellOf ??= cellsOfPositions(this.cellStart, this.n));
  }

  get positionOf(): Int32Array {
    return (this.#positionOf ??= positionsOfPoints(this.pointOrder));
  }

  neighborRanges(cell: number, ranges: Int32Array): number {
    return cellsToRanges(ranges, this.neighborCells(cell, ranges), this.cellStart);
  }

  neighborCells(cell: number, cells: Int32Array): number {
    return readCellRows((this.#rows ??= buildCellRows(this)), cell, cells);
  }
}
