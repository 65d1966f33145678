import type {PointSet} from '@epsball/clustering';
import {principalAxes} from '@epsball/spatial-grid/quantile/pca';
import {projectPoints} from '@epsball/spatial-grid/quantile';
import {formatPercent} from '../text.ts';

/**
 * Points of more than two dimensions as the plane of their largest variance shows them.
 *
 * @returns  the points in the plane and the names of its axes, with their shares of the variance; undefined if
 *           nothing varies, or squares leave the range of float64
 */
export function inPrincipalPlane(
  points: PointSet,
): {readonly points: PointSet; readonly axes: readonly [x: string, y: string]} | undefined {
  const found = principalAxes(points, 2);
  const projected = projectPoints(points, found, 2);
  const total = squaresAround(points, found.center);
  if (projected === undefined || !(total > 0) || total === Infinity) return undefined;
  const plane = {coords: projected.values, dim: 2};
  const shares = [0, 1].map((axis) => formatPercent(squaresAround(plane, [0, 0], axis) / total));
  return {points: plane, axes: [`axis 1, ${shares[0]} of the variance`, `axis 2, ${shares[1]}`]};
}

/** Sum of the squared differences from a center, along one axis or all. */
function squaresAround({coords, dim}: PointSet, center: ArrayLike<number>, axis?: number): number {
  let sum = 0;
  for (let i = 0; i < coords.length; i++) {
    const d = i % dim;
    if (axis === undefined || axis === d) sum += (coords[i] - center[d]) ** 2;
  }
  return sum;
}
