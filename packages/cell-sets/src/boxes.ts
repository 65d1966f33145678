import {squaredDistance} from '@epsball/clustering';

/** Range of eps in which squares are normal float64 numbers, so that rounding errors are relative. */
export const EPS_MIN: number = 2 ** -500;
export const EPS_MAX: number = 2 ** 500;

/** A bounding box: the smallest coordinates, then the largest, 2 · dim values. */
export type Box = Float64Array;

/** A point of each side. */
export interface CorePair {
  readonly a: number;
  readonly b: number;
}

type Coords = Float32Array | Float64Array;

/** Tests all pairs of a point of each side. */
export function pairAmong(
  coords: Coords,
  dim: number,
  eps2: number,
  some: Int32Array,
  others: Int32Array,
): CorePair | undefined {
  for (const a of some) for (const b of others) if (squaredDistance(coords, dim, a, b) <= eps2) return {a, b};
  return undefined;
}

export function boxOf(coords: Coords, dim: number, points: Int32Array): Box {
  const box = new Float64Array(2 * dim);
  for (let d = 0; d < dim; d++) {
    let low = coords[points[0] * dim + d];
    let high = low;
    for (let k = 1; k < points.length; k++) {
      const x = coords[points[k] * dim + d];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    box[d] = low;
    box[dim + d] = high;
  }
  return box;
}

/** Squared distance of a point and a box; 0 inside. Rounds like `squaredDistance`, so it never exceeds a point's. */
export function squaredDistanceToBox(coords: Coords, dim: number, position: number, box: Box): number {
  let sum = 0;
  for (let d = 0; d < dim; d++) {
    const x = coords[position * dim + d];
    const delta = x < box[d] ? box[d] - x : x > box[dim + d] ? x - box[dim + d] : 0;
    sum += delta * delta;
  }
  return sum;
}
