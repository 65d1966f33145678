import type {PointSet} from '@epsball/clustering';
import {gaussian, seededRandom} from './random.ts';

export type Precision = 'float32' | 'float64';
export const PRECISIONS: readonly Precision[] = ['float32', 'float64'];

/**
 * Points from numbers, rounded to the precision.
 *
 * @param values  n · dim values, point by point
 */
export function toPoints(precision: Precision, dim: number, values: readonly number[]): PointSet {
  return {coords: precision === 'float32' ? Float32Array.from(values) : Float64Array.from(values), dim};
}

/** The same points in another order: point k of the result is point `order[k]`. */
function reorder({coords, dim}: PointSet, order: readonly number[]): PointSet {
  const sorted = coords.slice();
  order.forEach((from, to) => sorted.set(coords.subarray(from * dim, (from + 1) * dim), to * dim));
  return {coords: sorted, dim};
}

export function listOf<Item>(length: number, of: (k: number) => Item): Item[] {
  return Array.from({length}, (_, k) => of(k));
}

/** The same number several times. */
export function repeated(value: number, length: number): number[] {
  return Array.from<number>({length}).fill(value);
}

/** The same points, last first. */
export function reversed(points: PointSet): PointSet {
  const n = points.coords.length / points.dim;
  const order = listOf(n, (k) => n - 1 - k);
  return reorder(points, order);
}

/** Points in a seeded random order: point `to` of `moved` is point `order[to]`. */
export function readPermuted(points: PointSet, seed: number): {order: number[]; moved: PointSet} {
  const random = seededRandom(seed);
  const order = listOf(points.coords.length / points.dim, (k) => k);
  for (let k = order.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other], order[k]];
  }
  return {order, moved: reorder(points, order)};
}

/** The same points in a seeded random order. */
export function shuffled(points: PointSet, seed: number): PointSet {
  return readPermuted(points, seed).moved;
}

/** The points as they are, last first, and shuffled, each with words for the name of a case. */
export function inAnyOrder(
  points: () => PointSet,
  seeds: readonly number[],
): readonly (readonly [order: string, points: () => PointSet])[] {
  return [
    ['', points],
    [', last first', () => reversed(points())],
    ...seeds.map((seed) => [`, shuffled with seed ${seed}`, () => shuffled(points(), seed)] as const),
  ];
}

/** Every integer vector with 0 ≤ x_d < side; the last axis varies fastest. */
export function integerLattice(dim: number, side: number): number[] {
  const values: number[] = [];
  for (let k = 0; k < side ** dim; k++) {
    for (let d = dim - 1; d >= 0; d--) values.push(Math.floor(k / side ** d) % side);
  }
  return values;
}

/**
 * Seeded Gaussian clusters in the unit cube with uniform noise between them, in random order.
 *
 * @param seed      as for `seededRandom`; the same seed gives the same points
 * @param clusters  number of centres, which are uniform
 * @param sigma     standard deviation of a cluster
 * @param noise     fraction of uniform points, 0 to 1
 */
export function blobs(
  precision: Precision,
  dim: number,
  n: number,
  {seed, clusters = 5, sigma = 0.02, noise = 0.2}: {seed: number; clusters?: number; sigma?: number; noise?: number},
): PointSet {
  const random = seededRandom(seed);
  const centers = Array.from({length: clusters * dim}, random);
  const values: number[] = [];
  for (let i = 0; i < n; i++) {
    const isNoise = random() < noise;
    const center = Math.floor(random() * clusters) * dim;
    for (let d = 0; d < dim; d++) values.push(isNoise ? random() : centers[center + d] + sigma * gaussian(random));
  }
  return toPoints(precision, dim, values);
}

/** Seeded uniform points in [0, 1)^dim; float32 rounds some up to 1. */
export function uniform(precision: Precision, dim: number, n: number, seed: number): PointSet {
  return toPoints(precision, dim, Array.from({length: n * dim}, seededRandom(seed)));
}

/** x·scale + offset, in float64, then rounded to the points' own precision. */
export function transformed({coords, dim}: PointSet, scale: number, offset: number): PointSet {
  return {coords: coords.map((x) => x * scale + offset), dim};
}

/**
 * A spiral in the plane. Neighbours are one step apart and turns four steps apart. With eps between these distances it
 * is one cluster, and a breadth-first search from one end needs n levels.
 *
 * @param step  distance of neighbours, > 0
 */
export function spiral(precision: Precision, n: number, step: number): PointSet {
  const values: number[] = [];
  const pitch = (4 * step) / (2 * Math.PI);
  let angle = 4 * Math.PI;
  for (let i = 0; i < n; i++) {
    values.push(pitch * angle * Math.cos(angle), pitch * angle * Math.sin(angle));
    angle += step / (pitch * Math.hypot(1, angle));
  }
  return toPoints(precision, 2, values);
}

/** The same values on a `SharedArrayBuffer`. */
export function onSharedMemory({coords, dim}: PointSet): PointSet {
  const memory = new SharedArrayBuffer(coords.byteLength);
  const shared = coords instanceof Float32Array ? new Float32Array(memory) : new Float64Array(memory);
  shared.set(coords);
  return {coords: shared, dim};
}

/** The same values as a view of the middle of a larger buffer. The other values of the buffer are NaN. */
export function insideLargerBuffer({coords, dim}: PointSet): PointSet {
  const margin = 17;
  const larger =
    coords.constructor === Float32Array
      ? new Float32Array(coords.length + 2 * margin)
      : new Float64Array(coords.length + 2 * margin);
  larger.fill(NaN);
  larger.set(coords, margin);
  return {coords: larger.subarray(margin, margin + coords.length), dim};
}
