import {pointCount, type PointSet} from '@epsball/clustering';
import type {GridGeometry} from './geometry.ts';

/** Maximum number of bands: their counters fit in the L2 cache, and summing the counters of many threads is cheap. */
const BANDS_MAX = 2 ** 13;

/** Minimum points per band, beyond a small number of bands; fewer do not justify a counter. */
const POINTS_PER_BAND = 16;
const BANDS_MIN = 64;

/** Points whose bands are computed together, axis by axis: their keys fit in the L1 cache. */
export const BAND_BLOCK = 1024;

/** Number of points that determine the bands. */
const SAMPLE = 1024;

/** Share of the sample allowed outside the bands at either end, so that a few distant points do not widen all bands. */
const BEYOND = 0.01;

/** Integers up to this bound are exact in float64. */
const EXACT_MAX = 2 ** 53;

/**
 * Runs of cells in the order of the grid (uniformGrid.ts), for the first step of the sort. The band of a point follows
 * from the linear number of its cell. If that number exceeds float64, only the leading axes count:
 *
 *     band = floor((((c[dim − 1] · n[dim − 2] + c[dim − 2]) · … + c[lastAxis]) − low) · scale), clamped to 0 … count −
 *     1
 *
 * So bands ascend with cells, and all points of a cell are in one band.
 */
export interface Bands {
  readonly count: number;
  readonly lastAxis: number;
  /** First cell of band 1, less the width of a band. All cells before band 1 are in band 0. */
  readonly low: number;
  readonly scale: number;
}

export function bandsFor(n: number): number {
  return Math.min(BANDS_MAX, Math.max(BANDS_MIN, Math.floor(n / POINTS_PER_BAND)));
}

/** Places at most `wanted` bands by a sample of the points; more than half of it, if there are as many cells. */
export function layBands(sample: PointSet, geometry: GridGeometry, wanted: number): Bands {
  const {dim, cellCounts} = geometry;
  let lastAxis = dim - 1;
  for (let numbers = cellCounts[lastAxis]; lastAxis > 0; lastAxis--) {
    numbers *= cellCounts[lastAxis - 1];
    if (numbers > EXACT_MAX) break;
  }
  const length = pointCount(sample);
  if (wanted === 1 || length === 0) return {count: 1, lastAxis, low: 0, scale: 1};
  const found = new Float64Array(length);
  findCells(sample, geometry, lastAxis, 0, length, found);
  found.sort();
  const beyond = Math.floor(BEYOND * length);
  const low = found[beyond];
  const numbers = found[length - 1 - beyond] - low + 1;
  let scale = 1;
  while ((numbers - 1) * scale >= wanted) scale /= 2;
  return {count: Math.floor((numbers - 1) * scale) + 1, lastAxis, low, scale};
}

/** A sample of the points, evenly spaced over the input. */
export function samplePoints({coords, dim}: PointSet): PointSet {
  const n = coords.length / dim;
  const length = Math.min(SAMPLE, n);
  const sample = new Float64Array(length * dim);
  for (let k = 0; k < length; k++) {
    const i = Math.floor((k * n) / length);
    for (let d = 0; d < dim; d++) sample[k * dim + d] = coords[i * dim + d];
  }
  return {coords: sample, dim};
}

/** The first cell of a band, for geometries whose cells have linear numbers. */
export function firstCellOfBand(
  {cellCounts, cellTotal}: GridGeometry,
  {count, lastAxis, low, scale}: Bands,
  band: number,
): number {
  if (band === 0) return 0;
  if (band === count) return cellTotal;
  let cellsBelow = 1;
  for (let d = 0; d < lastAxis; d++) cellsBelow *= cellCounts[d];
  return (low + band / scale) * cellsBelow;
}

/** Writes the bands of the points [start, end), at most `BAND_BLOCK`, to `found` from index 0 on. */
export function findBands(
  points: PointSet,
  geometry: GridGeometry,
  {count, lastAxis, low, scale}: Bands,
  start: number,
  end: number,
  found: Float64Array,
): void {
  findCells(points, geometry, lastAxis, start, end, found);
  const last = count - 1;
  for (let k = 0; k < end - start; k++) {
    const band = Math.floor((found[k] - low) * scale);
    found[k] = band < 0 ? 0 : band > last ? last : band;
  }
}

/** Linear cell numbers of the points [start, end) over the axes ≥ `lastAxis`. */
function findCells(
  {coords, dim}: PointSet,
  geometry: GridGeometry,
  lastAxis: number,
  start: number,
  end: number,
  found: Float64Array,
): void {
  const length = end - start;
  for (let k = 0; k < length; k++) found[k] = 0;
  for (let d = dim - 1; d >= lastAxis; d--) {
    const origin = geometry.origin[d];
    const inv = geometry.invSide[d];
    // As in cellOnAxis. An axis with one cell has inv = 0 and an offset that may be infinite.
    if (inv === 0) continue;
    const cells = geometry.cellCounts[d];
    for (let k = 0, at = start * dim + d; k < length; k++, at += dim) {
      found[k] = found[k] * cells + Math.floor((coords[at] - origin) * inv);
    }
  }
}

/** Adds the points [start, end) to the counters of their bands. */
export function countBands(
  points: PointSet,
  geometry: GridGeometry,
  bands: Bands,
  start: number,
  end: number,
  counts: Int32Array,
): void {
  const found = new Float64Array(BAND_BLOCK);
  for (let block = start; block < end; block += BAND_BLOCK) {
    const blockEnd = Math.min(block + BAND_BLOCK, end);
    findBands(points, geometry, bands, block, blockEnd, found);
    for (let k = 0; k < blockEnd - block; k++) counts[found[k]]++;
  }
}
