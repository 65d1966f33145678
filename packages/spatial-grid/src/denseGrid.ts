import {pointCount, type PartListener, type PointSet} from '@epsball/clustering';
import {BUCKETS_PART, emptyCoords, firstCells, sortIntoBuckets} from './buckets.ts';
import {sortDenseBucket} from './denseBucket.ts';
import type {GridGeometry} from './geometry.ts';
import {storeGrid} from './storedGrid.ts';
import type {UniformGrid} from './uniformGrid.ts';

/** Stores every cell of the box, fewer than 2^31 − 1: a counting sort. */
export function buildDenseGrid(points: PointSet, geometry: GridGeometry, onProgress?: PartListener): UniformGrid {
  const n = pointCount(points);
  const {bands, buckets, bucketed} = sortIntoBuckets(points, geometry);
  const cells = firstCells(geometry, bands, buckets);
  const cellStart = new Int32Array(geometry.cellTotal + 1);
  const pointOrder = new Int32Array(n);
  const sortedCoords = emptyCoords(points);
  for (let k = 0; k < buckets.count; k++) {
    const range = [buckets.start[k], buckets.start[k + 1], cells[k], cells[k + 1]] as const;
    sortDenseBucket(bucketed, geometry, range, {cellStart, pointOrder, sortedCoords});
    onProgress?.(BUCKETS_PART + (1 - BUCKETS_PART) * (buckets.start[k + 1] / Math.max(1, n)));
  }
  cellStart[geometry.cellTotal] = n;
  const none = new Int32Array(0);
  const arrays = {cellStart, cellCoords: none, rowStart: none, pointOrder, sortedCoords};
  return storeGrid({geometry, layout: 'dense', ...arrays});
}
