import {InvalidParameterError, pointCount, type PointSet} from '@epsball/clustering';
import type {KeyColumns} from './keyColumns.ts';

/** Directions to project on, at least as many as the directory has levels. `./pca` computes them. */
export interface PrincipalAxes {
  readonly dim: number;
  /** Axis-major, `dim` numbers an axis; about orthonormal. */
  readonly components: Float64Array;
  /** What is subtracted from a point before it is projected: `dim` numbers. */
  readonly center: Float64Array;
}

/** Projections of points, with what a search has to allow for. */
export interface Projection extends KeyColumns {
  readonly values: Float64Array;
  /** Projected points are at most this factor farther apart than the points. */
  readonly stretch: number;
  /** A projection may be off by so much, in coordinate units. */
  readonly displacement: number;
  /** Largest |projection|. */
  readonly magnitude: number;
}

/** Beyond, products of coordinates could overflow. */
const MAX_MAGNITUDE = 2 ** 500;

/**
 * Projects points on the first `levels` axes. Let V be these axes, P(x) = V · (x − center) exactly, and p(x) what is
 * computed here.
 *
 * - |P(x) − P(y)| = |V · (x − y)| ≤ stretch · |x − y|, stretch² the largest row sum of |V · Vᵀ|, which is an upper bound of
 *   its largest eigenvalue. So nothing rests on the axes being orthonormal to the last bit, or at all.
 * - A component of p is a sum of dim products of a difference: at most dim + 1 roundings each. So it is off by at most
 *   (dim + 1) · 2^-53 · (1 + small) · Σ|v·(x − c)| ≤ (dim + 2) · 2^-53 · |v| · |x − c| ≤ (dim + 2) · 2^-53 · stretch · R by
 *   Cauchy and Schwarz, R the largest |x − c|. We take twice that, which pays for the rounding of R and stretch, and
 *   2^-1000 for products that underflow.
 *
 * @returns  undefined where a projection could overflow
 * @throws InvalidParameterError  if the axes are not of the points' dim, or fewer than `levels`
 */
export function projectPoints(points: PointSet, axes: PrincipalAxes, levels: number): Projection | undefined {
  const {coords, dim} = points;
  if (axes.dim !== dim) throw new InvalidParameterError('axes.dim', axes.dim, `${dim}, as the points have`);
  const count = axes.components.length / dim;
  if (count < levels) throw new InvalidParameterError('axes', count, `at least ${levels} axes, one a level`);
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

/** An upper bound of the norm of the first `levels` axes as a matrix: the root of the largest row sum of |V · Vᵀ|. */
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
  // The roundings of these sums, and more.
  return Math.sqrt(largest) * (1 + 2 ** -30);
}
