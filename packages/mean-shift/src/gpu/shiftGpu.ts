import {checkKnownOptions, GpuLimitError, InvalidParameterError} from '@epsball/clustering';
import type {Gpu} from '@epsball/gpu';
import type {ShiftAlgorithm} from '../algorithm.ts';
import {defaultTuning, type ClimbTuning} from './climb/pointClimber.ts';
import {DeviceMeanShift} from './deviceMeanShift.ts';

export interface ShiftGpuOptions {
  /**
   * `tiled`: points through workgroup memory. `naive`: every invocation reads every point from memory. Default:
   * `tiled`.
   */
  readonly method?: 'tiled' | 'naive' | undefined;
  /**
   * Points in a tile and invocations in a workgroup: 16, 32, 64, 128, 256, 512 or 1024, as the device allows. Default:
   * 256, or fewer if a device has no room for them.
   */
  readonly tileWidth?: number | undefined;
}

/** From so many bandwidths from the centre on a coordinate takes two words: one float32 would be off by 10^-6. */
const WIDE_FROM = 32;

/**
 * The shift on WebGPU, in 1 to 16 dimensions: the naive and tiled CUDA versions of the source. Coordinates are relative
 * to the centre of the points, in units of the bandwidth. Arithmetic is float32; if a point is more than 32 bandwidths
 * from the centre, a coordinate has two parts. `docs/numerics.md` bounds the error.
 *
 * Device bytes a point, up to 4 dimensions: 52; in wide boxes 84.
 *
 * @param gpu      borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range or unknown
 * @throws GpuLimitError          if the device does not allow such a tile
 * @complexity O(n · m · iterations · dim)
 * @source     Agnolucci 2020, Algorithms 5 to 8
 */
export async function createShiftGpu(gpu: Gpu, options: ShiftGpuOptions = {}): Promise<ShiftAlgorithm> {
  checkKnownOptions(options, ['method', 'tileWidth'], 'options', "an object such as {method: 'naive'}");
  return createShift(gpu, options);
}

export async function createShift(
  gpu: Gpu,
  {method = 'tiled', tileWidth = 256}: ShiftGpuOptions,
  tuning: Partial<ClimbTuning> = {},
): Promise<ShiftAlgorithm> {
  if (method !== 'tiled' && method !== 'naive') {
    throw new InvalidParameterError('method', method, "'tiled' or 'naive'");
  }
  if (![16, 32, 64, 128, 256, 512, 1024].includes(tileWidth)) {
    throw new InvalidParameterError('tileWidth', tileWidth, '16, 32, 64, 128, 256, 512 or 1024');
  }
  const allowed = gpu.device.limits.maxComputeInvocationsPerWorkgroup;
  if (method === 'tiled' && tileWidth > allowed) {
    throw new GpuLimitError('invocations a workgroup', tileWidth, allowed, 'a smaller tileWidth would fit');
  }
  const ofMethod = {tileWidth: method === 'tiled' ? tileWidth : 0, workgroupsBelow: 0};
  const climb = {...defaultTuning(gpu), ...ofMethod, ...tuning};
  return DeviceMeanShift.create(gpu, {lattice: 0, operations: 0, wideFrom: WIDE_FROM, climb});
}
