import type {PointSet} from '@epsball/clustering';
import {checkGenerator, drawPoints, type GeneratorOptions} from '../coords.ts';
import type {Random} from '../random.ts';

/**
 * The six data sets of scikit-learn's page "Comparing different clustering algorithms on toy datasets" for any n (1500
 * there), standardised to zero mean and unit variance per axis as on that page. Distributions and centres are those of
 * the page; the random numbers are not. All throw `InvalidParameterError` if an option is out of range.
 *
 * @source scikit-learn, examples/cluster/plot_cluster_comparison.py
 */

/** Centres of `make_blobs(centers=3, random_state=30)`. */
const BLOB_CENTERS = [
  [2.88287072, -2.38503021],
  [3.26095811, -6.72698548],
  [9.25215627, -3.06676319],
] as const;

/** Centres of `make_blobs(centers=3, random_state=170)`, for `varied` and `aniso`. */
const VARIED_CENTERS = [
  [-8.94709165, -5.46276435],
  [-4.58938989, 0.08876178],
  [1.93875432, 0.50513613],
] as const;

const NOISE_SIGMA = 0.05;
const CIRCLES_FACTOR = 0.5;

/** Generates two concentric circles, the inner half as wide, with noise of standard deviation 0.05. */
export function circles(options: GeneratorOptions): PointSet {
  return standardised(options, (i, n, random, point) => {
    const outerCount = Math.floor(n / 2);
    const isOuter = i < outerCount;
    // A full turn in equal steps, without its end.
    const angle = isOuter ? (2 * Math.PI * i) / outerCount : (2 * Math.PI * (i - outerCount)) / (n - outerCount);
    const radius = isOuter ? 1 : CIRCLES_FACTOR;
    point[0] = radius * Math.cos(angle) + NOISE_SIGMA * random.gaussian();
    point[1] = radius * Math.sin(angle) + NOISE_SIGMA * random.gaussian();
  });
}

/** Generates two interleaved half circles with noise of standard deviation 0.05. */
export function moons(options: GeneratorOptions): PointSet {
  return standardised(options, (i, n, random, point) => {
    const upperCount = Math.floor(n / 2);
    const isUpper = i < upperCount;
    const [step, stepCount] = isUpper ? [i, upperCount] : [i - upperCount, n - upperCount];
    // Half a turn in equal steps, with both ends.
    const angle = stepCount > 1 ? (Math.PI * step) / (stepCount - 1) : 0;
    const x = isUpper ? Math.cos(angle) : 1 - Math.cos(angle);
    const y = isUpper ? Math.sin(angle) : 0.5 - Math.sin(angle);
    point[0] = x + NOISE_SIGMA * random.gaussian();
    point[1] = y + NOISE_SIGMA * random.gaussian();
  });
}

/** Generates three round blobs with standard deviations 1, 2.5 and 0.5. */
export function varied(options: GeneratorOptions): PointSet {
  const sigmas = [1, 2.5, 0.5];
  return standardised(options, (i, _n, random, point) => {
    point[0] = VARIED_CENTERS[i % 3][0] + sigmas[i % 3] * random.gaussian();
    point[1] = VARIED_CENTERS[i % 3][1] + sigmas[i % 3] * random.gaussian();
  });
}

/** Generates three round blobs and multiplies them by [[0.6, −0.6], [−0.4, 0.8]]. */
export function aniso(options: GeneratorOptions): PointSet {
  return standardised(options, (i, _n, random, point) => {
    const x = VARIED_CENTERS[i % 3][0] + random.gaussian();
    const y = VARIED_CENTERS[i % 3][1] + random.gaussian();
    point[0] = 0.6 * x - 0.4 * y;
    point[1] = -0.6 * x + 0.8 * y;
  });
}

/** Generates three round blobs of equal size. */
export function blobs(options: GeneratorOptions): PointSet {
  return standardised(options, (i, _n, random, point) => {
    point[0] = BLOB_CENTERS[i % 3][0] + random.gaussian();
    point[1] = BLOB_CENTERS[i % 3][1] + random.gaussian();
  });
}

/** Generates uniform points in a square: data without clusters. */
export function noStructure(options: GeneratorOptions): PointSet {
  return standardised(options, (_i, _n, random, point) => {
    point[0] = random.uniform();
    point[1] = random.uniform();
  });
}

/** Draws n points, puts them in random order and standardises each axis. */
function standardised(
  options: GeneratorOptions,
  draw: (i: number, n: number, random: Random, point: Float64Array) => void,
): PointSet {
  checkGenerator(options);
  const points = drawPoints(options, 2, (random) => (point, i) => draw(i, options.n, random, point), true);
  standardiseAxis(points.coords, 0);
  standardiseAxis(points.coords, 1);
  return points;
}

/** Zero mean, unit population variance. As in `StandardScaler`, an axis of equal values is only centred. */
function standardiseAxis(coords: Float32Array | Float64Array, axis: number): void {
  const n = coords.length / 2;
  let sum = 0;
  for (let k = axis; k < coords.length; k += 2) sum += coords[k];
  const mean = sum / n;
  let squares = 0;
  for (let k = axis; k < coords.length; k += 2) squares += (coords[k] - mean) ** 2;
  const sigma = Math.sqrt(squares / n) || 1;
  for (let k = axis; k < coords.length; k += 2) coords[k] = (coords[k] - mean) / sigma;
}
