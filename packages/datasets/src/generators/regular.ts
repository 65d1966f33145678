import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import {
  allocateCoords,
  checkGenerator,
  drawPlaces,
  drawPoints,
  requireInteger,
  type GeneratorOptions,
  type Precision,
} from '../coords.ts';

/**
 * Generates a regular lattice. With eps equal to the spacing, the distance of every pair of neighbours is exactly eps.
 *
 * @param counts           points along each axis, ≥ 0; their number is `dim`
 * @param options.spacing  distance between neighbours along an axis. Default: 1
 * @param options.offset   coordinate of the first point on every axis. Default: 0
 * @returns                the product of `counts` points; the last axis varies fastest
 * @throws InvalidParameterError  if a count, `spacing`, `offset` or `precision` is out of range
 */
export function lattice(
  counts: readonly number[],
  options: {readonly spacing?: number; readonly offset?: number; readonly precision?: Precision} = {},
): PointSet {
  const {spacing = 1, offset = 0, precision = 'float32'} = options;
  const dim = counts.length;
  for (const count of counts) requireInteger('counts', count, 0, 0x7fffffff);
  requireFinite('spacing', spacing);
  requireFinite('offset', offset);
  const n = counts.reduce((product, count) => product * count, 1);
  const coords = allocateCoords(n, dim, precision);
  const step = new Float64Array(dim);
  for (let i = 0; i < n; i++) {
    for (let d = 0; d < dim; d++) coords[i * dim + d] = offset + step[d] * spacing;
    for (let d = dim - 1; d >= 0 && ++step[d] === counts[d]; d--) step[d] = 0;
  }
  return {coords, dim};
}

/**
 * Generates n points on few places of the unit cube, in random order, so that many coincide.
 *
 * @param options.distinct  number of distinct places. Default: 100
 * @throws InvalidParameterError  if an option is out of range
 */
export function duplicates(options: GeneratorOptions & {readonly distinct?: number; readonly dim?: number}): PointSet {
  checkGenerator(options, ['distinct', 'dim']);
  const {distinct = 100, dim = 2} = options;
  requireInteger('distinct', distinct, 1, 0x7fffffff);
  return drawPlaces(options, dim, distinct);
}

/**
 * Generates the points 0, 1, 2 … on the first axis, in order. With eps = 1 they form a chain in which the distance of
 * neighbours is exactly eps.
 *
 * @param options.dim  axes after the first are 0. Default: 1
 * @throws InvalidParameterError  if an option is out of range
 */
export function line(options: Omit<GeneratorOptions, 'seed'> & {readonly dim?: number}): PointSet {
  checkGenerator(options, ['dim']);
  return drawPoints(options, options.dim ?? 1, () => (point, i) => (point[0] = i));
}

/** Distance between the turns of `spiral`. */
const SPIRAL_PITCH = 8;

/**
 * Generates points one apart along an Archimedean spiral whose turns are 8 apart, in order from the inside. With eps =
 * 2.5 a point has as neighbours the two points before and the two after it, and none of another turn, so a
 * breadth-first search from one end takes n / 2 levels.
 *
 * @returns  n points, `dim` 2
 * @throws InvalidParameterError  if `n` or `precision` is out of range
 */
export function spiral(options: Omit<GeneratorOptions, 'seed'>): PointSet {
  checkGenerator(options);
  const growth = SPIRAL_PITCH / (2 * Math.PI);
  // The first turn is omitted: its curvature brings points three steps apart within 2.5.
  let angle = 2 * Math.PI;
  return drawPoints(options, 2, () => (point) => {
    const radius = growth * angle;
    point[0] = radius * Math.cos(angle);
    point[1] = radius * Math.sin(angle);
    angle += 1 / Math.hypot(radius, growth);
  });
}

/**
 * Generates uniform points in the unit cube. As float32 a coordinate may round up to 1.
 *
 * @throws InvalidParameterError  if an option is out of range
 */
export function uniform(options: GeneratorOptions & {readonly dim?: number}): PointSet {
  checkGenerator(options, ['dim']);
  const {dim = 2} = options;
  return drawPoints(options, dim, (random) => (point) => {
    for (let d = 0; d < dim; d++) point[d] = random.uniform();
  });
}

function requireFinite(parameter: string, value: number): void {
  if (!Number.isFinite(value)) throw new InvalidParameterError(parameter, value, 'a finite number');
}
