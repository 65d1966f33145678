import {pointCount, type PointSet} from '@epsball/clustering';
import {bytesFor, type SharedArena} from '@epsball/workers';
import {BUCKET_BOUNDS_MAX, type BucketedPoints} from '../buckets.ts';
import type {GridGeometry} from '../geometry.ts';

/** Shared memory of the threads that build a grid. */
export interface GridArrays {
  readonly counts: Int32Array;
  readonly cursors: Int32Array;
  readonly ofBand: Uint16Array;
  readonly start: Int32Array;
  readonly firstCell: Int32Array;
  readonly bucketed: BucketedPoints;
  readonly pointOrder: Int32Array;
  readonly sortedCoords: Float32Array | Float64Array;
  /** Room for the maximum number of cells; `cellCoords` and `rowStart` are empty for a dense grid. */
  readonly cellStart: Int32Array;
  readonly cellCoords: Int32Array;
  readonly rowStart: Int32Array;
}

/** Takes the arrays from an arena that held those of the previous build. */
export function takeGridArrays(
  arena: SharedArena,
  points: PointSet,
  {dim, cellTotal}: GridGeometry,
  {layout, bands, chunks}: {layout: 'dense' | 'sparse'; bands: number; chunks: number},
): GridArrays {
  const n = pointCount(points);
  const {coords} = points;
  // A sparse grid has at most one cell per point. Untouched pages take no memory.
  const cells = layout === 'dense' ? cellTotal : n;
  const cellCoordsLength = layout === 'dense' ? 0 : dim * n;
  const words = [bands * chunks, BUCKET_BOUNDS_MAX * chunks, BUCKET_BOUNDS_MAX, BUCKET_BOUNDS_MAX, n, n];
  const rowStartLength = layout === 'dense' ? 0 : n + 1;
  words.push(cells + 1, cellCoordsLength, rowStartLength);
  const bytes = words.reduce((sum, length) => sum + bytesFor(4 * length), 0);
  arena.reserve(bytes + bytesFor(2 * bands) + 2 * bytesFor(coords.BYTES_PER_ELEMENT * coords.length));
  const bucketCoords = arena.like(coords, coords.length);
  const {buffer, byteOffset, byteLength} = bucketCoords;
  return {
    counts: arena.int32(bands * chunks),
    cursors: arena.int32(BUCKET_BOUNDS_MAX * chunks),
    ofBand: arena.uint16(bands),
    start: arena.int32(BUCKET_BOUNDS_MAX),
    firstCell: arena.int32(BUCKET_BOUNDS_MAX),
    bucketed: {order: arena.int32(n), coords: bucketCoords, words: new Int32Array(buffer, byteOffset, byteLength / 4)},
    pointOrder: arena.int32(n),
    sortedCoords: arena.like(coords, coords.length),
    cellStart: arena.int32(cells + 1),
    cellCoords: arena.int32(cellCoordsLength),
    rowStart: arena.int32(rowStartLength),
  };
}
