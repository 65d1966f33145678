import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import {allocateCoords, requireInteger, type GeneratorOptions, type Precision} from '../coords.ts';
import {Random} from '../random.ts';

export interface LatticeOptions {
  /** Distance between neighbours along an axis; 1 unless given. */
  readonly spacing?: number;
  /** Coordinate of the first point on every axis; 0 unless given. */
  readonly offset?: number;
  /** `'float32'` unless given. */
  readonly precision?: Precision;
}

/**
 * A regular lattice. With eps equal to the spacing, every pair of neighbours lies on the boundary of the
 * neighbourhood.
 *
 * @param counts  points along each axis, ≥ 0; their number is `dim`
 * @returns       the product of `counts` points; the last axis runs fastest
 * @throws InvalidParameterError  if a count, `spacing`, `offset` or `precision` is out of range
 */
export function lattice(counts: readonly number[], options: LatticeOptions = {}): PointSet {
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

export interface DuplicatesOptions extends GeneratorOptions {
  /** Places on which the points fall; 100 unless given. */
  readonly distinct?: number;
  /** 2 unless given. */
  readonly dim?: number;
}

/**
 * n points on few places of the unit cube, in random order: points that coincide.
 *
 * @throws InvalidParameterError  if an option is out of range
 */
export function duplicates(options: DuplicatesOptions): PointSet {
  const {n, distinct = 100, dim = 2, seed = 0, precision = 'float32'} = options;
  requireInteger('distinct', distinct, 1, 0x7fffffff);
  const coords = allocateCoords(n, dim, precision);
  const random = new Random(seed);
  const places = Float64Array.from({length: distinct * dim}, () => random.uniform());
  for (let i = 0; i < n; i++) {
    const place = random.integer(distinct) * dim;
    for (let d = 0; d < dim; d++) coords[i * dim + d] = places[place + d];
  }
  return {coords, dim};
}

export interface LineOptions {
  readonly n: number;
  /** 1 unless given; the other axes are 0. */
  readonly dim?: number;
  /** `'float32'` unless given. */
  readonly precision?: Precision;
}

/**
 * Points 0, 1, 2 … on the first axis, in order: with eps = 1 a chain whose every link lies on the boundary.
 *
 * @throws InvalidParameterError  if an option is out of range
 */
export function line({n, dim = 1, precision = 'float32'}: LineOptions): PointSet {
  const coords = allocateCoords(n, dim, precision);
  for (let i = 0; i < n; i++) coords[i * dim] = i;
  return {coords, dim};
}

/** Distance between the turns of `spiral`. */
const SPIRAL_PITCH = 8;

/**
 * Points one apart along an Archimedean spiral whose turns are 8 apart, in order from the inside. With eps = 2.5
 * a point reaches two before and two after it and never another turn, so a breadth-first search from one end
 * takes n / 2 levels.
 *
 * @returns  n points, `dim` 2
 * @throws InvalidParameterError  if `n` or `precision` is out of range
 */
export function spiral({n, precision = 'float32'}: {readonly n: number; readonly precision?: Precision}): PointSet {
  const coords = allocateCoords(n, 2, precision);
  const growth = SPIRAL_PITCH / (2 * Math.PI);
  // One turn out, where the curve is flat enough that three steps are longer than 2.5.
  let angle = 2 * Math.PI;
  for (let i = 0; i < n; i++) {
    const radius = growth * angle;
    coords[2 * i] = radius * Math.cos(angle);
    coords[2 * i + 1] = radius * Math.sin(angle);
    angle += 1 / Math.hypot(radius, growth);
  }
  return {coords, dim: 2};
}

/**
 * Uniform in the unit cube. (As float32 a coordinate may round up to 1.)
 *
 * @throws InvalidParameterError  if an option is out of range
 */
export function uniform(options: GeneratorOptions & {readonly dim?: number}): PointSet {
  const {n, dim = 2, seed = 0, precision = 'float32'} = options;
  const coords = allocateCoords(n, dim, precision);
  const random = new Random(seed);
  for (let k = 0; k < coords.length; k++) coords[k] = random.uniform();
  return {coords, dim};
}

function requireFinite(parameter: string, value: number): void {
  if (!Number.isFinite(value)) throw new InvalidParameterError(parameter, value, 'a finite number');
}
