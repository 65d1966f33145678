import {InvalidParameterError} from '@epsball/clustering';
import {Kernel, Scratch, type Gpu} from '@epsball/gpu';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {BoundsReduction, GpuGridBuilder, neighborhoodParams, type DevicePoints} from '@epsball/spatial-grid/gpu';
import {identityWgsl} from './identity.wgsl.ts';
import type {PointBindings} from './rowKernels.ts';

/**
 * How neighbours are found: `grid`, in the cells around a point, up to 4 dimensions; `none`, among all pairs, as the paper
 * has it; `auto`, the grid where it takes the dimensions.
 */
export type GraphIndex = 'auto' | 'grid' | 'none';

export type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/** Points as the rows of a graph take them. */
export interface OrderedPoints {
  readonly points: PointBindings;
  /** Index of the point at each position, and position of each point. */
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
}

/** Brings points into the order of the rows: that of a grid's cells, or the caller's. */
export class GraphPoints implements Disposable {
  readonly #gpu: Gpu;
  readonly #identity: Kernel<typeof identityWgsl, 'fillIdentity'>;
  readonly #grid: GpuGridBuilder;
  readonly #bounds: BoundsReduction;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, grid: GpuGridBuilder, identity: Kernel<typeof identityWgsl, 'fillIdentity'>) {
    this.#gpu = gpu;
    this.#identity = identity;
    this.#grid = grid;
    this.#bounds = new BoundsReduction(gpu);
    this.#scratch = new Scratch(gpu, 'neighbor-graph/points');
  }

  static async create(gpu: Gpu): Promise<GraphPoints> {
    const identity = await Kernel.create(gpu, identityWgsl, 'fillIdentity');
    return new GraphPoints(gpu, await GpuGridBuilder.create(gpu), identity);
  }

  /** Submits; waits for the bounds of float32 points. */
  async order(points: DevicePoints, eps: number, isGrid: boolean, beginPass: BeginPass): Promise<OrderedPoints> {
    return isGrid ? this.#inCells(points, eps, beginPass) : this.#asGiven(points, eps, beginPass);
  }

  async #inCells(points: DevicePoints, eps: number, beginPass: BeginPass): Promise<OrderedPoints> {
    const {overrides, bindings, pointOrder, positions} = await this.#grid.build(points, eps, beginPass);
    const {DIM: dim, IS_SPARSE: isSparse, IS_WIDE: isWide} = overrides;
    return {points: {isGrid: true, dim, isSparse, isWide, bindings}, pointOrder, positions};
  }

  async #asGiven(points: DevicePoints, eps: number, beginPass: BeginPass): Promise<OrderedPoints> {
    const {n, dim, coords, wideCoords} = points;
    const bounds = points.bounds ?? (await this.#bounds.run(points, beginPass));
    const params = neighborhoodParams(points, bounds, eps);
    const neighborhood = this.#scratch.take('neighborhood', params.byteLength);
    this.#gpu.device.queue.writeBuffer(neighborhood, 0, params);
    const positions = this.#scratch.take('identity', 4 * n);
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = beginPass(encoder);
    this.#identity.dispatchOver(pass, this.#identity.bind({positions}), n);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    // Bound where kernels ask for arrays of a grid, and never touched.
    const none = this.#scratch.take('unused', 256);
    const cells = {grid: none, cellStart: none, cellIds: none, cellAxes: none};
    const bindings = {...cells, neighborhood, sortedCoords: coords, sortedWideCoords: wideCoords ?? coords};
    const isWide = wideCoords !== undefined;
    return {points: {isGrid: false, dim, isSparse: false, isWide, bindings}, pointOrder: positions, positions};
  }

  destroy(): void {
    for (const owned of [this.#grid, this.#bounds, this.#scratch]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** @throws InvalidParameterError  if a grid is asked for in too many dimensions */
export function usesGrid(index: GraphIndex, dim: number): boolean {
  if (index === 'auto') return dim <= MAX_GRID_DIM;
  if (index === 'grid' && dim > MAX_GRID_DIM) {
    throw new InvalidParameterError('index', index, `none or auto in ${dim} dimensions`);
  }
  return index === 'grid';
}
