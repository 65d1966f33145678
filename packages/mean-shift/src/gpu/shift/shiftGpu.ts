import {checkKnownOptions} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import type {ShiftAlgorithm} from '../../algorithm.ts';
import type {ShiftGpuOptions} from './shiftGpuOptions.ts';
import {createShiftPipeline} from './shiftPipeline.ts';

/**
 * The shift on WebGPU, in 1 to 16 dimensions: the naive and tiled CUDA versions of the source. Coordinates are relative
 * to the centre of the points, in units of the bandwidth, and rounded once, to 29 bits. Arithmetic is float32.
 * `docs/numerics.md` bounds the error.
 *
 * Device bytes a point: 8 · dim, 12 more with a tolerance, and partial sums: at most 64 MiB or 4 · (dim + 1) a point.
 *
 * @param gpu      borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range or unknown
 * @throws GpuLimitError          if the device does not allow such a tile
 * @complexity O(n · m · iterations · dim)
 * @source     Agnolucci 2020, Algorithms 5 to 8
 */
export async function createShiftGpu(gpu: Gpu, options: ShiftGpuOptions = {}): Promise<ShiftAlgorithm> {
  checkKnownOptions(options, ['method', 'tileWidth'], 'options', "an object such as {method: 'naive'}");
  return createShiftPipeline(gpu, options);
}
