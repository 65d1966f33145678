import type {PointSet} from '@epsball/clustering';
import type {GridGeometry} from './geometry.ts';

/** Most bands: their counters stay in the L2 cache, and adding up those of many threads takes little. */
const BANDS_MAX = 2 ** 13;

/** Fewer points than this a band are not worth a counter, beyond some bands. */
const POINTS_PER_BAND = 16;
const BANDS_MIN = 64;

/** Points whose bands are computed together, axis by axis: their keys stay in the L1 cache. */
export const BAND_BLOCK = 1024;

/**
 * Cells in runs, in the order of the grid (uniformGrid.ts): what sorting starts with. A cell's band is the number of
 * its leading axes, divided by a power of two:
 *
 *     band = floor(((c[dim − 1] · n[dim − 2] + c[dim − 2]) · … + c[lastAxis]) · scale)
 *
 * Only as many axes count as are needed for enough bands. So the number is below 2^13 · 2^31, exact in float64, whatever
 * the box.
 */
export interface Bands {
  readonly count: number;
  /** The lowest axis that counts. */
  readonly lastAxis: number;
  /** 2^−k. */
  readonly scale: number;
}

/** How many bands to sort n points by. */
export function bandsFor(n: number): number {
  return Math.min(BANDS_MAX, Math.max(BANDS_MIN, Math.floor(n / POINTS_PER_BAND)));
}

/**
 * Lays bands.
 *
 * @param wanted  at most so many, and more than half of them where there are as many cells; integer ≥ 1
 */
export function layBands({dim, cellCounts}: GridGeometry, wanted: number): Bands {
  let numbers = 1;
  let lastAxis = dim;
  while (lastAxis > 0 && numbers < wanted) numbers *= cellCounts[--lastAxis];
  let scale = 1;
  while ((numbers - 1) * scale >= wanted) scale /= 2;
  return {count: Math.floor((numbers - 1) * scale) + 1, lastAxis, scale};
}

/** The first cell of a band, for geometries whose cells have linear numbers. */
export function firstCellOfBand({cellCounts, cellTotal}: GridGeometry, {lastAxis, scale}: Bands, band: number): number {
  let cellsBelow = 1;
  for (let d = 0; d < lastAxis; d++) cellsBelow *= cellCounts[d];
  return Math.min((band / scale) * cellsBelow, cellTotal);
}

/**
 * The bands of the points [start, end).
 *
 * @param found  receives them from index 0 on; `BAND_BLOCK` values, no fewer than end − start
 */
export function findBands(
  {coords, dim}: PointSet,
  geometry: GridGeometry,
  {lastAxis, scale}: Bands,
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
  for (let k = 0; k < length; k++) found[k] = Math.floor(found[k] * scale);
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
