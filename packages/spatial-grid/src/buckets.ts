import {pointCount, type PointSet} from '@epsball/clustering';
import {
  BAND_BLOCK,
  bandsFor,
  countBands,
  findBands,
  firstCellOfBand,
  layBands,
  samplePoints,
  type Bands,
} from './bands.ts';
import type {GridGeometry} from './geometry.ts';

/** Most buckets: each is a stream of writes, and the processor follows some hundreds at a time. */
const BUCKETS_MAX = 512;

/** As many values as there may be buckets, and one more. */
export const BUCKET_BOUNDS_MAX: number = BUCKETS_MAX + 2;

/** A bucket of so many points is sorted in the L1 and L2 caches. */
const POINTS_PER_BUCKET = 2048;

/** Fewer points than this fit the caches as they are: one bucket. */
const UNSPLIT_POINTS = 2 ** 16;

/** Bands put together to buckets of about as many points; a bucket is sorted by itself. */
export interface Buckets {
  readonly count: number;
  /** Bucket of each band. */
  readonly ofBand: Uint16Array;
  /** First band of each bucket, and the number of bands; count + 1 values. */
  readonly firstBand: Int32Array;
  /** First position of each bucket, and n; count + 1 values. */
  readonly start: Int32Array;
}

/** Points in the order of their buckets; inside a bucket in the order of the input. */
export interface BucketedPoints {
  /** Original indices. */
  readonly order: Int32Array;
  /** Point-major coordinates, of the input's type. */
  readonly coords: Float32Array | Float64Array;
  /** The memory of `coords` as words. */
  readonly words: Int32Array;
}

/**
 * Chooses the buckets.
 *
 * @param counts  points by band, of one chunk of the points after another: chunks · bands values
 * @param enough  buckets that are enough for the threads; more only where one would hold too many points
 * @returns       the buckets, and where each chunk writes into each of them: chunks · buckets cursors
 * @complexity    O(chunks · bands)
 */
export function planBuckets(
  counts: Int32Array,
  {count: bandCount}: Bands,
  n: number,
  enough: number,
): {buckets: Buckets; cursors: Int32Array} {
  const wanted = Math.max(Math.min(POINTS_PER_BUCKET, Math.ceil(n / enough)), Math.ceil(n / BUCKETS_MAX));
  const chunkCount = counts.length / bandCount;
  const ofBand = new Uint16Array(bandCount);
  const sizes = new Int32Array(bandCount);
  // Row after row: the counters of a band are far from each other.
  for (let row = 0; row < counts.length; row += bandCount) {
    for (let band = 0; band < bandCount; band++) sizes[band] += counts[row + band];
  }
  const firstBand: number[] = [0];
  const start: number[] = [0];
  let size = 0;
  let position = 0;
  for (let band = 0; band < bandCount; band++) {
    if (size >= wanted) {
      firstBand.push(band);
      start.push(position);
      size = 0;
    }
    ofBand[band] = firstBand.length - 1;
    size += sizes[band];
    position += sizes[band];
  }
  firstBand.push(bandCount);
  start.push(n);
  const count = firstBand.length - 1;
  const cursors = new Int32Array(chunkCount * count);
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const row = chunk * bandCount;
    for (let bucket = 0, band = 0; bucket < count; bucket++) {
      let sum = 0;
      for (const end = firstBand[bucket + 1]; band < end; band++) sum += counts[row + band];
      cursors[chunk * count + bucket] = sum;
    }
  }
  for (let bucket = 0; bucket < count; bucket++) {
    let next = start[bucket];
    for (let at = bucket; at < cursors.length; at += count) {
      const length = cursors[at];
      cursors[at] = next;
      next += length;
    }
  }
  return {buckets: {count, ofBand, firstBand: Int32Array.from(firstBand), start: Int32Array.from(start)}, cursors};
}

/** The first cell of each bucket, and `cellTotal`: for dense grids. */
export function firstCells(geometry: GridGeometry, bands: Bands, {firstBand}: Buckets): Int32Array {
  return firstBand.map((band) => firstCellOfBand(geometry, bands, band));
}

/**
 * Moves the points [start, end) to their buckets.
 *
 * @param cursors  the chunk's: where the next point of each bucket goes; moved on
 * @param target   written at these places only
 */
export function scatterToBuckets(
  points: PointSet,
  geometry: GridGeometry,
  bands: Bands,
  {ofBand}: Buckets,
  start: number,
  end: number,
  cursors: Int32Array,
  target: BucketedPoints,
): void {
  const {coords, dim} = points;
  const {order, coords: bucketCoords} = target;
  const found = new Float64Array(BAND_BLOCK);
  for (let block = start; block < end; block += BAND_BLOCK) {
    const blockEnd = Math.min(block + BAND_BLOCK, end);
    findBands(points, geometry, bands, block, blockEnd, found);
    for (let i = block; i < blockEnd; i++) {
      const position = cursors[ofBand[found[i - block]]]++;
      order[position] = i;
      if (dim === 2) {
        bucketCoords[2 * position] = coords[2 * i];
        bucketCoords[2 * position + 1] = coords[2 * i + 1];
      } else {
        for (let d = 0; d < dim; d++) bucketCoords[position * dim + d] = coords[i * dim + d];
      }
    }
  }
}

/** Sorts all points into buckets on the calling thread. */
export function sortIntoBuckets(
  points: PointSet,
  geometry: GridGeometry,
): {bands: Bands; buckets: Buckets; bucketed: BucketedPoints} {
  const n = pointCount(points);
  const bands = layBands(samplePoints(points), geometry, n < UNSPLIT_POINTS ? 1 : bandsFor(n));
  const counts = new Int32Array(bands.count);
  countBands(points, geometry, bands, 0, n, counts);
  const {buckets, cursors} = planBuckets(counts, bands, n, 1);
  const coords = emptyCoords(points);
  const bucketed = {order: new Int32Array(n), coords, words: new Int32Array(coords.buffer)};
  if (buckets.count > 1) scatterToBuckets(points, geometry, bands, buckets, 0, n, cursors, bucketed);
  else copyAsBucket(points, bucketed);
  return {bands, buckets, bucketed};
}

/** Everything in one bucket: the order of the input. */
function copyAsBucket({coords}: PointSet, bucketed: BucketedPoints): void {
  const {order} = bucketed;
  for (let i = 0; i < order.length; i++) order[i] = i;
  bucketed.coords.set(coords);
}

/** An array for as many coordinates, of the same type. */
export function emptyCoords({coords}: PointSet): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> {
  return coords instanceof Float32Array ? new Float32Array(coords.length) : new Float64Array(coords.length);
}
