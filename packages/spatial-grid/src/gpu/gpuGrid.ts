import {float64Words, Kernel, packStruct, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {gridGeometry, type GridGeometry} from '../geometry.ts';
import {BoundsReduction} from './boundsReduction.ts';
import {CellSort, layoutOf, rangeBytes, type GridLayout, type KeyedBuffers} from './cellSort.ts';
import type {DevicePoints} from './devicePoints.ts';
import {gatherWgsl} from './gather.wgsl.ts';
import {gridStructs} from './grid.wgsl.ts';
import {neighborhoodParams} from './neighborhoodParams.ts';

/**
 * Everything that a kernel which imports `spatial_grid::gpu::grid` and `…::neighborhood` binds, by name.
 * Arrays are by position (place in cell order); `positions` is by point.
 */
export interface GridBindings {
  readonly grid: Bindable;
  readonly cellStart: GPUBuffer;
  readonly cellIds: GPUBuffer;
  readonly cellAxes: GPUBuffer;
  readonly neighborhood: Bindable;
  readonly sortedCoords: GPUBuffer;
  readonly sortedWideCoords: GPUBuffer;
}

/** A uniform grid in device memory. Owned by its builder; valid until the next build. */
export interface GpuGrid {
  readonly n: number;
  readonly geometry: GridGeometry;
  /** Pipeline constants of kernels that read this grid. */
  readonly overrides: {readonly DIM: number; readonly IS_SPARSE: boolean; readonly IS_WIDE: boolean};
  readonly bindings: GridBindings;
  /** Point at each position, and position of each point; `n` words each. */
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
  /** Two buffers of `n` words that the build no longer needs. */
  readonly spare: KeyedBuffers;
}

export interface GpuGridOptions {
  readonly layout?: 'auto' | GridLayout;
  /**
   * Whether `rowRange` may read what it would have to search for: 24 bytes a point more where the grid is sparse, in 1 or 2 dimensions.
   * Then kernels must leave `cellStart` and `cellAxes` to it.
   */
  readonly rangesAhead?: boolean;
}

/** More take too much memory: 72 bytes a point in 3 dimensions. */
const MAX_RANGES_DIM = 2;

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/**
 * Builds uniform grids on the device: bounds, binning, sort by cell, cell extents, coordinates in cell order
 * (Milanesi, §3.1 to 3.4). Float32 or float64 points in 1 to 4 dimensions.
 *
 * Device bytes a point, 2-D float32, beyond the points' own 8: at most 52 (dense: 16 of them for cells; sparse: 24).
 */
export class GpuGridBuilder implements Disposable {
  readonly #gpu: Gpu;
  readonly #bounds: BoundsReduction;
  readonly #cellSort: CellSort;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, cellSort: CellSort) {
    this.#gpu = gpu;
    this.#bounds = new BoundsReduction(gpu);
    this.#cellSort = cellSort;
    this.#scratch = new Scratch(gpu, 'spatial-grid');
  }

  static async create(gpu: Gpu): Promise<GpuGridBuilder> {
    return new GpuGridBuilder(gpu, await CellSort.create(gpu));
  }

  /**
   * Submits the build; waits once, for the bounds of float32 points.
   *
   * @param points     at least one
   * @param beginPass  makes the passes, so that the caller can time them
   * @throws InvalidPointsError  if the box is not known yet, and a coordinate is NaN or infinite
   */
  async build(points: DevicePoints, eps: number, beginPass: BeginPass, options: GpuGridOptions = {}): Promise<GpuGrid> {
    const bounds = await this.#bounds.of(points, beginPass);
    const geometry = gridGeometry(bounds.min, bounds.max, eps);
    const layout = options.layout ?? 'auto';
    const isSparse = (layout === 'auto' ? layoutOf(geometry, points.n) : layout) === 'sparse';
    const overrides = {DIM: points.dim, IS_SPARSE: isSparse, IS_WIDE: points.wideCoords !== undefined};
    const hasRanges = isSparse && (options.rangesAhead ?? false) && this.#bindsRanges(points);
    const grid = this.#writeGridParams(geometry, points.n, {isSparse, hasRanges});

    const {encode: behind, gathered} = await this.#gathering(points, grid, overrides);
    const sorted = await this.#cellSort.run({points, geometry, grid, overrides, beginPass, hasRanges, behind});
    const {cellStart, cellIds, cellAxes, pointOrder, spare} = sorted;
    const {sortedCoords, sortedWideCoords, positions} = gathered;
    const neighborhood = this.#writeUniform('neighborhoodParams', neighborhoodParams(points, bounds, eps));
    const bindings = {grid, cellStart, cellIds, cellAxes, neighborhood, sortedCoords, sortedWideCoords};
    return {n: points.n, geometry, overrides, bindings, pointOrder, positions, spare};
  }

  /** Readies what brings coordinates into cell order, and returns what records it. */
  async #gathering(points: DevicePoints, grid: Bindable, {DIM, IS_WIDE}: GpuGrid['overrides']): Promise<Gathering> {
    const {n, dim, coords, wideCoords} = points;
    const positions = this.#scratch.take('positions', 4 * n);
    const coordsOut = this.#scratch.take('sortedCoords', 4 * dim * n);
    // Without wide coordinates the kernel binds, and never touches, a small buffer.
    const wideCoordsOut = this.#scratch.take('sortedWideCoords', wideCoords ? 8 * dim * n : 16);
    const kernel = await Kernel.create(this.#gpu, gatherWgsl, 'gatherPoints', {DIM, IS_WIDE});
    const out = {coordsOut, wideCoordsOut, positions};
    return {
      encode: (pass, pointOrder) =>
        kernel.dispatchOver(pass, kernel.bind({coords, wideCoords: wideCoords ?? coords, pointOrder, ...out, grid}), n),
      gathered: {sortedCoords: coordsOut, sortedWideCoords: wideCoordsOut, positions},
    };
  }

  #bindsRanges({n, dim}: DevicePoints): boolean {
    const {maxStorageBufferBindingSize, maxBufferSize} = this.#gpu.device.limits;
    return dim <= MAX_RANGES_DIM && rangeBytes(n, dim) <= Math.min(maxStorageBufferBindingSize, maxBufferSize);
  }

  #writeGridParams(
    geometry: GridGeometry,
    n: number,
    {isSparse, hasRanges}: {readonly isSparse: boolean; readonly hasRanges: boolean},
  ): GPUBuffer {
    const axes: number[] = [];
    const strides: number[] = [];
    let stride = 1;
    for (let d = 0; d < geometry.dim; d++) {
      axes.push(...float64Words(geometry.origin[d]), ...float64Words(geometry.invSide[d]));
      // A sparse grid has no linear ids; its strides would not fit.
      strides.push(isSparse ? 0 : stride);
      stride *= geometry.cellCounts[d] + 2;
    }
    return this.#writeUniform(
      'gridParams',
      packStruct(gridStructs.GridParams, {axes, strides, n, hasRanges: hasRanges ? 1 : 0}),
    );
  }

  #writeUniform(what: string, bytes: ArrayBuffer): GPUBuffer {
    const buffer = this.#scratch.take(what, bytes.byteLength);
    this.#gpu.device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
  }

  destroy(): void {
    this.#bounds.destroy();
    this.#cellSort.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface Gathering {
  readonly encode: (pass: GPUComputePassEncoder, pointOrder: GPUBuffer) => void;
  readonly gathered: Gathered;
}

interface Gathered {
  readonly sortedCoords: GPUBuffer;
  readonly sortedWideCoords: GPUBuffer;
  readonly positions: GPUBuffer;
}
