import {squaredEps, type Radius} from '@epsball/clustering';
import {float64Words, type BufferSlice, type ParamRing} from '@epsball/gpu';
import type {PointBounds} from '../bounds.ts';
import {distanceBounds} from './distanceBounds.ts';
import type {DevicePoints} from './devicePoints.ts';
import {neighborhoodStructs} from './neighborhood.wgsl.ts';

/** Writes what kernels with `spatial_grid::gpu::neighborhood` bind as `neighborhood`; `bounds` is the points' box. */
export function writeNeighborhood(
  ring: ParamRing,
  points: DevicePoints,
  bounds: PointBounds,
  {eps, eps2 = squaredEps(eps)}: Pick<Radius, 'eps' | 'eps2'>,
): BufferSlice {
  const magnitude = magnitudeOf(points, bounds);
  const {sureBelow, sureAbove, isExactOnly} = distanceBounds(points.dim, eps, points.displacement, magnitude);
  const values = {eps2: float64Words(eps2), sureBelow, sureAbove, isExactOnly};
  return ring.write(neighborhoodStructs.NeighborhoodParams, values);
}

/** Largest |coordinate| in `points.coords`, which are relative to the corner for wide points. */
function magnitudeOf(points: DevicePoints, {min, max}: PointBounds): number {
  let magnitude = 0;
  for (let d = 0; d < points.dim; d++) {
    const ofAxis = points.wideCoords ? max[d] - min[d] : Math.max(Math.abs(min[d]), Math.abs(max[d]));
    magnitude = Math.max(magnitude, ofAxis);
  }
  return magnitude;
}
