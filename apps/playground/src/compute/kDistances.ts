import {metricDistance, type MetricOptions} from '@epsball/clustering';
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
    return metricDistance(Math.sqrt(nearest.query(coords, position * dim)), metric);
  });
  return {distances: distances.sort(), k};
}
