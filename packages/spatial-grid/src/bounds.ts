import type {PointSet} from '@epsball/clustering';

export interface PointBounds {
  /** Smallest coordinate on each axis; 0 without points. */
  readonly min: Float64Array;
  /** Largest coordinate on each axis; 0 without points. */
  readonly max: Float64Array;
}

/**
 * The bounding box.
 *
 * @complexity O(n · dim)
 */
export function pointBounds(points: PointSet): PointBounds {
  const {coords, dim} = points;
  const min = new Float64Array(dim);
  const max = new Float64Array(dim);
  if (coords.length === 0) return {min, max};
  for (let d = 0; d < dim; d++) {
    let low = coords[d];
    let high = low;
    for (let i = d; i < coords.length; i += dim) {
      const x = coords[i];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    min[d] = low;
    max[d] = high;
  }
  return {min, max};
}
