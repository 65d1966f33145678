import {InvalidPointsError} from '../errors.ts';
import type {PointSet} from '../points.ts';

/**
 * The points divided by their Euclidean norms: x / √Σ x[d]², in float64, the sum in axis order. Each point is first
 * scaled by a power of two, so that squares neither overflow nor vanish.
 *
 * @throws InvalidPointsError  if all coordinates of a point are 0: it has no direction
 */
export function directionVectors({coords, dim}: PointSet): PointSet {
  const vectors = new Float64Array(coords.length);
  for (let at = 0; at < coords.length; at += dim) {
    let largest = 0;
    for (let d = 0; d < dim; d++) largest = Math.max(largest, Math.abs(coords[at + d]));
    if (largest === 0) {
      const index = at / dim;
      throw new InvalidPointsError(
        `point ${index} is a zero vector; expected a direction for the metric cosine`,
        index,
      );
    }
    const scales = powersToOne(largest);
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const x = coords[at + d] * scales[0] * scales[1];
      vectors[at + d] = x;
      sum += x * x;
    }
    const norm = Math.sqrt(sum);
    for (let d = 0; d < dim; d++) vectors[at + d] /= norm;
  }
  return {coords: vectors, dim};
}

/** Two powers of two whose product brings x ≥ 0 to [1/4, 4), or to 0. One factor alone overflows for subnormal x. */
export function powersToOne(x: number): readonly [number, number] {
  const exponent = x > 0 ? Math.floor(Math.log2(x)) : 0;
  const half = Math.trunc(exponent / 2);
  return [2 ** -half, 2 ** (half - exponent)];
}
