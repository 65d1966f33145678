import {pointCount, type PointSet} from '@epsball/clustering';
import type {GridGeometry} from './geometry.ts';

/** Most bands: their counters stay in the L2 cache, and adding up those of many threads takes little. */
const BANDS_MAX = 2 ** 13;

/** Fewer points than this a band are not worth a counter, beyond some bands. */
const POINTS_PER_BAND = 16;
const BANDS_MIN = 64;

/** Points whose bands are computed together, axis by axis: their keys stay in the L1 cache. */
export const BAND_BLOCK = 1024;

/** Points whose cells say where the bands are laid. */
const SAMPLE = 1024;

/** Share of the sample that may lie beyond the outermost bands at either end: a few far points must not widen all bands. */
const BEYOND = 0.01;

/** Integers up to here are exact in float64. */
const EXACT_MAX = 2 ** 53;

/**
 * Cells in runs, in the order of the grid (uniformGrid.ts): what sorting starts with. A point's band comes from the linear
 * number of its cell, of the leading axes alone where all of them would be too many for float64:
 *
 *     band = floor((((c[dim − 1] · n[dim − 2] + c[dim − 2]) · … + c[lastAxis]) − low) · scale), at least 0, at most count − 1
 *
 * So bands ascend with cells, and a cell is in one band.
 */
export interface Bands {
  readonly count: number;
  /** The lowest axis that counts. */
  readonly lastAxis: number;
  /** First cell of the first band but one, less a band; cells before it are in the first band. */
  readonly low: number;
  /** 2^−k, bands a cell. */
  readonly scale: number;
}

/** How many bands to sort n points by. */
export function bandsFor(n: number): number {
  return Math.min(BANDS_MAX, Math.max(BANDS_MIN, Math.floor(n / POINTS_PER_BAND)));
}

/**
 * Lays bands where the points are, by a sample.
 *
 * @param sample  `samplePoints` of them
 * @param wanted  at most so many, and more than half of them where there are as many cells; integer ≥ 1
 */
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

/** Some points, evenly from all over the input. */
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

/**
 * The bands of the points [start, end).
 *
 * @param found  receives them from index 0 on; `BAND_BLOCK` values, no fewer than end − start
 */
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

/** Numbers of the cells of the points [start, end), by the axes from `lastAxis` up. */
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
    // As cellOnAxis. An axis of one cell has inv = 0 and an offset that may be infinite.
    if (inv === 0) continue;
    const cells = geometry.cellCounts[d];
    for (let k = 0, at = start * dim + d; k < length; k++, at += dim) {
      found[k] = found[k] * cells + Math.floor((coords[at] - origin) * inv);
    }
  }
}

/**
 * Counts the points [start, end) by band.
 *
 * @param counts  `bands.count` counters, which grow
 */
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
