import {pointCount, validatePointShape, type PointSet} from '@epsball/clustering';
import {Kernel} from '@epsball/gpu';
import {pointBounds} from '@epsball/spatial-grid';
import type {Device} from '../device.ts';
import {arrangeWgsl} from './arrange.wgsl.ts';
import type {PointSource} from './devicePoints.ts';
import {vectorWords, type VectorScale} from './vectorScale.ts';

/** Most axes of points that are sent unscaled: those of one quad. */
const AXES_MAX = 4;

/** Float32 points of at most 4 axes are sent as they are; the device computes their box and scales them. */
export function hostSource({gpu, params, scratch, uploader, boxes}: Device, points: PointSet): PointSource {
  validatePointShape(points);
  const n = pointCount(points);
  const {coords, dim} = points;
  const fill = (vectors: GPUBuffer, scale: VectorScale): Promise<void> =>
    uploader.fill(16 * scale.quads * n, vectors, vectorWords(points, scale));
  const isSingle = coords instanceof Float32Array && dim <= AXES_MAX;
  const source = {n, box: points, isSingle, isWidened: true};
  if (!isSingle) return {...source, bounds: () => pointBounds(points), write: fill};
  const sent = (): GPUBuffer => scratch.take('coords', coords.byteLength);
  return {
    ...source,
    bounds: async (run) => {
      await uploader.upload(coords, sent());
      return boxes.of({n, dim, coords: sent(), displacement: 0, unchecked: points}, run.passes('upload'));
    },
    write: async (vectors, scale, run) => {
      if (!scale.isSingle) return fill(vectors, scale);
      const kernel = await Kernel.create(gpu, arrangeWgsl, 'scalePoints');
      const {center, factor} = scale;
      const scaling = params.write(arrangeWgsl.structs.Scaling, {center: [...center], factor, count: n, axes: dim});
      run.submit('upload', kernel.encodeOver({coordsIn: sent(), vectorsOut: vectors, scaling}, n));
    },
  };
}
