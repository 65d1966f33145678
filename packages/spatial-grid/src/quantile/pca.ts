import {InvalidParameterError, pointCount, type PointSet} from '@epsball/clustering';
import {EigenvalueDecomposition, Matrix} from 'ml-matrix';
import type {PrincipalAxes} from './projection.ts';

/** Size of the sample for the axes. More points would change them little and cost O(n · dim²). */
const SAMPLE = 16_384;

/** Smaller covariances, relative to the largest, count as 0: the decomposition fails where products underflow. */
const NEGLIGIBLE = 2 ** -200;

/**
 * The directions of largest variance: eigenvectors of the covariance of a sample, by falling eigenvalue.
 *
 * The axes only order a directory. A poor sample slows searches down and never loses a neighbour.
 *
 * @param points  validated by `validatePoints`, not modified; the sample is every ⌊n / 16384⌋-th point
 * @param count   number of axes, integer, 1 … dim
 * @throws InvalidParameterError  if `count` is out of range
 * @complexity    O(min(n, 16384) · dim² + dim³)
 * @source        Böhm et al. 2009, section 6: “some transformation technique should be applied that guarantees a high
 *                selectivity in the first dimensions, e.g. Principal Component Analysis”
 */
export function principalAxes(points: PointSet, count: number): PrincipalAxes {
  const {dim} = points;
  if (!Number.isInteger(count) || count < 1 || count > dim) {
    throw new InvalidParameterError('count', count, `an integer, 1 … ${dim}`);
  }
  const {center, covariance} = sampleCovariance(points);
  const largest = covariance.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  // Nothing varies, or squares leave the range of float64: then any axes serve. False for NaN, too.
  const isInRange = largest > 2 ** -1000 && largest < Infinity;
  if (!isInRange) return firstAxes(dim, count, center);
  // The decomposition squares the values once more.
  const scaled = covariance.map((value) => (Math.abs(value / largest) < NEGLIGIBLE ? 0 : value / largest));
  const matrix = Matrix.from1DArray(dim, dim, scaled);
  const {realEigenvalues, eigenvectorMatrix} = new EigenvalueDecomposition(matrix, {assumeSymmetric: true});
  const ranked = realEigenvalues.map((_, k) => k).sort((a, b) => realEigenvalues[b] - realEigenvalues[a]);
  const components = new Float64Array(count * dim);
  for (let a = 0; a < count; a++) {
    for (let d = 0; d < dim; d++) components[a * dim + d] = eigenvectorMatrix.get(d, ranked[a]);
  }
  return {dim, components, center};
}

function sampleCovariance(points: PointSet): {center: Float64Array; covariance: Float64Array} {
  const {coords, dim} = points;
  const n = pointCount(points);
  const step = Math.max(1, Math.floor(n / SAMPLE));
  const center = new Float64Array(dim);
  const covariance = new Float64Array(dim * dim);
  const sampled = Math.ceil(n / step);
  for (let i = 0; i < n; i += step) {
    for (let d = 0; d < dim; d++) center[d] += coords[i * dim + d] / sampled;
  }
  for (let i = 0; i < n; i += step) {
    for (let a = 0; a < dim; a++) {
      const delta = coords[i * dim + a] - center[a];
      for (let b = 0; b < dim; b++) covariance[a * dim + b] += delta * (coords[i * dim + b] - center[b]);
    }
  }
  return {center, covariance};
}

function firstAxes(dim: number, count: number, center: Float64Array): PrincipalAxes {
  const components = new Float64Array(count * dim);
  for (let a = 0; a < count; a++) components[a * dim + a] = 1;
  return {dim, components, center};
}
