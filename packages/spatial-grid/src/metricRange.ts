import type {VariantMetric} from '@epsball/clustering';
import type {RangeCount, RangeSearch} from './range.ts';

export type OtherMetric = Exclude<VariantMetric, 'euclidean'>;

/**
 * The search function of a metric other than the Euclidean one, with the arithmetic of `comparedDistance`. Cells of
 * side eps serve it as well: a difference on one axis never exceeds the distance.
 */
export function rangeSearchIn(metric: OtherMetric, dim: number): RangeSearch {
  const isWithin = WITHIN[metric];
  return (coords, position, start, end, eps, found, count) => {
    let next = count;
    for (let k = start; k < end; k++) if (isWithin(coords, dim, position, k, eps, dim)) found[next++] = k;
    return next;
  };
}

export function rangeCountIn(metric: OtherMetric, dim: number): RangeCount {
  const isWithin = WITHIN[metric];
  return (coords, position, start, end, eps) => {
    let count = 0;
    for (let k = start; k < end; k++) if (isWithin(coords, dim, position, k, eps, dim)) count++;
    return count;
  };
}

/** The search function of points whose last coordinate is a time, with the arithmetic of `isNeighbor`. */
export function rangeSearchInTime(dim: number, metric: VariantMetric, epsTime: number): RangeSearch {
  if (dim === 3 && metric === 'euclidean') return searchPlane(epsTime);
  const isWithin = WITHIN[metric];
  const axes = dim - 1;
  return (coords, position, start, end, limit, found, count) => {
    const time = coords[position * dim + axes];
    let next = count;
    for (let k = start; k < end; k++) {
      if (Math.abs(time - coords[k * dim + axes]) > epsTime) continue;
      if (isWithin(coords, dim, position, k, limit, axes)) found[next++] = k;
    }
    return next;
  };
}

export function rangeCountInTime(dim: number, metric: VariantMetric, epsTime: number): RangeCount {
  if (dim === 3 && metric === 'euclidean') return countPlane(epsTime);
  const isWithin = WITHIN[metric];
  const axes = dim - 1;
  return (coords, position, start, end, limit) => {
    const time = coords[position * dim + axes];
    let count = 0;
    for (let k = start; k < end; k++) {
      if (Math.abs(time - coords[k * dim + axes]) > epsTime) continue;
      if (isWithin(coords, dim, position, k, limit, axes)) count++;
    }
    return count;
  };
}

/** Two coordinates and a time. Branchless as in `rangeSearch`, in two thirds of the time of the loop above. */
function searchPlane(epsTime: number): RangeSearch {
  return (coords, position, start, end, eps2, found, count) => {
    const x = coords[3 * position];
    const y = coords[3 * position + 1];
    const t = coords[3 * position + 2];
    let next = count;
    for (let k = start; k < end; k++) {
      const dx = x - coords[3 * k];
      const dy = y - coords[3 * k + 1];
      found[next] = k;
      next += Number(dx * dx + dy * dy <= eps2) & Number(Math.abs(t - coords[3 * k + 2]) <= epsTime);
    }
    return next;
  };
}

function countPlane(epsTime: number): RangeCount {
  return (coords, position, start, end, eps2) => {
    const x = coords[3 * position];
    const y = coords[3 * position + 1];
    const t = coords[3 * position + 2];
    let count = 0;
    for (let k = start; k < end; k++) {
      const dx = x - coords[3 * k];
      const dy = y - coords[3 * k + 1];
      count += Number(dx * dx + dy * dy <= eps2) & Number(Math.abs(t - coords[3 * k + 2]) <= epsTime);
    }
    return count;
  };
}

/** Whether the distance of two points over the first `axes` axes is within the limit. */
type Within = (
  coords: Float32Array | Float64Array,
  dim: number,
  i: number,
  j: number,
  limit: number,
  axes: number,
) => boolean;

const isWithinSquares: Within = (coords, dim, i, j, eps2, axes) => {
  const a = i * dim;
  const b = j * dim;
  let sum = 0;
  // Stop early, here and below: rounded sums of squares and of magnitudes never decrease.
  for (let d = 0; d < axes && sum <= eps2; d++) {
    const delta = coords[a + d] - coords[b + d];
    sum += delta * delta;
  }
  return sum <= eps2;
};

const isWithinSum: Within = (coords, dim, i, j, eps, axes) => {
  const a = i * dim;
  const b = j * dim;
  let sum = 0;
  for (let d = 0; d < axes && sum <= eps; d++) sum += Math.abs(coords[a + d] - coords[b + d]);
  return sum <= eps;
};

const isWithinLargest: Within = (coords, dim, i, j, eps, axes) => {
  const a = i * dim;
  const b = j * dim;
  let d = 0;
  while (d < axes && Math.abs(coords[a + d] - coords[b + d]) <= eps) d++;
  return d === axes;
};

const WITHIN: Readonly<Record<VariantMetric, Within>> = {
  euclidean: isWithinSquares,
  manhattan: isWithinSum,
  chebyshev: isWithinLargest,
};
