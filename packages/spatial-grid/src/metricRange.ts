import type {VariantMetric} from '@epsball/clustering';
import type {RangeCount, RangeSearch} from './range.ts';

export type OtherMetric = Exclude<VariantMetric, 'euclidean'>;

/**
 * The search function of a metric other than the Euclidean one, with the arithmetic of `comparedDistance`. Cells of
 * side eps serve it as well: a difference on one axis never exceeds the distance.
 */
export function rangeSearchIn(metric: OtherMetric, dim: number): RangeSearch {
  const isWithin = metric === 'manhattan' ? isWithinSum : isWithinLargest;
  return (coords, position, start, end, eps, found, count) => {
    let next = count;
    for (let k = start; k < end; k++) if (isWithin(coords, dim, position, k, eps)) found[next++] = k;
    return next;
  };
}

export function rangeCountIn(metric: OtherMetric, dim: number): RangeCount {
  const isWithin = metric === 'manhattan' ? isWithinSum : isWithinLargest;
  return (coords, position, start, end, eps) => {
    let count = 0;
    for (let k = start; k < end; k++) if (isWithin(coords, dim, position, k, eps)) count++;
    return count;
  };
}

type Within = (coords: Float32Array | Float64Array, dim: number, i: number, j: number, eps: number) => boolean;

const isWithinSum: Within = (coords, dim, i, j, eps) => {
  const a = i * dim;
  const b = j * dim;
  let sum = 0;
  // Stop early: rounded sums of magnitudes never decrease.
  for (let d = 0; d < dim && sum <= eps; d++) sum += Math.abs(coords[a + d] - coords[b + d]);
  return sum <= eps;
};

const isWithinLargest: Within = (coords, dim, i, j, eps) => {
  const a = i * dim;
  const b = j * dim;
  let d = 0;
  while (d < dim && Math.abs(coords[a + d] - coords[b + d]) <= eps) d++;
  return d === dim;
};
