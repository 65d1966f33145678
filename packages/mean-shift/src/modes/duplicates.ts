import {DistinctPositions, PhaseClock, pointCount, type PointSet} from '@epsball/clustering';
import type {CheckedRun} from '../checkRun.ts';
import {compareEnds} from './flatModes.ts';
import type {Trajectories} from '../climb/climber.ts';
import {describeTrajectories, noPointMet} from './labelTrajectories.ts';
import type {MeanShiftPhase, MeanShiftResult, ShiftOptions} from '../algorithm.ts';
import {predictResumably} from './predict.ts';
import {finishPaced, ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/**
 * A run of the flat kernel at bandwidth 0, the same on every backend: no position moves, and the clusters are the
 * positions where trajectories start and points lie. No mean is computed: scikit-learn's mean of k copies may be
 * rounded to another position, which loses the cluster.
 */
export async function runOnDuplicates(
  points: PointSet,
  run: CheckedRun,
  options: ShiftOptions,
): Promise<MeanShiftResult> {
  const clock = new PhaseClock<MeanShiftPhase>();
  clock.enter('labels');
  const {trajectories, labels, clusterCenters} = await finishPaced(
    clusterDuplicates(points, run),
    pointCount(points),
    options,
  );
  const {iterations, counters} = describeTrajectories(trajectories, run);
  return {shifted: trajectories.ends, iterations, labels, clusterCenters, stats: {...clock.stop(), counters}};
}

function* clusterDuplicates(
  points: PointSet,
  run: CheckedRun,
): Resumable<{trajectories: Trajectories; labels: Int32Array; clusterCenters: Float64Array}> {
  const {rules, seeds, assignment, clusterAll} = run;
  const {coords, dim} = points;
  const n = pointCount(points);
  const positions = new DistinctPositions(coords, dim);
  const copies = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    if (i % ITEMS_PER_PAUSE === 0) yield 0;
    copies[positions.add(i)]++;
  }
  const starts = seeds ?? points;
  const m = pointCount(starts);
  const trajectories = {ends: new Float64Array(starts.coords), weights: new Float64Array(m), steps: new Uint32Array(m)};
  // A step of length 0 is shorter than any tolerance except 0.
  const steps = rules.minStep > 0 ? 1 : rules.maxSteps;
  const isReached = new Uint8Array(positions.count);
  for (let k = 0; k < m; k++) {
    if (k % ITEMS_PER_PAUSE === 0) yield 0;
    const position = positions.find(starts.coords, k * dim);
    if (position < 0) continue;
    isReached[position] = 1;
    trajectories.weights[k] = copies[position];
    trajectories.steps[k] = steps;
  }
  const reached = new Int32Array(positions.count)
    .map((_, position) => position)
    .filter((position) => isReached[position] === 1);
  if (n > 0 && reached.length === 0) throw noPointMet(run);
  const firstOf = (position: number): number => positions.pointAt(position);
  // As with any other bandwidth: by falling support, then in scikit-learn's order, or by the first mode.
  reached.sort(
    (a, b) =>
      copies[b] - copies[a] || (assignment !== 'nearest' ? a - b : compareEnds(coords, dim, firstOf(b), firstOf(a))),
  );
  const clusterCenters = new Float64Array(reached.length * dim);
  reached.forEach((position, c) => {
    for (let d = 0; d < dim; d++) clusterCenters[c * dim + d] = coords[firstOf(position) * dim + d];
  });
  return {
    trajectories,
    clusterCenters,
    labels: yield* predictResumably(points, clusterCenters, {bandwidth: 0, clusterAll}),
  };
}
