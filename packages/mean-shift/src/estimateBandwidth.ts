import {
  checkInteger,
  checkKnownOptions,
  indicesBelow,
  InvalidParameterError,
  pointCount,
  squaredDistance,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';

export interface EstimateBandwidthOptions {
  /**
   * Fraction of all points that is within the bandwidth of a point, 0 … 1; 0.5 takes the median of all distances.
   * Default: 0.3.
   */
  readonly quantile?: number | undefined;
  /** Number of points, drawn without repetition, that stand for all; integer ≥ 1. Default: all points. */
  readonly samples?: number | undefined;
  /** Seed of the drawing; integer. The same seed draws the same points. Default: 0. */
  readonly seed?: number | undefined;
}

/**
 * A bandwidth for data of unknown scale: the distance from a point to its (quantile · n)-th nearest, counting itself,
 * averaged over the points.
 *
 * Without `samples` it is scikit-learn's estimate. Drawn samples differ from scikit-learn's.
 *
 * @param points  at least one; not modified
 * @returns       ≥ 0. It is 0 if most points have copies; only the flat kernel takes 0
 * @throws InvalidPointsError     if the coordinates are not whole, finite points, or there is no point
 * @throws InvalidParameterError  if an option is out of range or unknown
 * @complexity    O(n²) time, O(n) memory; with `samples` s: O(s²)
 * @source        scikit-learn 1.2, `estimate_bandwidth`
 */
export function estimateBandwidth(points: PointSet, options: EstimateBandwidthOptions = {}): number {
  checkKnownOptions(options, ['quantile', 'samples', 'seed'], 'options', 'an object such as {quantile: 0.3}');
  const {quantile = 0.3, samples, seed = 0} = options;
  validatePoints(points);
  if (!(quantile >= 0 && quantile <= 1)) throw new InvalidParameterError('quantile', quantile, 'a number from 0 to 1');
  if (samples !== undefined) checkInteger('samples', samples, 1);
  if (!Number.isInteger(seed)) throw new InvalidParameterError('seed', seed, 'an integer');
  if (pointCount(points) === 0) throw new InvalidParameterError('points', 'none', 'at least one point');
  const {coords, dim} = samples === undefined ? points : drawPoints(points, samples, seed);
  const n = coords.length / dim;
  const rank = Math.max(1, Math.floor(n * quantile)) - 1;
  const distances = new Float64Array(n);
  let sum = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) distances[j] = squaredDistance(coords, dim, i, j);
    sum += Math.sqrt(selectSmallest(distances, rank));
  }
  return sum / n;
}

/** The first `samples` points of a seeded shuffle (Fisher and Yates). */
function drawPoints(points: PointSet, samples: number, seed: number): PointSet {
  const {coords, dim} = points;
  const n = pointCount(points);
  const count = Math.min(samples, n);
  const order = indicesBelow(n);
  const random = randomNumbers(seed);
  const drawn = new Float64Array(count * dim);
  for (let k = 0; k < count; k++) {
    const j = k + Math.floor(random() * (n - k));
    const i = order[j];
    order[j] = order[k];
    for (let d = 0; d < dim; d++) drawn[k * dim + d] = coords[i * dim + d];
  }
  return {coords: drawn, dim};
}

/** Mulberry32: numbers in [0, 1), the same for a seed everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The rank-th smallest value, from 0; reorders the values (Hoare's quickselect, middle pivots). */
function selectSmallest(values: Float64Array, rank: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (rank <= j) high = j;
    else if (rank >= i) low = i;
    else break;
  }
  return values[rank];
}
