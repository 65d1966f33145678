import {InvalidParameterError, pointCount, type PointSet} from '@epsball/clustering';

/**
 * The keys that order a directory: `levels` numbers a point, its first coordinates or its projections on principal
 * axes.
 */
export interface KeyColumns {
  readonly values: Float32Array | Float64Array;
  /** Distance between the first keys of consecutive points, in numbers. */
  readonly stride: number;
}

/** Axes of a projection, at least as many as the directory has levels. `principalAxes` computes them. */
export interface PrincipalAxes {
  readonly dim: number;
  /** Axis-major, `dim` numbers an axis; orthonormal up to rounding. */
  readonly components: Float64Array;
  /** `dim` numbers, subtracted from a point before the projection. */
  readonly center: Float64Array;
}

/** Projections of points, with the bounds of their errors. */
export interface Projection extends KeyColumns {
  readonly values: Float64Array;
  /** Upper bound of the ratio of the distance of two projections to the distance of their points. */
  readonly stretch: number;
  /** Upper bound of the error of a projection, in coordinate units. */
  readonly displacement: number;
  /** Largest |projection|. */
  readonly magnitude: number;
}

/** Products of larger coordinates could overflow. */
const MAX_MAGNITUDE = 2 ** 500;

/**
 * Projects points on the first `levels` axes. Let V be these axes, P(x) = V · (x − center) in exact arithmetic, and
 * p(x) the computed projection.
 *
 * - |P(x) − P(y)| = |V · (x − y)| ≤ stretch · |x − y|, where stretch² is the largest row sum of |V · Vᵀ|, an upper
 *   bound of its largest eigenvalue. This holds for any axes, orthonormal or not.
 * - A component of p is a sum of dim products of differences, with at most dim + 1 roundings each. Its error is at most
 *   (dim + 1) · 2^-53 · (1 + small) · Σ|v·(x − c)| ≤ (dim + 2) · 2^-53 · |v| · |x − c| ≤ (dim + 2) · 2^-53 · stretch ·
 *   R by Cauchy and Schwarz, where R is the largest |x − c|. `displacement` is twice that, which covers the rounding of
 *   R and of stretch, plus 2^-1000 for products that underflow.
 *
 * @returns  undefined if a projection could overflow
 * @throws InvalidParameterError  if the axes have another dim than the points, or are fewer than `levels`
 */
export function projectPoints(points: PointSet, axes: PrincipalAxes, levels: number): Projection | undefined {
  const {coords, dim} = points;
  if (axes.dim !== dim) throw new InvalidParameterError('axes.dim', axes.dim, `${dim}, the dim of the points`);
  const count = axes.components.length / dim;
  if (count < levels) throw new InvalidParameterError('axes', count, `at least ${levels}, one for each level`);
  const n = pointCount(points);
  const values = new Float64Array(n * levels);
  let radius2 = 0;
  let magnitude = 0;
  for (let i = 0; i < n; i++) {
    let sum2 = 0;
    for (let d = 0; d < dim; d++) {
      const delta = coords[i * dim + d] - axes.center[d];
      sum2 += delta * delta;
      for (let level = 0; level < levels; level++) {
        values[i * levels + level] += axes.components[level * dim + d] * delta;
      }
    }
    for (let level = 0; level < levels; level++) {
      magnitude = Math.max(magnitude, Math.abs(values[i * levels + level]));
    }
    radius2 = Math.max(radius2, sum2);
  }
  const stretch = stretchOf(axes, levels);
  const displacement = 2 * (dim + 2) * 2 ** -53 * stretch * Math.sqrt(radius2) + 2 ** -1000;
  // Also false for NaN.
  const isInRange = radius2 <= MAX_MAGNITUDE ** 2 && stretch <= MAX_MAGNITUDE && magnitude <= MAX_MAGNITUDE;
  return isInRange ? {values, stride: levels, stretch, displacement, magnitude} : undefined;
}

/** Upper bound of the norm of the first `levels` axes as a matrix: the root of the largest row sum of |V · Vᵀ|. */
function stretchOf({components, dim}: PrincipalAxes, levels: number): number {
  let largest = 0;
  for (let a = 0; a < levels; a++) {
    let rowSum = 0;
    for (let b = 0; b < levels; b++) {
      let product = 0;
      for (let d = 0; d < dim; d++) product += components[a * dim + d] * components[b * dim + d];
      rowSum += Math.abs(product);
    }
    largest = Math.max(largest, rowSum);
  }
  // Covers the rounding of these sums.
  return Math.sqrt(largest) * (1 + 2 ** -30);
}
