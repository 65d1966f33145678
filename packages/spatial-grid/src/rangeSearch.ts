import type {VariantMetric} from '@epsball/clustering';

/**
 * Collects the positions in [start, end) within eps of a point.
 *
 * @param coords    point-major coordinates by position
 * @param position  the point
 * @param eps2      `limitOf` the radius: eps · eps, or eps in metrics other than Euclidean
 * @param found     receives the positions from index `count` on; the value after the last one is unspecified
 * @param count     number of positions already in `found`
 * @returns         number of positions now in `found`
 */
export type RangeSearch = (
  coords: Float32Array | Float64Array,
  position: number,
  start: number,
  end: number,
  eps2: number,
  found: Int32Array,
  count: number,
) => number;

/**
 * Returns the search function for points of `dim` coordinates, any `dim` ≥ 1, with the arithmetic of `squaredDistance`.
 *
 * Up to 4 dimensions it is branchless: about every third candidate is a neighbour, which branch prediction cannot
 * learn. It writes each candidate and advances the count only for neighbours. So `found` needs room for all candidates,
 * or for one more than the neighbours.
 */
export function rangeSearch(dim: number, metric: VariantMetric = 'euclidean'): RangeSearch {
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
      return searchRangeOf(dim);
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

function searchRangeOf(dim: number): RangeSearch {
  return (coords, position, start, end, eps2, found, count) => {
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
  };
}

/**
 * The search function of a metric other than the Euclidean one, with the arithmetic of `comparedDistance`. Cells of
 * side eps serve it as well: a difference on one axis never exceeds the distance.
 */
function rangeSearchIn(metric: Exclude<VariantMetric, 'euclidean'>, dim: number): RangeSearch {
  const isWithin = metric === 'manhattan' ? isWithinSum : isWithinLargest;
  return (coords, position, start, end, eps, found, count) => {
    let next = count;
    for (let k = start; k < end; k++) if (isWithin(coords, dim, position, k, eps)) found[next++] = k;
    return next;
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
