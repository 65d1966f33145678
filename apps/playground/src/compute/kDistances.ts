import {KdNearest, type KdTree} from '@epsball/kd-tree';
import type {KDistances} from './api.ts';

/** Points of the curve: more would not be seen. */
const SAMPLE = 2000;

/**
 * Distances from a sample of the points of a tree to their k-th nearest point, themselves included, falling. With eps
 * equal to one of them, that point is core for minPts = k.
 *
 * @param k    integer ≥ 1; more than n counts as n
 * @complexity O(sample · k · log n)
 */
export function kDistancesOf(tree: KdTree, k: number): KDistances {
  const {coords, dim, n} = tree;
  const nearest = new KdNearest(tree, Math.max(1, Math.min(k, n)));
  const sample = Math.min(n, SAMPLE);
  const distances = Float64Array.from({length: sample}, (_, s) => {
    // Evenly over the tree, so evenly over the data.
    const position = Math.floor(((s + 0.5) * n) / sample);
    return Math.sqrt(nearest.query(coords, position * dim));
  });
  return {distances: distances.sort().toReversed(), k};
}

/**
 * The distance at the bend of a falling curve: the sample farthest below the line from its first to its last value.
 *
 * @source V. Satopää et al. 2011, Finding a “Kneedle” in a haystack, without smoothing
 */
export function bendOf(distances: Float64Array): number {
  const last = distances.length - 1;
  const slope = (distances[last] - distances[0]) / Math.max(1, last);
  let best = 0;
  let at = 0;
  for (let k = 0; k <= last; k++) {
    const below = distances[0] + slope * k - distances[k];
    if (below > best) [best, at] = [below, k];
  }
  return distances[at] ?? 0;
}
