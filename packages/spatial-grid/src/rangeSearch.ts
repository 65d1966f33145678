import type {VariantMetric} from '@epsball/clustering';
import {rangeSearchIn, rangeSearchInTime} from './metricRange.ts';
import type {RangeSearch} from './range.ts';

/**
 * Returns the search function for points of `dim` coordinates, any `dim` ≥ 1, with the arithmetic of `squaredDistance`.
 *
 * With `epsTime` the last coordinate is a time, and neighbours are within `epsTime` there.
 *
 * Up to 4 dimensions it is branchless: about every third candidate is a neighbour, which branch prediction cannot
 * learn. It writes each candidate and advances the count only for neighbours. So `found` needs room for all candidates,
 * or for one more than the neighbours.
 */
export function rangeSearch(dim: number, metric: VariantMetric = 'euclidean', epsTime?: number): RangeSearch {
  if (epsTime !== undefined) return rangeSearchInTime(dim, metric, epsTime);
  if (metric !== 'euclidean') return rangeSearchIn(metric, dim);
  switch (dim) {
    case 1:
      return searchRange1;
    case 2:
      return searchRange2;
    case 3:
      return searchRange3;
    case 4:
      return searchRange4;
    default:
      return (coords, position, start, end, eps2, found, count) =>
        searchRange(coords, dim, position, start, end, eps2, found, count);
  }
}

const searchRange1: RangeSearch = (coords, position, start, end, eps2, found, count) => {
  const x = coords[position];
  for (let k = start; k < end; k++) {
    const dx = x - coords[k];
    found[count] = k;
    count += Number(dx * dx <= eps2);
  }
  return count;
};

const searchRange2: RangeSearch = (coords, position, start, end, eps2, found, count) => {
  const x = coords[2 * position];
  const y = coords[2 * position + 1];
  for (let k = start; k < end; k++) {
    const dx = x - coords[2 * k];
    const dy = y - coords[2 * k + 1];
    found[count] = k;
    count += Number(dx * dx + dy * dy <= eps2);
  }
  return count;
};

const searchRange3: RangeSearch = (coords, position, start, end, eps2, found, count) => {
  const x = coords[3 * position];
  const y = coords[3 * position + 1];
  const z = coords[3 * position + 2];
  for (let k = start; k < end; k++) {
    const dx = x - coords[3 * k];
    const dy = y - coords[3 * k + 1];
    const dz = z - coords[3 * k + 2];
    found[count] = k;
    count += Number(dx * dx + dy * dy + dz * dz <= eps2);
  }
  return count;
};

const searchRange4: RangeSearch = (coords, position, start, end, eps2, found, count) => {
  const x = coords[4 * position];
  const y = coords[4 * position + 1];
  const z = coords[4 * position + 2];
  const w = coords[4 * position + 3];
  for (let k = start; k < end; k++) {
    const dx = x - coords[4 * k];
    const dy = y - coords[4 * k + 1];
    const dz = z - coords[4 * k + 2];
    const dw = w - coords[4 * k + 3];
    found[count] = k;
    count += Number(dx * dx + dy * dy + dz * dz + dw * dw <= eps2);
  }
  return count;
};

function searchRange(
  coords: Float32Array | Float64Array,
  dim: number,
  position: number,
  start: number,
  end: number,
  eps2: number,
  found: Int32Array,
  count: number,
): number {
  const center = position * dim;
  for (let k = start; k < end; k++) {
    const at = k * dim;
    let sum = 0;
    // Stop early: rounded sums of squares never decrease, so a sum above eps² stays above.
    for (let d = 0; d < dim && sum <= eps2; d++) {
      const delta = coords[center + d] - coords[at + d];
      sum += delta * delta;
    }
    if (sum <= eps2) found[count++] = k;
  }
  return count;
}
