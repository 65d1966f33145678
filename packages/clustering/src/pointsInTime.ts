import {InvalidParameterError} from './errors.ts';
import {pointCount, validatePointShape, type PointSet} from './points.ts';
import {oneAPoint} from './weights/weights.ts';

/**
 * The points with their times as a last coordinate, as variants take them with `epsTime`.
 *
 * @param points  not modified
 * @param time    n finite numbers; not modified
 * @returns       new float64 points
 * @throws InvalidPointsError     if the coordinates do not form whole points
 * @throws InvalidParameterError  if there is not one finite time a point: names the first
 * @complexity    O(n · dim)
 */
export function pointsInTime(points: PointSet, time: ArrayLike<number>): PointSet {
  validatePointShape(points);
  const {coords, dim} = points;
  const n = pointCount(points);
  const times = oneAPoint(time, n, 'time', 'time');
  const joined = new Float64Array(n * (dim + 1));
  for (let i = 0, from = 0, to = 0; i < n; i++) {
    for (let d = 0; d < dim; d++) joined[to++] = coords[from++];
    joined[to++] = times[i];
  }
  return {coords: joined, dim: dim + 1};
}

/** The parameters of ST-DBSCAN: for functions that refuse them. */
export const TIME_PARAMS: readonly string[] = ['epsTime', 'time'];

/** @throws InvalidParameterError  if one of `epsTime` and `time` is given without the other */
export function checkTimeParams({epsTime, time}: {readonly epsTime?: unknown; readonly time?: unknown}): void {
  if (epsTime !== undefined && time === undefined) {
    throw new InvalidParameterError('time', time, 'one time a point with epsTime');
  }
  if (time !== undefined && epsTime === undefined) {
    throw new InvalidParameterError('epsTime', epsTime, 'a finite number ≥ 0 with time');
  }
}
