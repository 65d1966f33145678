import {
  checkKnownOptions,
  InvalidParameterError,
  ProgressMeter,
  type PointSet,
  type ProgressListener,
} from '@epsball/clustering';
import {Random} from './random.ts';

export type Precision = 'float32' | 'float64';

/** The phases of a generator; some lack one. */
export type GeneratorPhase = 'draw' | 'shuffle';

/** Points between two reports. */
const BLOCK = 2 ** 14;

/** Options of every seeded generator. */
export interface GeneratorOptions {
  /** Number of points, an integer from 0 to 2^31 − 1. */
  readonly n: number;
  /** Integer from 0 to 2^32 − 1. The same seed gives the same points. Default: 0. */
  readonly seed?: number;
  /** Default: `'float32'`. */
  readonly precision?: Precision;
  /** Called at most a few hundred times. */
  readonly onProgress?: ProgressListener<GeneratorPhase> | undefined;
}

/** Options of `DatasetSpec.generate`, all but the listener required. */
export interface GenerateOptions
  extends Required<Omit<GeneratorOptions, 'onProgress'>>, Pick<GeneratorOptions, 'onProgress'> {
  readonly dim: number;
}

/** Zeroed coordinates for n points. */
export function allocateCoords(n: number, dim: number, precision: Precision): Float32Array | Float64Array {
  requireInteger('n', n, 0, 0x7fffffff);
  requireInteger('dim', dim, 1, 0x7fffffff);
  if (precision === 'float32') return new Float32Array(n * dim);
  if (precision === 'float64') return new Float64Array(n * dim);
  throw new InvalidParameterError('precision', precision, "'float32' or 'float64'");
}

/**
 * Draws n points, one after another.
 *
 * @param begin       draws what points share, such as centres; returns what writes the coordinates of point i
 * @param isShuffled  whether the points change places afterwards
 */
export function drawPoints(
  {n, seed = 0, precision = 'float32', onProgress}: GeneratorOptions,
  dim: number,
  begin: (random: Random) => (point: Float64Array, i: number) => void,
  isShuffled = false,
): PointSet {
  const coords = allocateCoords(n, dim, precision);
  const random = new Random(seed);
  const draw = begin(random);
  const point = new Float64Array(dim);
  const meter = new ProgressMeter<GeneratorPhase>(n, onProgress);
  for (let i = 0; i < n; i++) {
    if (i % BLOCK === 0) meter.report('draw', i);
    draw(point, i);
    for (let d = 0; d < dim; d++) coords[i * dim + d] = point[d];
  }
  if (isShuffled) shufflePoints(coords, dim, random, onProgress);
  return {coords, dim};
}

/** Draws points on some places of the cube [0, side)^dim. */
export function drawPlaces(options: GeneratorOptions, dim: number, distinct: number, side = 1): PointSet {
  return drawPoints(options, dim, (random) => {
    const places = Float64Array.from({length: distinct * dim}, () => random.between(0, side));
    return (point) => {
      const place = random.integer(distinct) * dim;
      for (let d = 0; d < dim; d++) point[d] = places[place + d];
    };
  });
}

/** @param own  names of options that the generator has besides those of all */
export function checkGenerator(options: object, own: readonly string[] = []): void {
  checkKnownOptions(
    options,
    ['n', 'seed', 'precision', 'onProgress', ...own],
    'options',
    'an object such as {n: 1000, seed: 1}',
  );
}

export function requireInteger(parameter: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidParameterError(parameter, value, `an integer from ${min} to ${max}`);
  }
}

/** Shuffles points in place (Fisher–Yates). */
export function shufflePoints(
  coords: Float32Array | Float64Array,
  dim: number,
  random: Random,
  onProgress?: ProgressListener<GeneratorPhase>,
): void {
  const n = coords.length / dim;
  const meter = new ProgressMeter<GeneratorPhase>(n, onProgress);
  for (let i = n - 1; i > 0; i--) {
    if (i % BLOCK === 0) meter.report('shuffle', n - i);
    const j = random.integer(i + 1);
    for (let d = 0; d < dim; d++) {
      const swapped = coords[i * dim + d];
      coords[i * dim + d] = coords[j * dim + d];
      coords[j * dim + d] = swapped;
    }
  }
}

/** Running sums of weights, scaled so that the last is 1: a distribution for `pickWeighted`. */
export function cumulativeShares(weights: readonly number[]): Float64Array {
  const shares = new Float64Array(weights.length);
  let sum = 0;
  for (let i = 0; i < weights.length; i++) shares[i] = sum += weights[i];
  for (let i = 0; i < weights.length; i++) shares[i] /= sum;
  shares[weights.length - 1] = 1;
  return shares;
}

/** Index drawn in proportion to the weights behind `shares`. */
export function pickWeighted(shares: Float64Array, random: Random): number {
  const u = random.uniform();
  let low = 0;
  let high = shares.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shares[middle] > u) high = middle;
    else low = middle + 1;
  }
  return low;
}
