import type {PointSet} from '@epsball/clustering';
import {checkGenerator, allocateCoords, shufflePoints, type GeneratorOptions} from '../coords.ts';
import {Random} from '../random.ts';

/** Points of the smallest and of the largest halo, as shares of n, and the fewest of any halo. */
const SMALLEST = 1 / 40_000;
const LARGEST = 1 / 200;
const FEWEST = 20;

/** Slope of the number of halos by their points: many small halos and few large ones. */
const SLOPE = 1.9;

/** Mean density of a halo over that of all points. */
const OVERDENSITY = 200;

/** Share of the points in no halo. */
const FIELD = 0.02;

/** Linking length of friends-of-friends, in mean distances between points. */
const LINKING = 0.2;

/**
 * Generates halos as in a cosmological simulation, for friends-of-friends (minPts 2): several thousand balls in the
 * unit cube whose sizes follow a power law, denser towards their centres (as 1 / r²), and a thin uniform field; in
 * random order.
 *
 * @returns  n points, `dim` 3; those of a halo may lie outside the cube
 * @throws InvalidParameterError  if an option is out of range
 * @complexity  O(n)
 * @source   Davis et al. 1985 (friends-of-friends with a linking length of 0.2 mean distances)
 */
export function halos(options: GeneratorOptions): PointSet {
  checkGenerator(options);
  const {n, seed = 0, precision = 'float32'} = options;
  const coords = allocateCoords(n, 3, precision);
  const random = new Random(seed);
  const inHalos = n - Math.floor(FIELD * n);
  const smallest = Math.max(FEWEST, SMALLEST * n);
  const largest = Math.max(smallest, LARGEST * n);
  let i = 0;
  while (i < inHalos) {
    const size = powerLaw(smallest, largest, random.uniform());
    const end = Math.min(inHalos, i + Math.ceil(size));
    const radius = Math.cbrt((3 * size) / (4 * Math.PI * OVERDENSITY * n));
    const center = [random.uniform(), random.uniform(), random.uniform()];
    for (; i < end; i++) placeInBall(coords, i, {center, radius}, random);
  }
  for (; i < n; i++) for (let d = 0; d < 3; d++) coords[3 * i + d] = random.uniform();
  shufflePoints(coords, 3, random);
  return {coords, dim: 3};
}

/** The eps for `n` points of `halos`, with minPts 2. */
export function halosEps(n: number): number {
  return LINKING / Math.cbrt(n);
}

/** The quantile of a distribution whose density falls as x^−SLOPE between two bounds. */
function powerLaw(low: number, high: number, quantile: number): number {
  const power = 1 - SLOPE;
  return low * (1 - quantile * (1 - (high / low) ** power)) ** (1 / power);
}

/** Places a point: uniform direction, and a uniform radius, which gives a density of 1 / r². */
function placeInBall(
  coords: Float32Array | Float64Array,
  i: number,
  {center, radius}: {readonly center: readonly number[]; readonly radius: number},
  random: Random,
): void {
  const z = random.between(-1, 1);
  const angle = random.between(0, 2 * Math.PI);
  const r = radius * random.uniform();
  const flat = Math.sqrt(1 - z * z);
  coords[3 * i] = center[0] + r * flat * Math.cos(angle);
  coords[3 * i + 1] = center[1] + r * flat * Math.sin(angle);
  coords[3 * i + 2] = center[2] + r * z;
}
