import type {PointSet} from '@epsball/clustering';

/**
 * The longest step of the whole Gaussian from the ends of trajectories, in float64 and by the definition, in
 * bandwidths.
 */
export function longestStep(points: PointSet, ends: Float64Array, bandwidth: number): number {
  let longest = 0;
  for (let e = 0; e < ends.length; e += points.dim) longest = Math.max(longest, stepFrom(points, ends, e, bandwidth));
  return longest;
}

function stepFrom({coords, dim}: PointSet, ends: Float64Array, e: number, bandwidth: number): number {
  const sums = new Float64Array(dim);
  let weight = 0;
  for (let p = 0; p < coords.length; p += dim) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) d2 += ((coords[p + d] - ends[e + d]) / bandwidth) ** 2;
    const w = Math.exp(-d2 / 2);
    for (let d = 0; d < dim; d++) sums[d] += (w * (coords[p + d] - ends[e + d])) / bandwidth;
    weight += w;
  }
  return Math.hypot(...sums) / weight;
}
