import {PhaseClock, pointCount, type PointSet} from '@epsball/clustering';
import type {CheckedRun} from './checkRun.ts';
import {DistinctPlaces} from './distinctPlaces.ts';
import {compareEnds} from './flatModes.ts';
import {describeClimbs, noSeedNear, type Climbs} from './labelClimbs.ts';
import type {MeanShiftPhase, MeanShiftResult, ShiftOptions} from './algorithm.ts';
import {predictInStages} from './predict.ts';
import {finishPaced, STAGE, type Stages} from './stages.ts';

/**
 * A run of the flat kernel at bandwidth 0, the same for every backend: the neighbours of a place are the points that lie there, so nothing moves, and clusters are
 * the places where climbs start and points lie.
 *
 * No mean is computed. scikit-learn's of k copies may be rounded to another place, and then it loses the climb.
 *
 * @throws InvalidParameterError  if there are points, and no seed is where one of them is
 * @throws RunAbortedError        if the signal has fired
 * @complexity  O((n + m) · dim) expected, and a sort of the clusters; points away from every centre as in `predictLabels`
 */
export async function runOnCopies(points: PointSet, run: CheckedRun, {signal}: ShiftOptions): Promise<MeanShiftResult> {
  const clock = new PhaseClock<MeanShiftPhase>();
  clock.enter('labels');
  const {climbs, labels, clusterCenters} = await finishPaced(clusterCopies(points, run), signal);
  const {iterations, counters} = describeClimbs(points, climbs, run);
  return {shifted: climbs.ends, iterations, labels, clusterCenters, stats: {...clock.stop(), counters}};
}

function* clusterCopies(
  points: PointSet,
  {rules, seeds, assignment, clusterAll}: CheckedRun,
): Stages<{climbs: Climbs; labels: Int32Array; clusterCenters: Float64Array}> {
  const {coords, dim} = points;
  const n = pointCount(points);
  const places = new DistinctPlaces(coords, dim);
  const copies = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    if (i % STAGE === 0) yield i;
    copies[places.add(i)]++;
  }
  const starts = seeds ?? points;
  const m = pointCount(starts);
  const climbs = {ends: new Float64Array(starts.coords), weights: new Float64Array(m), steps: new Uint32Array(m)};
  // A step of length 0 is shorter than any tolerance but 0.
  const steps = rules.minStep > 0 ? 1 : rules.maxSteps;
  const isReached = new Uint8Array(places.count);
  for (let k = 0; k < m; k++) {
    if (k % STAGE === 0) yield k;
    const place = places.find(starts.coords, k * dim);
    if (place < 0) continue;
    isReached[place] = 1;
    climbs.weights[k] = copies[place];
    climbs.steps[k] = steps;
  }
  const reached = new Int32Array(places.count).map((_, place) => place).filter((place) => isReached[place] === 1);
  if (n > 0 && reached.length === 0) throw noSeedNear();
  const firstOf = (place: number): number => places.pointAt(place);
  // As with any other bandwidth: by falling support, then as scikit-learn sorts, or by the first mode.
  reached.sort(
    (a, b) =>
      copies[b] - copies[a] || (assignment === 'mode' ? a - b : compareEnds(coords, dim, firstOf(b), firstOf(a))),
  );
  const clusterCenters = new Float64Array(reached.length * dim);
  reached.forEach((place, c) => {
    for (let d = 0; d < dim; d++) clusterCenters[c * dim + d] = coords[firstOf(place) * dim + d];
  });
  return {climbs, clusterCenters, labels: yield* predictInStages(points, clusterCenters, {bandwidth: 0, clusterAll})};
}
