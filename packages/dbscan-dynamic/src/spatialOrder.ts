import {filled} from '@epsball/clustering';
import type {CellGeometry} from './cellGeometry.ts';

/** Sides of a cube whose points come one after another. */
const CUBE = 4;

/**
 * An order of points in which those near each other are close: cube by cube, row by row. A large batch in this order
 * reads and writes memory in order.
 *
 * @param coords  n points in the space of the cells; not modified
 * @returns       the indices of all points
 * @complexity    O(n log n)
 */
export function spatialOrder(coords: Float64Array, {dim, invSide}: CellGeometry): Int32Array {
  const n = coords.length / dim;
  const low = new Float64Array(dim).fill(Infinity);
  const high = new Float64Array(dim).fill(-Infinity);
  for (let k = 0; k < coords.length; k++) {
    const d = k % dim;
    if (coords[k] < low[d]) low[d] = coords[k];
    if (coords[k] > high[d]) high[d] = coords[k];
  }
  // A key is the row-major number of the cube, then the index: below 2^53 once cubes are large enough.
  let scale = invSide / CUBE;
  const cubesOn = (d: number): number => Math.floor((high[d] - low[d]) * scale) + 1;
  while (low.reduce((product, _, d) => product * cubesOn(d), n) >= 2 ** 53) scale /= 2;
  const cubes = Array.from(low, (_, d) => cubesOn(d));
  const keys = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let cube = 0;
    for (let d = dim - 1; d >= 0; d--) cube = cube * cubes[d] + Math.floor((coords[i * dim + d] - low[d]) * scale);
    keys[i] = cube * n + i;
  }
  keys.sort();
  return filled(new Int32Array(n), (k) => keys[k] % n);
}
