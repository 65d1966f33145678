// Tasks of the threads that build a grid, one function per wave.
import type {PointSet} from '@epsball/clustering';
import {countBands, type Bands} from '../bands.ts';
import {checkedBounds} from '../bounds.ts';
import {scatterToBuckets, type BucketedPoints, type Buckets} from '../buckets.ts';
import {sortDenseBucket, type DenseTarget} from '../denseBucket.ts';
import type {GridGeometry} from '../geometry.ts';
import {sortSparseBucket} from '../sparseBucket.ts';
import {moveCells} from '../sparseGrid.ts';

export {findCellRows} from '../cellRows.ts';

export interface Cells {
  readonly points: PointSet;
  readonly geometry: GridGeometry;
  readonly bands: Bands;
}

/** Minimum and maximum of each axis of a chunk of points, then 1 if all coordinates are finite, else 0. */
export function boundChunk(
  {points, boxes}: {points: PointSet; boxes: Float64Array},
  start: number,
  end: number,
  chunk: number,
): void {
  const {coords, dim} = points;
  const {min, max, areFinite} = checkedBounds({coords: coords.subarray(start * dim, end * dim), dim});
  const at = chunk * (2 * dim + 1);
  boxes.set(min, at);
  boxes.set(max, at + dim);
  boxes[at + 2 * dim] = areFinite ? 1 : 0;
}

export function countChunk(
  {points, geometry, bands, counts}: Cells & {counts: Int32Array},
  start: number,
  end: number,
  chunk: number,
): void {
  const own = counts.subarray(chunk * bands.count, (chunk + 1) * bands.count);
  own.fill(0);
  countBands(points, geometry, bands, start, end, own);
}

export function scatterChunk(
  input: Cells & {buckets: Buckets; cursors: Int32Array; bucketed: BucketedPoints},
  start: number,
  end: number,
  chunk: number,
): void {
  const {points, geometry, bands, buckets, cursors, bucketed} = input;
  const own = cursors.subarray(chunk * buckets.count, (chunk + 1) * buckets.count);
  scatterToBuckets(points, geometry, bands, buckets, start, end, own, bucketed);
}

export interface BucketsToSort {
  readonly geometry: GridGeometry;
  readonly bucketed: BucketedPoints;
  readonly start: Int32Array;
  /** First cell of each bucket, then the number of cells: known for dense grids, else after sorting. */
  readonly firstCell: Int32Array;
}

export function sortDenseBuckets(
  {geometry, bucketed, start, firstCell, target}: BucketsToSort & {target: DenseTarget},
  first: number,
  end: number,
): void {
  for (let k = first; k < end; k++) {
    sortDenseBucket(bucketed, geometry, [start[k], start[k + 1], firstCell[k], firstCell[k + 1]], target);
  }
}

/** Sorts a range of buckets of a sparse grid; sets `firstCell[k + 1]` to the number of cells of bucket k. */
export function sortSparseBuckets(
  {geometry, bucketed, start, firstCell, target}: BucketsToSort & {target: DenseTarget},
  first: number,
  end: number,
): void {
  for (let k = first; k < end; k++) {
    firstCell[k + 1] = sortSparseBucket(bucketed, geometry, start[k], start[k + 1], target);
  }
}

/** Moves the cells of a range of buckets of a sparse grid into one list. */
export function moveBucketCells(
  input: BucketsToSort & {cells: {cellStart: Int32Array; cellCoords: Int32Array}},
  first: number,
  end: number,
): void {
  const {geometry, bucketed, start, firstCell, cells} = input;
  for (let k = first; k < end; k++) moveCells(bucketed, geometry, start[k], firstCell[k], firstCell[k + 1], cells);
}
