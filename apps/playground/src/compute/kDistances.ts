import {EARTH_RADIUS, METRES, type MetricOptions} from '@epsball/clustering';
import {KdNearest, type KdTree} from '@epsball/kd-tree';
import type {KDistances} from './api.ts';

/** Points of the curve: more would not be seen. */
const SAMPLE = 2000;

/**
 * Distances from a sample of the points of a tree to their k-th nearest point, themselves included, ascending. With
 * eps equal to one of them, that point is core for minPts = k.
 *
 * @param tree    of points in the space of the metric
 * @param k       integer ≥ 1; more than n counts as n
 * @param metric  of the distances: euclidean, haversine or cosine
 * @complexity O(sample · k · log n)
 */
export function kDistancesOf(tree: KdTree, k: number, metric: MetricOptions = {}): KDistances {
  const {coords, dim, n} = tree;
  const nearest = new KdNearest(tree, Math.max(1, Math.min(k, n)));
  const sample = Math.min(n, SAMPLE);
  const distances = Float64Array.from({length: sample}, (_, s) => {
    // Evenly over the tree, so evenly over the data.
    const position = Math.floor(((s + 0.5) * n) / sample);
    return inUnit(Math.sqrt(nearest.query(coords, position * dim)), metric);
  });
  return {distances: distances.sort(), k};
}

/** A Euclidean distance of the space of a metric, in the unit of the metric. */
export function inUnit(distance: number, {metric, epsUnit = 'rad'}: MetricOptions): number {
  if (metric === 'cosine') return (distance * distance) / 2;
  if (metric !== 'haversine') return distance;
  return (2 * Math.asin(Math.min(1, distance / 2)) * EARTH_RADIUS) / METRES[epsUnit];
}

/**
 * The distance at the bend of an ascending curve: the sample farthest below the line from its first to its last value.
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
