import {orderOfCoordinates, type NamedPoints} from '@epsball/clustering';
import {pointBounds} from '@epsball/spatial-grid';
import {mercator} from '../map/mercator.ts';
import type {LoadedData} from './api.ts';

/**
 * The first two axes of points as float32, relative to the middle of their box, so that a view can zoom in far. Two
 * columns with the names of a latitude and a longitude, and their values in degrees, are places on a map.
 */
export function viewCoords(points: NamedPoints): Pick<LoadedData, 'coords' | 'origin' | 'box' | 'isMap'> {
  const {coords, dim} = points;
  const {min, max} = pointBounds(points);
  const order = orderOfCoordinates(points.columns);
  const [lonAxis, latAxis] = order === 'lat-lon' ? [1, 0] : [0, 1];
  const isMap =
    order !== undefined && coords.length > 0 && isWithin(min, max, lonAxis, 360) && isWithin(min, max, latAxis, 90);
  const yOf = isMap ? mercator : (value: number): number => value;
  const [xAxis, yAxis] = isMap ? [lonAxis, latAxis] : [0, 1];
  const [lowX, highX] = [min[xAxis], max[xAxis]];
  const [lowY, highY] = dim > 1 ? [yOf(min[yAxis]), yOf(max[yAxis])] : [0, 0];
  const [x, y] = [lowX / 2 + highX / 2, lowY / 2 + highY / 2];
  const n = coords.length / dim;
  const drawn = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    drawn[2 * i] = coords[i * dim + xAxis] - x;
    if (dim > 1) drawn[2 * i + 1] = yOf(coords[i * dim + yAxis]) - y;
  }
  return {coords: drawn, origin: [x, y], box: {min: [lowX - x, lowY - y], max: [highX - x, highY - y]}, isMap};
}

function isWithin(min: ArrayLike<number>, max: ArrayLike<number>, axis: number, bound: number): boolean {
  return min[axis] >= -bound && max[axis] <= bound;
}
