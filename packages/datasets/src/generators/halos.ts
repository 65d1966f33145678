import type {PointSet} from '@epsball/clustering';
import {checkGenerator, drawPoints, type GeneratorOptions} from '../coords.ts';
import type {Random} from '../random.ts';

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
  const {n} = options;
  const inHalos = n - Math.floor(FIELD * n);
  const smallest = Math.max(FEWEST, SMALLEST * n);
  const largest = Math.max(smallest, LARGEST * n);
  let end = 0;
  let halo: Halo = {center: [], radius: 0};
  const draw = (random: Random) => (point: Float64Array, i: number) => {
    if (i >= inHalos) {
      for (let d = 0; d < 3; d++) point[d] = random.uniform();
      return;
    }
    if (i === end) {
      const size = powerLaw(smallest, largest, random.uniform());
      end = i + Math.ceil(size);
      const radius = Math.cbrt((3 * size) / (4 * Math.PI * OVERDENSITY * n));
      halo = {center: [random.uniform(), random.uniform(), random.uniform()], radius};
    }
    placeInBall(point, halo, random);
  };
  return drawPoints(options, 3, draw, true);
}

interface Halo {
  readonly center: readonly number[];
  readonly radius: number;
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
function placeInBall(point: Float64Array, {center, radius}: Halo, random: Random): void {
  const z = random.between(-1, 1);
  const angle = random.between(0, 2 * Math.PI);
  const r = radius * random.uniform();
  const flat = Math.sqrt(1 - z * z);
  point[0] = center[0] + r * flat * Math.cos(angle);
  point[1] = center[1] + r * flat * Math.sin(angle);
  point[2] = center[2] + r * z;
}
