import type {PointSet} from '@epsball/clustering';
import type {LoadedData} from './api.ts';

/** The first two axes of points as float32, relative to the middle of their box, so that a view can zoom in far. */
export function viewCoords({coords, dim}: PointSet): Pick<LoadedData, 'coords' | 'origin' | 'box'> {
  const n = coords.length / dim;
  const axes = [0, 1].map((axis) => (axis < dim ? rangeOf(coords, dim, axis) : ([0, 0] as const)));
  const [x, y] = axes.map(([low, high]) => low / 2 + high / 2);
  const drawn = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    drawn[2 * i] = coords[i * dim] - x;
    if (dim > 1) drawn[2 * i + 1] = coords[i * dim + 1] - y;
  }
  const [[lowX, highX], [lowY, highY]] = axes;
  return {coords: drawn, origin: [x, y], box: {min: [lowX - x, lowY - y], max: [highX - x, highY - y]}};
}

function rangeOf(coords: PointSet['coords'], dim: number, axis: number): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let k = axis; k < coords.length; k += dim) {
    if (coords[k] < low) low = coords[k];
    if (coords[k] > high) high = coords[k];
  }
  return low <= high ? [low, high] : [0, 0];
}
