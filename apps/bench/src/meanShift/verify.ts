import type {MeanShiftSuite} from '@epsball/benchmarks';
import {pointCount, type PointSet} from '@epsball/clustering';
import {createShiftSequential, gaussianCutBound} from '@epsball/mean-shift';
import {latticeBound} from '@epsball/mean-shift/gpu';
import type {Ends} from './methods.ts';

/** Points whose result is looked at. */
const SAMPLE = 40;

/** Backends agree to this part of a bandwidth: after all iterations of the document, and of ours in one step. */
const AGREEMENT = 1e-4;

/** The usual tolerance of ours, in bandwidths. */
const TOLERANCE = 1e-3;

/** What a comparison has shown. */
export interface Verified {
  /** The largest, in bandwidths. */
  readonly error: number;
  readonly verified: string;
}

/**
 * Walks a sample of the points again, in float64.
 *
 * @throws Error  if a point is elsewhere
 */
export async function verifyShifted(
  points: PointSet,
  shifted: Float64Array,
  {bandwidth, iterations}: Pick<MeanShiftSuite, 'bandwidth' | 'iterations'>,
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
 * Takes one step more from where a sample of the climbs ended, in float64 and with the whole Gaussian. A climb ends when the cut
 * Gaussian, or that of a lattice, moves it by less than the tolerance; `gaussianCutBound` and `latticeBound` say how much farther the whole one may.
 *
 * @throws Error  if a step is longer than that
 */
export function verifyEnds(
  points: PointSet,
  {shifted, lattice}: Ends,
  {bandwidth, cut}: Pick<MeanShiftSuite['ours'], 'bandwidth' | 'cut'>,
): Verified {
  const chosen = sampleOf(points);
  let error = 0;
  let widest = 0;
  for (const i of chosen) {
    const at = shifted.subarray(points.dim * i, points.dim * (i + 1));
    const {step, weight, inside, outside} = wholeStep(points, at, bandwidth, cut);
    const ofCut = outside === 0 ? 0 : gaussianCutBound(cut, outside, inside);
    const bound = lattice === 0 ? ofCut : latticeBound(lattice, points.dim, pointCount(points), weight);
    const limit = TOLERANCE + bound + AGREEMENT;
    if (!(step <= limit)) {
      throw new Error(`the whole Gaussian moves an end by ${step} bandwidths; expected at most ${limit}`);
    }
    error = Math.max(error, step);
    widest = Math.max(widest, limit);
  }
  const limits = `within ${widest.toPrecision(2)} bandwidths: the tolerance, and what the ${lattice === 0 ? 'cut' : 'lattice'} costs at most`;
  return {error, verified: `a step of the whole Gaussian in float64 leaves ${chosen.length} ends ${limits}`};
}

/** Length of a step with all points, in bandwidths; all weights, those within the cut, and the number of points beyond. */
function wholeStep(
  points: PointSet,
  at: Float64Array,
  bandwidth: number,
  cut: number,
): {step: number; weight: number; inside: number; outside: number} {
  const {coords, dim} = points;
  const n = pointCount(points);
  const sums = new Float64Array(dim);
  let [weight, inside, outside] = [0, 0, 0];
  for (let k = 0; k < n; k++) {
    let d2 = 0;
    for (let d = 0; d < dim; d++) d2 += ((coords[k * dim + d] - at[d]) / bandwidth) ** 2;
    const w = Math.exp(-d2 / 2);
    weight += w;
    if (d2 <= cut * cut) inside += w;
    else outside++;
    for (let d = 0; d < dim; d++) sums[d] += (w * (coords[k * dim + d] - at[d])) / bandwidth;
  }
  return {step: Math.hypot(...sums) / weight, weight, inside, outside};
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
