import {float64Words, type BufferSlice, type ParamRing} from '@epsball/gpu';
import type {PointBounds} from '../bounds.ts';
import {distanceBounds} from './distanceBounds.ts';
import type {DevicePoints} from './devicePoints.ts';
import {neighborhoodStructs} from './neighborhood.wgsl.ts';

/**
 * What kernels that import `spatial_grid::gpu::neighborhood` bind as `neighborhood`: where float32 may decide.
 *
 * @param ring    receives it
 * @param points  in any number of dimensions
 * @param bounds  their box
 */
export function writeNeighborhood(
  ring: ParamRing,
  points: DevicePoints,
  bounds: PointBounds,
  eps: number,
): BufferSlice {
  const magnitude = magnitudeOf(points, bounds);
  const {sureBelow, sureAbove, isExactOnly} = distanceBounds(points.dim, eps, points.displacement, magnitude);
  const values = {eps2: float64Words(eps * eps), sureBelow, sureAbove, isExactOnly};
  return ring.write(neighborhoodStructs.NeighborhoodParams, values);
}

/** Largest |coordinate| in `points.coords`: relative to the corner where the points are wide. */
function magnitudeOf(points: DevicePoints, {min, max}: PointBounds): number {
  let magnitude = 0;
  for (let d = 0; d < points.dim; d++) {
    const ofAxis = points.wideCoords ? max[d] - min[d] : Math.max(Math.abs(min[d]), Math.abs(max[d]));
    magnitude = Math.max(magnitude, ofAxis);
  }
  return magnitude;
}
