/**
 * The neighbourhood test that decides every label: points i and j are neighbours if and only if
 * `squaredDistance(…) <= squaredEps(eps)`, in IEEE float64, with the axes in order. scikit-learn's kd_tree uses the
 * same arithmetic. GPU kernels give the same answer by other means (docs/numerics.md). `isNeighbor` is the test in any
 * metric, and with times.
 */
import type {VariantMetric} from './metric/metric.ts';

/** eps · eps in float64, rounded once. */
export function squaredEps(eps: number): number {
  return eps * eps;
}

/**
 * Squared distance of two points: float64, summed in axis order.
 *
 * @param coords  point-major; not modified
 * @param i       index of a point; likewise `j`
 * @param axes    the number of axes that count, from the first on. Default: all
 * @complexity    O(dim), no allocation
 */
export function squaredDistance(
  coords: Float32Array | Float64Array,
  dim: number,
  i: number,
  j: number,
  axes: number = dim,
): number {
  const a = i * dim;
  const b = j * dim;
  let sum = 0;
  for (let d = 0; d < axes; d++) {
    const delta = coords[a + d] - coords[b + d];
    sum += delta * delta;
  }
  return sum;
}

/** A radius in a metric: the part of `DbscanParams` that tells which points are neighbours. */
export interface Radius {
  readonly eps: number;
  readonly metric?: VariantMetric | undefined;
  readonly eps2?: number | undefined;
  readonly epsTime?: number | undefined;
}

/**
 * What a rounded distance is compared with: eps for the sum or the largest of differences (manhattan, chebyshev), the
 * squared eps for the sum of squares (euclidean).
 */
export function limitOf({eps, metric = 'euclidean', eps2 = squaredEps(eps)}: Radius): number {
  return metric === 'euclidean' ? eps2 : eps;
}

/**
 * Whether points i and j are neighbours, in any metric: float64, axes in order, a distance of exactly eps counts. With
 * `epsTime` the last axis is of time: a difference of exactly `epsTime` counts there.
 *
 * @param coords  point-major; not modified
 * @complexity    O(dim), no allocation
 */
export function isNeighbor(
  coords: Float32Array | Float64Array,
  dim: number,
  i: number,
  j: number,
  radius: Radius,
): boolean {
  const {metric = 'euclidean', epsTime} = radius;
  if (epsTime === undefined) return comparedDistance(coords, dim, i, j, metric) <= limitOf(radius);
  return (
    Math.abs(coords[i * dim + dim - 1] - coords[j * dim + dim - 1]) <= epsTime &&
    comparedDistance(coords, dim, i, j, metric, dim - 1) <= limitOf(radius)
  );
}

/**
 * The sum of squares, the sum, or the largest of the differences of two points: what `limitOf` bounds.
 *
 * @param axes  as for `squaredDistance`
 */
export function comparedDistance(
  coords: Float32Array | Float64Array,
  dim: number,
  i: number,
  j: number,
  metric: VariantMetric,
  axes: number = dim,
): number {
  if (metric === 'euclidean') return squaredDistance(coords, dim, i, j, axes);
  let sum = 0;
  let largest = 0;
  for (let d = 0; d < axes; d++) {
    const delta = Math.abs(coords[i * dim + d] - coords[j * dim + d]);
    sum += delta;
    if (delta > largest) largest = delta;
  }
  return metric === 'manhattan' ? sum : largest;
}
