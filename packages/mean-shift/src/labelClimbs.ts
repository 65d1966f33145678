import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import type {CheckedRun} from './checkRun.ts';
import {flatCenters} from './flatModes.ts';
import {gaussianCutBound} from './gaussianCut.ts';
import {mergeModes} from './modes.ts';
import {predictLabels} from './predict.ts';

/** What climbs have come to, in the order of the points or seeds. */
export interface Climbs {
  /** m · dim: where each ended. */
  readonly ends: Float64Array;
  /** m: weight at the last step; 0: no point was near. */
  readonly weights: Float64Array | Float32Array;
  /** m: steps made. */
  readonly steps: Uint32Array | Int32Array;
}

/**
 * Clusters from climbs, and the points' labels.
 *
 * @throws InvalidParameterError  if there are points and no seed has met any
 */
export function labelClimbs(
  points: PointSet,
  {ends, weights}: Climbs,
  {rules, assignment, clusterAll, seeds}: CheckedRun,
): {labels: Int32Array; clusterCenters: Float64Array} {
  const {dim} = points;
  const {bandwidth, kernel} = rules;
  if (points.coords.length === 0) return {labels: new Int32Array(0), clusterCenters: new Float64Array(0)};
  if (assignment === 'mode') {
    const {labels, clusterCenters} = mergeModes(ends, dim, bandwidth);
    return {labels, clusterCenters};
  }
  const isLost = seeds === undefined ? undefined : Uint8Array.from(weights, (weight) => (weight === 0 ? 1 : 0));
  const clusterCenters =
    kernel === 'flat'
      ? flatCenters({ends, counts: weights}, dim, bandwidth)
      : mergeModes(ends, dim, bandwidth, isLost).clusterCenters;
  if (clusterCenters.length === 0) {
    throw new InvalidParameterError('seeds', 'all of them too far away', 'a seed with a point within reach');
  }
  return {labels: predictLabels(points, clusterCenters, {bandwidth, clusterAll}), clusterCenters};
}

/** `iterations` of the result, and its counters. */
export function describeClimbs(
  n: number,
  {weights, steps}: Climbs,
  {rules, cut}: CheckedRun,
): {iterations: number; counters: Record<string, number>} {
  let most = 0;
  let shifts = 0;
  let arrived = 0;
  let leastWeight = Infinity;
  for (let i = 0; i < steps.length; i++) {
    most = Math.max(most, steps[i]);
    shifts += steps[i];
    if (steps[i] < rules.maxSteps) arrived++;
    if (weights[i] > 0) leastWeight = Math.min(leastWeight, weights[i]);
  }
  // scikit-learn does not count the step that shows that a climb has ended.
  const iterations = rules.kernel === 'flat' ? Math.max(0, most - 1) : most;
  const counters: Record<string, number> = {arrived, shifts};
  if (cut > 0 && leastWeight < Infinity) counters.cutBound = gaussianCutBound(cut, n, leastWeight);
  return {iterations, counters};
}
