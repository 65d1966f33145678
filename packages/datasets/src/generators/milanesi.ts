import type {PointSet} from '@epsball/clustering';
import {checkGenerator, cumulativeShares, drawPoints, pickWeighted, type GeneratorOptions} from '../coords.ts';
import type {Random} from '../random.ts';

/** Gaussian profiles are cut at this many standard deviations, so that clusters have sharp edges. */
const PROFILE_LIMIT = 2.5;

/** The box of the noise, centred on 0. */
const BOX_WIDTH = 6.4;
const BOX_HEIGHT = 5.6;

/**
 * The most noise points. On average 10,000 / (6.4 · 5.6) · π · 0.03² = 0.79 of them lie within eps = 0.03 of a place,
 * far below minPts = 8, so at every n noise neither forms clusters nor connects them.
 */
const NOISE_MAX = 10_000;
/** The largest share of noise, which is the lower of the two bounds below n = 200,000. */
const NOISE_SHARE_MAX = 0.05;

/** A Gaussian with its axes rotated by `angle`. */
interface Blob {
  readonly kind: 'blob';
  readonly at: readonly [x: number, y: number];
  readonly sigma: readonly [along: number, across: number];
  readonly angle: number;
}

/** Part of a circle; the distance to it is Gaussian. */
interface Arc {
  readonly kind: 'arc';
  readonly at: readonly [x: number, y: number];
  readonly radius: number;
  readonly from: number;
  readonly to: number;
  readonly sigma: number;
}

/** One turn of an Archimedean spiral that starts at `angle`. */
interface Spiral {
  readonly kind: 'spiral';
  readonly at: readonly [x: number, y: number];
  readonly radius: readonly [inner: number, outer: number];
  readonly angle: number;
  readonly sigma: number;
}

/** A filled square, rotated by `angle`. */
interface Square {
  readonly kind: 'square';
  readonly at: readonly [x: number, y: number];
  readonly side: number;
  readonly angle: number;
}

type Shape = Blob | Arc | Spiral | Square;

const {PI} = Math;

/** The strokes of the ten clusters; two arcs that meet form the S. Clusters are more than 0.1 > 3 eps apart. */
const STROKES: readonly {readonly weight: number; readonly shape: Shape}[] = [
  {weight: 13, shape: {kind: 'arc', at: [-2.1, 1.5], radius: 0.75, from: 0, to: 2 * PI, sigma: 0.03}},
  {weight: 8, shape: {kind: 'blob', at: [-2.1, 1.5], sigma: [0.1, 0.1], angle: 0}},
  {weight: 8, shape: {kind: 'arc', at: [-0.3, 1.4], radius: 0.6, from: 0, to: PI, sigma: 0.03}},
  {weight: 8, shape: {kind: 'arc', at: [0.3, 1.7], radius: 0.6, from: PI, to: 2 * PI, sigma: 0.03}},
  {weight: 9, shape: {kind: 'spiral', at: [2.1, 1.5], radius: [0.18, 0.88], angle: 0, sigma: 0.03}},
  {weight: 9, shape: {kind: 'spiral', at: [2.1, 1.5], radius: [0.18, 0.88], angle: PI, sigma: 0.03}},
  {weight: 15, shape: {kind: 'square', at: [-2.2, -1.35], side: 0.8, angle: 0.35}},
  {weight: 5, shape: {kind: 'arc', at: [-0.7, -1.0], radius: 0.4, from: 0, to: 1.5 * PI, sigma: 0.03}},
  {weight: 5, shape: {kind: 'arc', at: [-0.7, -1.8], radius: 0.4, from: -PI, to: 0.5 * PI, sigma: 0.03}},
  {weight: 12, shape: {kind: 'blob', at: [1.0, -1.0], sigma: [0.4, 0.06], angle: 0.6}},
  {weight: 8, shape: {kind: 'blob', at: [2.3, -1.75], sigma: [0.13, 0.13], angle: 0}},
];

/**
 * Generates ten 2-D clusters of many shapes (ring, blobs, moons, spiral arms, square, S, elongated Gaussian) on uniform
 * noise, in random order, like the data of Milanesi's Figure 1, where eps = 0.03 and minPts = 8.
 *
 * At n = 1,000,000 a point has about 930 neighbours within 0.03 and DBSCAN finds the ten clusters. Below about 50,000
 * points the same eps finds fragments; at 1000 almost all points are noise.
 *
 * @returns  n points, `dim` 2, in [−3.2, 3.2] × [−2.8, 2.8]
 * @throws InvalidParameterError  if `n`, `seed` or `precision` is out of range
 * @complexity  O(n), allocates the result only
 * @source   L. Milanesi, GPU-DBSCAN, 2025–2026, Figure 1 (drawn after its description; the document gives no code)
 */
export function milanesi(options: GeneratorOptions): PointSet {
  checkGenerator(options);
  const noiseShare = Math.min(NOISE_SHARE_MAX, NOISE_MAX / options.n);
  const shares = cumulativeShares(STROKES.map((stroke) => stroke.weight));
  return drawPoints(options, 2, (random) => (point) => {
    if (random.uniform() < noiseShare) {
      point[0] = BOX_WIDTH * (random.uniform() - 0.5);
      point[1] = BOX_HEIGHT * (random.uniform() - 0.5);
    } else {
      drawPoint(STROKES[pickWeighted(shares, random)].shape, random, point);
    }
  });
}

function drawPoint(shape: Shape, random: Random, point: Float64Array): void {
  const [x, y] = shape.at;
  switch (shape.kind) {
    case 'blob': {
      let u = random.gaussian();
      let v = random.gaussian();
      while (u * u + v * v > PROFILE_LIMIT * PROFILE_LIMIT) {
        u = random.gaussian();
        v = random.gaussian();
      }
      rotate(u * shape.sigma[0], v * shape.sigma[1], shape.angle, point);
      break;
    }
    case 'arc': {
      const radius = shape.radius + shape.sigma * random.truncatedGaussian(PROFILE_LIMIT);
      rotate(radius, 0, random.between(shape.from, shape.to), point);
      break;
    }
    case 'spiral': {
      // A uniform r² gives a nearly uniform arc length: ∫ r dθ = r² / 2 up to a factor.
      const [inner, outer] = shape.radius;
      const onLine = Math.sqrt(random.between(inner * inner, outer * outer));
      const angle = shape.angle + (2 * PI * (onLine - inner)) / (outer - inner);
      rotate(onLine + shape.sigma * random.truncatedGaussian(PROFILE_LIMIT), 0, angle, point);
      break;
    }
    case 'square':
      rotate(shape.side * (random.uniform() - 0.5), shape.side * (random.uniform() - 0.5), shape.angle, point);
  }
  point[0] += x;
  point[1] += y;
}

/** Writes (u, v), rotated by `angle` about the origin. */
function rotate(u: number, v: number, angle: number, point: Float64Array): void {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  point[0] = u * cos - v * sin;
  point[1] = u * sin + v * cos;
}
