import {GpuLimitError} from '@epsball/clustering';
import {foldDispatch, Kernel, type Gpu} from '@epsball/gpu';
import {advanceWgsl} from './advance.wgsl.ts';
import {naiveWgsl} from './naive.wgsl.ts';
import {shiftFloatsWgsl} from './shiftFloats.wgsl.ts';
import {tiledWgsl} from './tiled.wgsl.ts';

/** How the sums over all points are computed. */
export interface SumMethod {
  readonly method: 'naive' | 'tiled';
  readonly tileWidth: number;
  /** Undefined: chosen for the device and the dimensions; likewise `unrolled`. */
  readonly pointsPerLane: 1 | 2 | 4 | undefined;
  readonly unrolled: 1 | 2 | 4 | undefined;
  /** Undefined: chosen for the width of the box; likewise `exponent`. */
  readonly floatsPerCoordinate: 1 | 2 | undefined;
  readonly exponent: 'differences' | 'products' | undefined;
}

/** The kernels for one number of dimensions. */
export interface ShiftKernels {
  readonly sum: Kernel<typeof naiveWgsl, 'sumNaive'> | Kernel<typeof tiledWgsl, 'sumTiled'>;
  readonly advance: Kernel<typeof advanceWgsl, 'advance'>;
  /** Runs once over the points. Undefined if coordinates take two floats. */
  readonly toFloats: Kernel<typeof shiftFloatsWgsl, 'toFloats'> | undefined;
  /** Positions of a workgroup of `sum`. */
  readonly span: number;
}

/** Beyond so many device units from the centre, about 32 bandwidths, a coordinate takes two floats. */
const ONE_FLOAT_UNITS = 27;

/**
 * With products a weight is larger by the factor 2^(|y|²), where y is the position in device units. Up to 2^100 a sum
 * of up to 2^22 weights, times a coordinate of at most 10, is finite in float32. A product is then at most 200, and all
 * roundings of an exponent together are below 10⁻⁴ · ln 2.
 */
const PRODUCTS_SQUARE = 100;
const PRODUCTS_POINTS = 2 ** 22;

/** Invocations of a workgroup of the naive kernel. */
const NAIVE_WIDTH = 256;

/** What the choice of kernels depends on. */
export interface ShiftExtent {
  readonly n: number;
  readonly dim: number;
  /** From the centre, in device units: the largest coordinate, and half the diagonal of the box, squared. */
  readonly farthest: number;
  readonly halfDiagonal2: number;
  /** See `FixedScale`. */
  readonly hasRemainder: boolean;
}

/**
 * Compiles the kernels, or takes them from the device's cache.
 *
 * @throws GpuLimitError  if the device does not allow such a tile in these dimensions
 */
export async function shiftKernels(gpu: Gpu, extent: ShiftExtent, wanted: SumMethod): Promise<ShiftKernels> {
  const {dim, farthest, hasRemainder: HAS_REMAINDER} = extent;
  const {floatsPerCoordinate: floats = farthest > ONE_FLOAT_UNITS ? 2 : 1} = wanted;
  const isByProducts = takesProducts(extent, wanted, floats);
  const [advance, toFloats] = await Promise.all([
    Kernel.create(gpu, advanceWgsl, 'advance', {DIM: dim, PRODUCTS: isByProducts, HAS_REMAINDER}),
    floats === 1 ? Kernel.create(gpu, shiftFloatsWgsl, 'toFloats') : undefined,
  ]);
  // The square of a point's length follows its coordinates.
  const components = isByProducts ? dim + 1 : dim;
  const shape = {DIM: dim, BLOCKS: Math.ceil(components / 4), FLOATS: floats, PRODUCTS: isByProducts, HAS_REMAINDER};
  if (wanted.method === 'naive') {
    const sum = await Kernel.create(gpu, naiveWgsl, 'sumNaive', shape);
    return {sum, advance, toFloats, span: NAIVE_WIDTH};
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
  return {sum, advance, toFloats, span: tileWidth * pointsPerLane};
}

function takesProducts({n, dim, halfDiagonal2}: ShiftExtent, wanted: SumMethod, floats: number): boolean {
  if (wanted.exponent === 'differences' || wanted.method === 'naive' || floats !== 1 || dim > 15) return false;
  return halfDiagonal2 <= PRODUCTS_SQUARE && n <= PRODUCTS_POINTS;
}

/**
 * Each position of an invocation takes 3 · dim + 2 registers: a few save reads of the tile, too many spill. The
 * compilers of software adapters take seconds for a long loop body, and all memory has the same speed there.
 */
function defaultsFor({speed}: Gpu, dim: number): {pointsPerLane: 1 | 2 | 4; unrolled: 1 | 2 | 4} {
  if (speed === 'software' || dim > 8) return {pointsPerLane: 1, unrolled: 1};
  return dim <= 5 ? {pointsPerLane: 4, unrolled: 4} : {pointsPerLane: 2, unrolled: 1};
}

/** Workgroups of a sum: one for each block of positions and part. */
export function sumGroups(slots: number, span: number, parts: number): readonly [number, number, number] {
  return foldDispatch(Math.ceil(slots / span) * parts);
}
