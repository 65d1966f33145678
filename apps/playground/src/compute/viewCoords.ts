import type {PointSet} from '@epsball/clustering';
import {pointBounds} from '@epsball/spatial-grid';
import type {LoadedData} from './api.ts';

/** The first two axes of points as float32, relative to the middle of their box, so that a view can zoom in far. */
export function viewCoords(points: PointSet): Pick<LoadedData, 'coords' | 'origin' | 'box'> {
  const {coords, dim} = points;
  const {min, max} = pointBounds(points);
  const [[lowX, lowY = 0], [highX, highY = 0]] = [min, max];
  const [x, y] = [lowX / 2 + highX / 2, lowY / 2 + highY / 2];
  const n = coords.length / dim;
  const drawn = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    drawn[2 * i] = coords[i * dim] - x;
    if (dim > 1) drawn[2 * i + 1] = coords[i * dim + 1] - y;
  }
  return {coords: drawn, origin: [x, y], box: {min: [lowX - x, lowY - y], max: [highX - x, highY - y]}};
}
