import {pointCount, type PointSet} from '@epsball/clustering';
import {createShiftSequential} from '@epsball/mean-shift';

/** Points whose result is verified. */
const SAMPLE = 40;

/** Backends agree within this part of a bandwidth, after all iterations of the document. */
const AGREEMENT = 1e-4;

/** In bandwidths: the limits for nine ends in ten, and for all. A cut moves the ends of the most isolated points. */
const MOST_ENDS = 0.01;
const ALL_ENDS = 0.5;

/** Result of a comparison. */
export interface Verified {
  /** The largest, in bandwidths. */
  readonly error: number;
  readonly verified: string;
}

/**
 * Shifts a sample of the points again, in float64.
 *
 * @throws Error  if a point is elsewhere
 */
export async function verifyShifted(
  points: PointSet,
  shifted: Float64Array,
  {bandwidth, iterations}: {readonly bandwidth: number; readonly iterations: number},
): Promise<Verified> {
  const {coords, dim} = points;
  const chosen = sampleOf(points);
  const seeds = {coords: Float64Array.from(chosen.flatMap((i) => [...coords.subarray(dim * i, dim * i + dim)])), dim};
  using reference = createShiftSequential();
  const expected = await reference.shift(points, {bandwidth, maxIterations: iterations}, {seeds});
  const errors = chosen.map((i, k) => distance(shifted, i, expected.shifted, k, dim) / bandwidth);
  const error = Math.max(0, ...errors);
  if (!(error <= AGREEMENT)) {
    throw new Error(`a point is ${error} bandwidths from the reference; expected at most ${AGREEMENT}`);
  }
  return {error, verified: `${chosen.length} points within ${AGREEMENT} bandwidths of float64 over all points`};
}

/**
 * Takes one more step from the ends of a sample of the trajectories, in float64 and with the whole Gaussian. Nine in
 * ten may be no longer than 0.01 bandwidths, and none longer than half a bandwidth.
 *
 * @throws Error  if a step is longer
 */
export function verifyEnds(
  points: PointSet,
  shifted: Float64Array,
  {bandwidth}: {readonly bandwidth: number},
): Verified {
  const {dim} = points;
  const chosen = sampleOf(points);
  const steps = chosen.map((i) => wholeStep(points, shifted.subarray(dim * i, dim * (i + 1)), bandwidth));
  const error = Math.max(0, ...steps);
  expectWithin(error, ALL_ENDS, 'an end');
  const ascending = steps.toSorted((a, b) => a - b);
  expectWithin(ascending[Math.floor(0.9 * (steps.length - 1))], MOST_ENDS, 'one end in ten');
  const limit = `${ALL_ENDS} bandwidths, nine in ten within ${MOST_ENDS}`;
  return {error, verified: `a step of the whole Gaussian in float64 leaves ${chosen.length} ends within ${limit}`};
}

/** @throws Error  if a step is longer */
function expectWithin(step: number, most: number, what: string): void {
  if (!(step <= most))
    throw new Error(`the whole Gaussian moves ${what} by ${step} bandwidths; expected at most ${most}`);
}

/** Length of a step with all points, in bandwidths. */
function wholeStep({coords, dim}: PointSet, at: Float64Array, bandwidth: number): number {
  const sums = new Float64Array(dim);
  let weight = 0;
  for (let k = 0; k < coords.length; k += dim) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) d2 += ((coords[k + d] - at[d]) / bandwidth) ** 2;
    const w = Math.exp(-d2 / 2);
    weight += w;
    for (let d = 0; d < dim; d++) sums[d] += (w * (coords[k + d] - at[d])) / bandwidth;
  }
  return Math.hypot(...sums) / weight;
}

/** Evenly spread. */
function sampleOf(points: PointSet): number[] {
  const n = pointCount(points);
  const count = Math.min(SAMPLE, n);
  return Array.from({length: count}, (_, k) => Math.floor((k * n) / count));
}

function distance(a: Float64Array, i: number, b: Float64Array, j: number, dim: number): number {
  return Math.hypot(...Array.from({length: dim}, (_, d) => a[dim * i + d] - b[dim * j + d]));
}
