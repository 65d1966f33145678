import {pointCount, type PartListener, type PointSet} from '@epsball/clustering';
import {BUCKETS_PART, emptyCoords, sortIntoBuckets, type BucketedPoints} from './buckets.ts';
import type {GridGeometry} from './geometry.ts';
import {cellWords, sortSparseBucket} from './sparseBucket.ts';
import {findRowStarts} from './sparseRows.ts';
import {storeGrid} from './storedGrid.ts';
import type {UniformGrid} from './uniformGrid.ts';

/** Builds a grid of the occupied cells only: cost follows n, not the box. */
export function buildSparseGrid(points: PointSet, geometry: GridGeometry, onProgress?: PartListener): UniformGrid {
  const n = pointCount(points);
  const {buckets, bucketed} = sortIntoBuckets(points, geometry);
  const pointOrder = new Int32Array(n);
  const sortedCoords = emptyCoords(points);
  const firstCell = new Int32Array(buckets.count + 1);
  for (let k = 0; k < buckets.count; k++) {
    const target = {pointOrder, sortedCoords};
    const cells = sortSparseBucket(bucketed, geometry, buckets.start[k], buckets.start[k + 1], target);
    firstCell[k + 1] = firstCell[k] + cells;
    onProgress?.(BUCKETS_PART + (1 - BUCKETS_PART) * (buckets.start[k + 1] / Math.max(1, n)));
  }
  const cells = takeCells(geometry, firstCell[buckets.count], n, bucketed);
  for (let k = 0; k < buckets.count; k++) {
    moveCells(bucketed, geometry, buckets.start[k], firstCell[k], firstCell[k + 1], cells);
  }
  const rowStart = findRowStarts(cells.cellCoords, geometry.dim);
  return storeGrid({geometry, layout: 'sparse', ...cells, rowStart, pointOrder, sortedCoords});
}

interface OccupiedCells {
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
}

/**
 * Arrays for the cells. If these fill most of the memory where they are listed, they are compacted in place, which
 * `moveCells` allows in ascending order: a cell is never listed before its final place.
 */
function takeCells({dim}: GridGeometry, cellCount: number, n: number, {words}: BucketedPoints): OccupiedCells {
  const cellStart = new Int32Array(cellCount + 1);
  cellStart[cellCount] = n;
  const length = cellCount * dim;
  return {cellStart, cellCoords: 2 * length > words.length ? words.subarray(0, length) : new Int32Array(length)};
}

/** Moves the cells that `sortSparseBucket` listed for the bucket at `start` to [firstCell, cellEnd). */
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
