import type {PointSet} from '@epsball/clustering';

export interface PointBounds {
  /** Smallest coordinate on each axis; 0 for an empty set. */
  readonly min: Float64Array;
  /** Largest coordinate on each axis; 0 for an empty set. */
  readonly max: Float64Array;
}

export function pointBounds(points: PointSet): PointBounds {
  const {min, max} = checkedBounds(points);
  return {min, max};
}

/** The bounding box, and whether all coordinates are finite: x − x is 0 exactly for finite x. */
export function checkedBounds({coords, dim}: PointSet): PointBounds & {readonly areFinite: boolean} {
  const min = new Float64Array(dim);
  const max = new Float64Array(dim);
  let areFinite = true;
  for (let d = 0; d < Math.min(dim, coords.length); d++) {
    let low = coords[d];
    let high = low;
    let poison = 0;
    for (let i = d; i < coords.length; i += dim) {
      const x = coords[i];
      if (x < low) low = x;
      if (x > high) high = x;
      poison += x - x;
    }
    min[d] = low;
    max[d] = high;
    areFinite &&= poison === 0;
  }
  return {min, max, areFinite};
}
