import type {PointSet} from '@epsball/clustering';

export interface PointBounds {
  /** Smallest coordinate on each axis; 0 for an empty set. */
  readonly min: Float64Array;
  /** Largest coordinate on each axis; 0 for an empty set. */
  readonly max: Float64Array;
}

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

/** The bounding box, and whether all coordinates are finite: x − x is 0 exactly for finite x. */
export function checkedBounds(points: PointSet): PointBounds & {readonly areFinite: boolean} {
  const {coords} = points;
  let poison = 0;
  for (let k = 0; k < coords.length; k++) poison += coords[k] - coords[k];
  return {...pointBounds(points), areFinite: poison === 0};
}
