import {InvalidParameterError, InvalidPointsError} from './errors.ts';
import {isObject} from './input/values.ts';
import {checkInteger} from './knownOptions.ts';

/**
 * n points of `dim` coordinates, point-major: `x0 y0 x1 y1 …`.
 *
 * Algorithms never write to `coords`, which may lie on a `SharedArrayBuffer`.
 */
export interface PointSet {
  readonly coords: Float32Array | Float64Array;
  /** Coordinates per point, ≥ 1. */
  readonly dim: number;
}

/** Number of points: `coords.length / dim`. */
export function pointCount(points: PointSet): number {
  return points.coords.length / points.dim;
}

/**
 * Copies points.
 *
 * @param indices  of points, in any order
 * @returns        in the precision of the points
 */
export function pointsAt({coords, dim}: PointSet, indices: ArrayLike<number>): PointSet {
  const length = indices.length * dim;
  const copied = coords instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
  for (let k = 0, to = 0; k < indices.length; k++) {
    for (let from = indices[k] * dim, d = 0; d < dim; d++) copied[to++] = coords[from++];
  }
  return {coords: copied, dim};
}

/**
 * Checks a point set, coordinates included.
 *
 * @param points  not modified
 * @throws InvalidParameterError, InvalidPointsError  as `validatePointShape`
 * @throws InvalidPointsError  if a coordinate is NaN or infinite; names the first bad point
 * @complexity O(n · dim), no allocation
 */
export function validatePoints(points: PointSet): void {
  validatePointShape(points);
  const {coords, dim} = points;
  const bad = firstNonFinite(coords);
  if (bad >= 0) {
    const index = Math.floor(bad / dim);
    throw new InvalidPointsError(
      `point ${index}, axis ${bad % dim} = ${coords[bad]}; expected a finite coordinate`,
      index,
    );
  }
}

/**
 * The checks of `validatePoints` that do not read coordinates.
 *
 * @throws InvalidParameterError  if `points` is not an object, `coords` not a float array, or `dim` not an integer ≥ 1
 * @throws InvalidPointsError     if the buffer of `coords` is detached, or `coords` does not hold whole points or holds
 * 2^31 or more of them
 */
export function validatePointShape(points: PointSet): void {
  if (!isObject(points)) throw new InvalidParameterError('points', points, 'an object with coords and dim');
  const {coords, dim} = points;
  if (!(coords instanceof Float32Array || coords instanceof Float64Array)) {
    throw new InvalidParameterError('coords', coords, 'a Float32Array or Float64Array');
  }
  checkInteger('dim', dim, 1);
  if (isDetached(coords)) {
    throw new InvalidPointsError(
      'coords is detached: its buffer was transferred; expected an array that holds the points',
    );
  }
  if (coords.length % dim !== 0) {
    throw new InvalidPointsError(`coords.length = ${coords.length}; expected a multiple of dim = ${dim}`);
  }
  // Labels are int32.
  if (coords.length / dim > 0x7fffffff) {
    throw new InvalidPointsError(`n = ${coords.length / dim}; expected at most 2147483647 points`);
  }
}

/** Whether the buffer of an array was transferred, as by `postMessage`. The array then has length 0. */
function isDetached({buffer, length}: Float32Array | Float64Array): boolean {
  if (length > 0) return false;
  try {
    // `ArrayBuffer.prototype.detached` is missing before Node 22 and in browsers before 2024.
    return new Uint8Array(buffer).length < 0;
  } catch {
    return true;
  }
}

function firstNonFinite(coords: Float32Array | Float64Array): number {
  // x − x is 0 exactly if x is finite. A sum needs one branch per block instead of one per value.
  const block = 4096;
  for (let start = 0; start < coords.length; start += block) {
    const end = Math.min(start + block, coords.length);
    let poison = 0;
    for (let i = start; i < end; i++) poison += coords[i] - coords[i];
    if (poison === 0) continue;
    for (let i = start; i < end; i++) if (!Number.isFinite(coords[i])) return i;
  }
  return -1;
}
