import {filled, InvalidParameterError, type PointSet} from '@epsball/clustering';
import type {ShiftOptions} from '../algorithm.ts';
import type {CheckedClimb, CheckedRun} from '../checkRun.ts';
import type {Trajectories} from '../climb/climber.ts';
import {flatCenters} from './flatModes.ts';
import {joinModesResumably} from './joinModes.ts';
import {mergeModesResumably} from './mergeModes.ts';
import {predictResumably} from './predict.ts';
import {finishPaced} from '../resumable.ts';

export async function labelTrajectories(
  points: PointSet,
  trajectories: Trajectories,
  run: CheckedRun,
  options: ShiftOptions,
): Promise<{labels: Int32Array; clusterCenters: Float64Array}> {
  const {dim} = points;
  const {bandwidth} = run.rules;
  if (points.coords.length === 0) return {labels: new Int32Array(0), clusterCenters: new Float64Array(0)};
  if (run.assignment !== 'nearest') {
    const {ends} = trajectories;
    const merging =
      run.assignment === 'mode'
        ? mergeModesResumably(ends, dim, bandwidth)
        : joinModesResumably(ends, dim, {bandwidth, domains: run.domains});
    const {labels, clusterCenters} = await finishPaced(merging, ends.length / dim, options);
    return {labels, clusterCenters};
  }
  const clusterCenters = await trajectoryCenters(dim, trajectories, run, options);
  return {labels: await labelByCenter(points, clusterCenters, run, options), clusterCenters};
}

export function labelByCenter(
  points: PointSet,
  clusterCenters: Float64Array,
  {rules, clusterAll}: CheckedRun,
  options: ShiftOptions,
): Promise<Int32Array> {
  const work = predictResumably(points, clusterCenters, {bandwidth: rules.bandwidth, clusterAll});
  return finishPaced(work, points.coords.length / points.dim, options);
}

/** @throws InvalidParameterError  if no trajectory has met a point */
export async function trajectoryCenters(
  dim: number,
  {ends, weights}: Trajectories,
  run: CheckedRun,
  options: ShiftOptions,
): Promise<Float64Array> {
  const {seeds} = run;
  const {bandwidth, kernel} = run.rules;
  const isLost =
    seeds === undefined ? undefined : filled(new Uint8Array(weights.length), (k) => (weights[k] === 0 ? 1 : 0));
  const clusterCenters =
    kernel === 'flat'
      ? await finishPaced(flatCenters({ends, weights}, dim, bandwidth), weights.length, options)
      : (await finishPaced(mergeModesResumably(ends, dim, bandwidth, isLost), weights.length, options)).clusterCenters;
  if (clusterCenters.length === 0) throw noPointMet(run);
  return clusterCenters;
}

/** The error of a run whose trajectories have met no point. Names what the caller gave. */
export function noPointMet({starts, seeds, minBinFrequency, rules}: CheckedRun): InvalidParameterError {
  if (starts === 'seeds') {
    return new InvalidParameterError('seeds', 'out of reach of all points', 'a seed with a point in reach');
  }
  if (starts === 'points') {
    // The mean of equal points is rounded to another position.
    const above = '0, or a value above the rounding of coordinates';
    return new InvalidParameterError('bandwidth', rules.bandwidth, above);
  }
  if (seeds?.coords.length === 0) {
    const most = 'at most the number of points of some bin';
    return new InvalidParameterError('minBinFrequency', minBinFrequency, most);
  }
  const nearer = 'false, or a larger bandwidth: no bin has a point within reach of its middle';
  return new InvalidParameterError('binSeeding', true, nearer);
}

/** `iterations` of the result, and its counters. */
export function describeTrajectories(
  {steps}: Trajectories,
  {rules}: CheckedClimb,
): {iterations: number; counters: {arrived: number; shifts: number}} {
  let most = 0;
  let shifts = 0;
  let arrived = 0;
  for (const made of steps) {
    most = Math.max(most, made);
    shifts += made;
    if (made < rules.maxSteps) arrived++;
  }
  // scikit-learn does not count the last step, which is too short.
  return {iterations: rules.kernel === 'flat' ? Math.max(0, most - 1) : most, counters: {arrived, shifts}};
}
