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

/** Maximum number of buckets: each is a stream of writes, and a processor tracks a few hundred streams. */
const BUCKETS_MAX = 512;

/** Length of an array of bucket bounds: the maximum number of buckets, plus one. */
export const BUCKET_BOUNDS_MAX: number = BUCKETS_MAX + 2;

/** Points per bucket that sort within the L1 and L2 caches. */
const POINTS_PER_BUCKET = 2048;

/** Fewer points fit in the caches as they are and stay in one bucket. */
const UNSPLIT_POINTS = 2 ** 16;

/** About this part of a build precedes the sorts of the buckets. */
export const BUCKETS_PART = 0.5;

/** Bands joined to buckets of about equal numbers of points. Each bucket is sorted separately. */
export interface Buckets {
  readonly count: number;
  readonly ofBand: Uint16Array;
  /** First band of each bucket, then the number of bands; count + 1 values. */
  readonly firstBand: Int32Array;
  /** First position of each bucket, then n; count + 1 values. */
  readonly start: Int32Array;
}

/** Points ordered by bucket; within a bucket in input order. */
export interface BucketedPoints {
  readonly order: Int32Array;
  readonly coords: Float32Array | Float64Array;
  /** The memory of `coords`. */
  readonly words: Int32Array;
}

/**
 * Chooses the buckets, and the first write position of each chunk in each bucket: chunks · buckets cursors.
 *
 * @param counts  points by band for each chunk of points: chunks · bands values
 * @param enough  number of buckets that occupies the threads; more only if one would hold too many points
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
  // Row by row: the counters of one band are far apart in memory.
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

/** The first cell of each bucket, then `cellTotal`; for dense grids. */
export function firstCells(geometry: GridGeometry, bands: Bands, {firstBand}: Buckets): Int32Array {
  return firstBand.map((band) => firstCellOfBand(geometry, bands, band));
}

/** Moves the points [start, end) to their buckets. Advances the cursors of the chunk. */
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

function copyAsBucket({coords}: PointSet, bucketed: BucketedPoints): void {
  const {order} = bucketed;
  for (let i = 0; i < order.length; i++) order[i] = i;
  bucketed.coords.set(coords);
}

/** An array for the same number of coordinates, of the same type. */
export function emptyCoords({coords}: PointSet): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> {
  return coords instanceof Float32Array ? new Float32Array(coords.length) : new Float64Array(coords.length);
}
