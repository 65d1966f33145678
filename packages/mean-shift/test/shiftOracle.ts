import type {PointSet} from '@epsball/clustering';
import type {ShiftParams} from '../src/algorithm.ts';

/** The source's Algorithms 1 and 2 in float64, unchanged: coordinates are summed, and no position leaves the list. */
export function shiftOracle(points: PointSet, params: ShiftParams, seeds: PointSet = points): Float64Array {
  const {bandwidth, maxIterations = 10} = params;
  const {coords, dim} = points;
  const shifted = Float64Array.from(seeds.coords);
  for (let iteration = 0; iteration < maxIterations; iteration++) {
    for (let p = 0; p < shifted.length; p += dim) {
      const sums = new Float64Array(dim);
      let weight = 0;
      for (let x = 0; x < coords.length; x += dim) {
        let d2 = 0;
        for (let d = 0; d < dim; d++) d2 += (shifted[p + d] - coords[x + d]) ** 2;
        const w = Math.exp(-d2 / (2 * bandwidth ** 2));
        for (let d = 0; d < dim; d++) sums[d] += w * coords[x + d];
        weight += w;
      }
      for (let d = 0; d < dim; d++) shifted[p + d] = sums[d] / weight;
    }
  }
  return shifted;
}

/** The largest difference on any axis. */
export function largestDifference(a: Float64Array, b: Float64Array): number {
  if (a.length !== b.length) return Infinity;
  // A NaN is an infinite difference.
  return a.reduce((largest, x, k) => (Math.abs(x - b[k]) <= largest ? largest : Math.abs(x - b[k])), 0);
}
