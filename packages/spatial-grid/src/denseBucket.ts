import type {BucketedPoints} from './buckets.ts';
import type {GridGeometry} from './geometry.ts';

/** Output of the bucket sorts of a dense grid; each bucket writes its own part. */
export interface DenseTarget {
  /** cells + 1 values; the creator of the array sets the last one. */
  readonly cellStart: Int32Array;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
}

/** Sorts one bucket by cell: a stable counting sort of the positions [start, end) to the cells [firstCell, cellEnd). */
export function sortDenseBucket(
  bucketed: BucketedPoints,
  geometry: GridGeometry,
  [start, end, firstCell, cellEnd]: readonly [start: number, end: number, firstCell: number, cellEnd: number],
  {cellStart, pointOrder, sortedCoords}: DenseTarget,
): void {
  const {dim} = geometry;
  const {order, coords} = bucketed;
  if (cellEnd - firstCell === 1) {
    // One cell: the points are already in order.
    cellStart[firstCell] = start;
    pointOrder.set(order.subarray(start, end), start);
    sortedCoords.set(coords.subarray(start * dim, end * dim), start * dim);
    return;
  }
  const cells = linearCells(coords, geometry, start, end);
  cellStart.fill(0, firstCell, cellEnd);
  for (let k = 0; k < cells.length; k++) cellStart[cells[k]]++;
  let sum = start;
  for (let c = firstCell; c < cellEnd; c++) {
    const size = cellStart[c];
    cellStart[c] = sum;
    sum += size;
  }
  for (let k = 0; k < cells.length; k++) {
    const to = cellStart[cells[k]]++;
    const from = start + k;
    pointOrder[to] = order[from];
    if (dim === 2) {
      sortedCoords[2 * to] = coords[2 * from];
      sortedCoords[2 * to + 1] = coords[2 * from + 1];
    } else {
      for (let d = 0; d < dim; d++) sortedCoords[to * dim + d] = coords[from * dim + d];
    }
  }
  // Each start has advanced to the end of its cell, which is the start of the next cell.
  cellStart.copyWithin(firstCell + 1, firstCell, cellEnd - 1);
  cellStart[firstCell] = start;
}

function linearCells(
  coords: Float32Array | Float64Array,
  {dim, origin, invSide, cellCounts}: GridGeometry,
  start: number,
  end: number,
): Int32Array {
  const cells = new Int32Array(end - start);
  let stride = 1;
  for (let d = 0; d < dim; d++) {
    const from = origin[d];
    const inv = invSide[d];
    // As in cellOnAxis. An axis with one cell has inv = 0 and an offset that may be infinite: NaN counts as cell 0.
    if (inv !== 0) {
      for (let k = 0, at = start * dim + d; k < cells.length; k++, at += dim) {
        cells[k] += Math.imul(Math.floor((coords[at] - from) * inv), stride);
      }
    }
    stride *= cellCounts[d];
  }
  return cells;
}
