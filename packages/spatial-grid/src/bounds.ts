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
  const {coords, dim} = points;
  if (dim === 2) return boundPlane(coords);
  let poison = 0;
  for (let k = 0; k < coords.length; k++) poison += coords[k] - coords[k];
  return {...pointBounds(points), areFinite: poison === 0};
}

/** `checkedBounds` for two axes, in one pass. */
function boundPlane(coords: Float32Array | Float64Array): PointBounds & {readonly areFinite: boolean} {
  let lowX = coords.length > 0 ? coords[0] : 0;
  let lowY = coords.length > 0 ? coords[1] : 0;
  let highX = lowX;
  let highY = lowY;
  // Two sums, because additions to one sum would depend on each other.
  let poisonX = 0;
  let poisonY = 0;
  for (let k = 0; k < coords.length; k += 2) {
    const x = coords[k];
    const y = coords[k + 1];
    if (x < lowX) lowX = x;
    if (x > highX) highX = x;
    if (y < lowY) lowY = y;
    if (y > highY) highY = y;
    poisonX += x - x;
    poisonY += y - y;
  }
  const areFinite = poisonX === 0 && poisonY === 0;
  return {min: Float64Array.of(lowX, lowY), max: Float64Array.of(highX, highY), areFinite};
}
