import {GpuLimitError} from '@epsball/clustering';
import {foldDispatch, Kernel, type Gpu} from '@epsball/gpu';
import {advanceWgsl} from './advance.wgsl.ts';
import {naiveWgsl} from './naive.wgsl.ts';
import {tiledWgsl} from './tiled.wgsl.ts';

/** How the sums over all points are computed. */
export interface SumMethod {
  readonly method: 'naive' | 'tiled';
  readonly tileWidth: number;
  /** Undefined: what suits the device and the dimensions; likewise `unrolled`. */
  readonly pointsPerLane: 1 | 2 | 4 | undefined;
  readonly unrolled: 1 | 2 | 4 | undefined;
  /** Undefined: what the width of the box asks for. */
  readonly floatsPerCoordinate: 1 | 2 | undefined;
}

/** The kernels of one number of dimensions. */
export interface ShiftKernels {
  readonly sum: Kernel<typeof naiveWgsl, 'sumNaive'> | Kernel<typeof tiledWgsl, 'sumTiled'>;
  readonly advance: Kernel<typeof advanceWgsl, 'advance'>;
  /** Positions that a workgroup of `sum` shifts. */
  readonly span: number;
}

/** Beyond so many scaled units from the centre, about 32 bandwidths, a coordinate takes two floats. */
const ONE_FLOAT_UNITS = 27;

/** Invocations of a workgroup of the naive kernel. */
const NAIVE_WIDTH = 256;

/**
 * Compiles the kernels, or takes them from the device's cache.
 *
 * @param farthest  point from the centre, in scaled units
 * @throws GpuLimitError  if the device allows no such tile in these dimensions
 */
export async function shiftKernels(gpu: Gpu, dim: number, farthest: number, wanted: SumMethod): Promise<ShiftKernels> {
  const {floatsPerCoordinate: floats = farthest > ONE_FLOAT_UNITS ? 2 : 1} = wanted;
  const advance = Kernel.create(gpu, advanceWgsl, 'advance', {DIM: dim});
  const shape = {DIM: dim, BLOCKS: Math.ceil(dim / 4), FLOATS: floats};
  if (wanted.method === 'naive') {
    const sum = await Kernel.create(gpu, naiveWgsl, 'sumNaive', shape);
    return {sum, advance: await advance, span: NAIVE_WIDTH};
  }
  const defaults = defaultsFor(gpu, dim);
  const {tileWidth, pointsPerLane = defaults.pointsPerLane, unrolled = defaults.unrolled} = wanted;
  const bytes = 16 * tileWidth * shape.BLOCKS * floats;
  const allowed = gpu.device.limits.maxComputeWorkgroupStorageSize;
  if (bytes > allowed) {
    throw new GpuLimitError('bytes of a tile in workgroup memory', bytes, allowed, 'a smaller tileWidth would fit');
  }
  const overrides = {...shape, TILE_WIDTH: tileWidth, POINTS_PER_LANE: pointsPerLane, UNROLLED: unrolled};
  const sum = await Kernel.create(gpu, tiledWgsl, 'sumTiled', overrides);
  return {sum, advance: await advance, span: tileWidth * pointsPerLane};
}

/**
 * Each point of a lane takes 3 · dim + 2 registers: few are worth a second read of the tile, where spilling them is not. The compilers of
 * software adapters take seconds for a long loop body, and their memory is all the same.
 */
function defaultsFor({info}: Gpu, dim: number): {pointsPerLane: 1 | 2 | 4; unrolled: 1 | 2 | 4} {
  if (info.kind !== 'hardware' || dim > 8) return {pointsPerLane: 1, unrolled: 1};
  return dim <= 5 ? {pointsPerLane: 4, unrolled: 4} : {pointsPerLane: 2, unrolled: 1};
}

/** Workgroups of a sum, one a block of positions and part. */
export function sumGroups(places: number, span: number, parts: number): readonly [number, number, number] {
  return foldDispatch(Math.ceil(places / span) * parts);
}
