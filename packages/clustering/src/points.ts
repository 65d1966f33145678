import {InvalidParameterError, InvalidPointsError} from './errors.ts';

/**
 * n points of `dim` coordinates, point-major: `x0 y0 x1 y1 …`.
 *
 * Algorithms borrow it: they never write to `coords`, which may sit on a `SharedArrayBuffer`.
 */
export interface PointSet {
  readonly coords: Float32Array | Float64Array;
  /** Coordinates per point, ≥ 1. */
  readonly dim: number;
}

/** Points in the set: `coords.length / dim`. */
export function pointCount(points: PointSet): number {
  return points.coords.length / points.dim;
}

/**
 * Checks a point set at the public border.
 *
 * @param points  not modified
 * @throws InvalidParameterError, InvalidPointsError  as `validatePointShape`
 * @throws InvalidPointsError  if a coordinate is NaN or infinite (names the first bad index)
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
 * All of `validatePoints` but the coordinates' values.
 *
 * @param points  not modified
 * @throws InvalidParameterError  if `coords` is no float array or `dim` no integer ≥ 1
 * @throws InvalidPointsError     if `coords` does not hold whole points, or holds 2^31 or more of them
 */
export function validatePointShape({coords, dim}: PointSet): void {
  if (!(coords instanceof Float32Array || coords instanceof Float64Array)) {
    throw new InvalidParameterError('coords', coords, 'a Float32Array or Float64Array');
  }
  if (!Number.isInteger(dim) || dim < 1) throw new InvalidParameterError('dim', dim, 'an integer ≥ 1');
  if (coords.length % dim !== 0) {
    throw new InvalidPointsError(`coords.length = ${coords.length}; expected a multiple of dim = ${dim}`);
  }
  // Labels are int32 point and cluster numbers.
  if (coords.length / dim > 0x7fffffff) {
    throw new InvalidPointsError(`n = ${coords.length / dim}; expected at most 2147483647 points`);
  }
}

/** Index of the first NaN or infinity, or −1. */
function firstNonFinite(coords: Float32Array | Float64Array): number {
  // x − x is 0 exactly for finite x. Summing a block is one branch per block instead of one per value.
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
