import {
  createAll,
  float64Words,
  Kernels,
  ParamRing,
  Scratch,
  type Bindable,
  type BufferSlice,
  type Gpu,
} from '@epsball/gpu';
import {gridGeometry, type GridGeometry} from '../geometry.ts';
import {BoundsReduction} from './boundsReduction.ts';
import {CellCounting, type GatheredBuffers} from './cellCounting.ts';
import {
  CellSort,
  denseCellTotal,
  rangeBytes,
  type CellsInput,
  type GridLayout,
  type KeyedBuffers,
  type OrderedCells,
} from './cellSort.ts';
import type {DevicePoints} from './devicePoints.ts';
import {gatherWgsl} from './gather.wgsl.ts';
import {gridStructs} from './grid.wgsl.ts';
import {writeNeighborhood} from './neighborhood.ts';

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
  /**
   * Whether the points of a cell may come in any order, another one in each build. Then points are brought into a dense grid by counting, which takes four
   * dispatches instead of fourteen and binds 10 storage buffers, and `auto` takes dense up to six cells a point, which in 2-D take no more memory than ranges of a
   * sparse one would; on a GPU up to 2^20 cells in any case. Otherwise they come in the order of their indices.
   */
  readonly anyOrder?: boolean;
  /** Receives the build, which the caller submits; it submits itself unless given. */
  readonly encoder?: GPUCommandEncoder;
}

/** Cells of a dense grid, its margin included: so many for any number of points, or so many a point. Two arrays of cells take 8 bytes each. A sort of few bits is quick. */
const SORTED = {free: 4096, perPoint: 2};
/** The same where they are counted. On a GPU a scan of so many empty cells takes some 10 µs. */
const COUNTED = {free: {hardware: 2 ** 20, software: 4096}, perPoint: 6};

/** Storage buffers that `placePoints` binds. */
const COUNTING_BUFFERS = 10;

/** More take too much memory: 72 bytes a point in 3 dimensions. */
const MAX_RANGES_DIM = 2;

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/**
 * Builds uniform grids on the device: bounds, binning, sort by cell or counts of cells, cell extents, coordinates in cell order
 * (Milanesi, §3.1 to 3.4). Float32 or float64 points in 1 to 4 dimensions.
 *
 * Device bytes a point, 2-D float32, beyond the points' own 8: at most 52 (dense: 16 of them for cells; sparse: 24). Options may ask for more.
 */
export class GpuGridBuilder implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernels: Kernels;
  readonly #bounds: BoundsReduction;
  readonly #cellSort: CellSort;
  readonly #cellCounting: CellCounting;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, cellSort: CellSort, cellCounting: CellCounting) {
    this.#gpu = gpu;
    this.#kernels = new Kernels(gpu);
    this.#bounds = new BoundsReduction(gpu);
    this.#cellSort = cellSort;
    this.#cellCounting = cellCounting;
    this.#scratch = new Scratch(gpu, 'spatial-grid');
    this.#params = new ParamRing(gpu, 'spatial-grid/params', 8);
  }

  static async create(gpu: Gpu): Promise<GpuGridBuilder> {
    return new GpuGridBuilder(gpu, ...(await createAll([CellSort.create(gpu), CellCounting.create(gpu)])));
  }

  /**
   * Submits the build, unless `encoder` receives it; waits once, for the bounds of float32 points.
   *
   * @param points     at least one
   * @param beginPass  makes the passes, so that the caller can time them
   * @throws InvalidPointsError  if the box is not known yet, and a coordinate is NaN or infinite
   * @throws GpuLimitError  if cells are to be counted, and the device binds fewer than 10 storage buffers a kernel
   */
  async build(points: DevicePoints, eps: number, beginPass: BeginPass, options: GpuGridOptions = {}): Promise<GpuGrid> {
    const bounds = await this.#bounds.of(points, beginPass);
    const geometry = gridGeometry(bounds.min, bounds.max, eps);
    const {dim, n, wideCoords} = points;
    const {layout = 'auto', anyOrder = false, rangesAhead = false} = options;
    const isSparse =
      layout === 'sparse' || (layout === 'auto' && denseCellTotal(geometry) > this.#mostCells(n, anyOrder));
    const overrides = {DIM: dim, IS_SPARSE: isSparse, IS_WIDE: wideCoords !== undefined};
    const hasRanges = isSparse && rangesAhead && dim <= MAX_RANGES_DIM && rangeBytes(n, dim) <= this.#mostBytes();
    const grid = this.#writeGridParams(geometry, n, {isSparse, hasRanges});

    const gathered = this.#gatheredBuffers(points);
    const encoder = options.encoder ?? this.#gpu.device.createCommandEncoder();
    const input = {points, geometry, grid, overrides, encoder, beginPass};
    const ordered =
      anyOrder && !isSparse ? await this.#count(input, gathered) : await this.#sort({...input, hasRanges}, gathered);
    if (!options.encoder) this.#gpu.device.queue.submit([encoder.finish()]);
    const {pointOrder, spare, ...cells} = ordered;
    const {positions, ...sorted} = gathered;
    const neighborhood = writeNeighborhood(this.#params, points, bounds, eps);
    const bindings = {grid, ...cells, neighborhood, ...sorted};
    return {n, geometry, overrides, bindings, pointOrder, positions, spare};
  }

  /** Most cells of a dense grid that `auto` takes, so that cost and memory follow n and never the box: on a GPU beyond the cells that are free. */
  #mostCells(n: number, isCounted: boolean): number {
    const speed = this.#gpu.info.kind === 'hardware' ? 'hardware' : 'software';
    const most = isCounted
      ? Math.max(COUNTED.free[speed], COUNTED.perPoint * n)
      : Math.max(SORTED.free, SORTED.perPoint * n);
    return Math.min(most, this.#mostBytes() / 4 - 1);
  }

  async #count(input: CellsInput, gathered: GatheredBuffers): Promise<OrderedCells> {
    // Either way of ordering keeps its buffers for the next build; both would hold twice what is needed.
    this.#cellSort.release();
    this.#gpu.requireStorageBuffers(COUNTING_BUFFERS);
    return this.#cellCounting.run(input, gathered);
  }

  async #sort(input: CellsInput & {readonly hasRanges: boolean}, gathered: GatheredBuffers): Promise<OrderedCells> {
    this.#cellCounting.release();
    const {points, grid, overrides} = input;
    const {coords, wideCoords = coords, n} = points;
    const {DIM, IS_WIDE} = overrides;
    const kernel = await this.#kernels.get(gatherWgsl, 'gatherPoints', {DIM, IS_WIDE});
    const behind = (pass: GPUComputePassEncoder, pointOrder: GPUBuffer): void =>
      kernel.dispatchOver(pass, kernel.bind({coords, wideCoords, pointOrder, ...gathered, grid}), n);
    return this.#cellSort.run({...input, behind});
  }

  #gatheredBuffers({n, dim, wideCoords}: DevicePoints): GatheredBuffers {
    return {
      positions: this.#scratch.take('positions', 4 * n),
      sortedCoords: this.#scratch.take('sortedCoords', 4 * dim * n),
      // Without wide coordinates kernels bind, and never touch, a small buffer.
      sortedWideCoords: this.#scratch.take('sortedWideCoords', wideCoords ? 8 * dim * n : 16),
    };
  }

  /** That a kernel binds at once. */
  #mostBytes(): number {
    const {maxStorageBufferBindingSize, maxBufferSize} = this.#gpu.limits;
    return Math.min(maxStorageBufferBindingSize, maxBufferSize);
  }

  #writeGridParams(
    geometry: GridGeometry,
    n: number,
    {isSparse, hasRanges}: {readonly isSparse: boolean; readonly hasRanges: boolean},
  ): BufferSlice {
    const axes: number[] = [];
    const strides: number[] = [];
    let stride = 1;
    for (let d = 0; d < geometry.dim; d++) {
      axes.push(...float64Words(geometry.origin[d]), ...float64Words(geometry.invSide[d]));
      // A sparse grid has no linear ids; its strides would not fit.
      strides.push(isSparse ? 0 : stride);
      stride *= geometry.cellCounts[d] + 2;
    }
    return this.#params.write(gridStructs.GridParams, {axes, strides, n, hasRanges: hasRanges ? 1 : 0});
  }

  destroy(): void {
    this.#bounds.destroy();
    this.#cellSort.destroy();
    this.#cellCounting.destroy();
    this.#scratch.destroy();
    this.#params.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
