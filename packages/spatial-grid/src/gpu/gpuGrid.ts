import {
  float64Words,
  OnDemand,
  ParamRing,
  Scratch,
  type Bindable,
  type BufferSlice,
  Owner,
  type Gpu,
} from '@epsball/gpu';
import {gridGeometry, type GridGeometry} from '../geometry.ts';
import {BoundsReduction} from './boundsReduction.ts';
import {CellCounting, fitsOccupancy, occupancyAt, occupancyWords} from './cellCounting.ts';
import {
  CellSort,
  denseCellTotal,
  rangeBytes,
  rowsWord,
  type GatheredBuffers,
  type GridLayout,
  type GridOverrides,
  type KeyedBuffers,
} from './cellSort.ts';
import type {DevicePoints} from './devicePoints.ts';
import {gridStructs} from './grid.wgsl.ts';
import {writeNeighborhood} from './neighborhood.ts';
import {placesOf, type Places} from './places.ts';

/**
 * Bindings, by name, for a kernel that imports `spatial_grid::gpu::grid` and `…::neighborhood`.
 * Arrays are indexed by position (place in cell order); `positions` is indexed by point.
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
  readonly overrides: GridOverrides;
  /** Whether `rowAround` of ballRows.wgsl may cut rows of cells to the ball around a point. */
  readonly isNarrowed: boolean;
  readonly bindings: GridBindings;
  /** Point at each position, and position of each point; `n` words each. */
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
  /** Two buffers of `n` words, `keys` of eight more, that the build no longer uses. */
  readonly spare: KeyedBuffers;
}

export interface GpuGridOptions {
  /**
   * `dense`: arrays have a word per cell of the box. `sparse`: occupied cells only, sorted. `ranked`: occupied cells
   * only, found by one bit per cell of the box; the order of points within a cell varies from build to build. A box of
   * too many cells for that gets a sparse grid. `auto`, the default: dense or sparse, by the number of cells.
   */
  readonly layout?: 'auto' | GridLayout;
  /**
   * Whether the build stores the row ranges that `rowRange` otherwise searches for: 24 more bytes per point for a
   * sparse grid in 1 or 2 dimensions. Kernels must then access `cellStart` and `cellAxes` through `rowRange` only.
   * Default: false.
   */
  readonly rangesAhead?: boolean;
  /**
   * Whether the order of points within a cell may vary from build to build. Then a dense grid is built by counting,
   * which takes five dispatches instead of fourteen. `auto` then chooses dense up to six cells per point, which in 2-D
   * take no more memory than the ranges of a sparse grid; on a GPU always up to 2^20 cells. Otherwise points of a cell
   * are in order of their indices. Default: false.
   */
  readonly anyOrder?: boolean;
  /**
   * The layout of the cells for a bounding box; by default `gridGeometry`, with a side slightly larger than eps.
   * Kernels that read the grid bind its `reach` as `REACH`.
   */
  readonly geometry?: (min: ArrayLike<number>, max: ArrayLike<number>, eps: number) => GridGeometry;
  /** The bound of squared distances; as in `DbscanParams`. Default: eps · eps. */
  readonly eps2?: number | undefined;
  /** Receives the commands of the build for the caller to submit. Default: the builder submits. */
  readonly encoder?: GPUCommandEncoder;
  /**
   * Awaited on a software adapter, where a build may take seconds, behind each part of it, from 0 to 1. Then the
   * builder submits, part by part.
   */
  readonly onPart?: ((part: number) => Promise<void>) | undefined;
}

/** Builds of fewer points are not divided. */
const PART_POINTS = 2 ** 16;

/** Most cells of dense grids with sorted cells: in total or per point. Two arrays take 8 bytes per cell. */
const SORTED = {free: 4096, perPoint: 2};
/** The same for counted cells. On a GPU a scan of that many empty cells takes about 10 µs. */
const COUNTED = {free: {hardware: 2 ** 20, software: 4096}, perPoint: 6};

/** Maximum dimension for ranges: 3 dimensions would take 72 bytes per point. */
const MAX_RANGES_DIM = 2;

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/**
 * Builds uniform grids on the device: bounds, binning, sort by cell or count of cells, cell extents, coordinates in
 * cell order (Milanesi, §3.1 to 3.4). Float32 or float64 points in 1 to 4 dimensions.
 *
 * Device memory in bytes per point, 2-D float32, beyond the 8 of the points: at most 52 (16 of them for the cells of a
 * dense grid, 24 for those of a sparse one). Options may increase it.
 */
export class GpuGridBuilder extends Owner {
  readonly #gpu: Gpu;
  readonly #bounds: BoundsReduction;
  /** Counted cells need no sort. */
  readonly #cellSort: OnDemand<CellSort>;
  readonly #cellCounting: CellCounting;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, cellCounting: CellCounting) {
    super();
    this.#gpu = gpu;
    this.#bounds = this.own(new BoundsReduction(gpu));
    this.#cellSort = this.own(new OnDemand(() => CellSort.create(gpu)));
    this.#cellCounting = this.own(cellCounting);
    this.#scratch = this.own(new Scratch(gpu, 'spatial-grid'));
    this.#params = this.own(new ParamRing(gpu, 'spatial-grid/params', 8));
  }

  static async create(gpu: Gpu): Promise<GpuGridBuilder> {
    return new GpuGridBuilder(gpu, await CellCounting.create(gpu));
  }

  /**
   * Builds the grid. Submits the commands unless `encoder` receives them. Waits once, for the bounds of float32 points.
   *
   * @throws InvalidPointsError  if the box is not known yet, and a coordinate is NaN or infinite
   */
  async build(points: DevicePoints, eps: number, beginPass: BeginPass, options: GpuGridOptions = {}): Promise<GpuGrid> {
    const bounds = await this.#bounds.of(points, beginPass);
    const geometry = (options.geometry ?? gridGeometry)(bounds.min, bounds.max, eps);
    const {reach} = geometry;
    const {dim, n} = points;
    // A caller's buffer of one float32 is too small to stand in for wide coordinates.
    const {wideCoords = this.#scratch.take('noWideCoords', 16)} = points;
    const {anyOrder = false, rangesAhead = false} = options;
    const layout = this.#layoutFor(geometry, n, options);
    const isSparse = layout === 'sparse';
    const overrides = {
      DIM: dim,
      IS_SPARSE: isSparse,
      IS_WIDE: points.wideCoords !== undefined,
      ...(layout === 'ranked' ? {IS_RANKED: true} : {}),
      ...(reach === 1 ? {} : {REACH: reach}),
    };
    const hasRanges =
      isSparse && rangesAhead && dim <= MAX_RANGES_DIM && rangeBytes(n, dim, reach) <= this.#mostBytes();
    const places = placesOf(geometry, points);
    const grid = this.#writeGridParams(geometry, n, {layout, hasRanges, places});

    const gathered = this.#gatheredBuffers(points);
    const {device} = this.#gpu;
    const onPart = this.#gpu.speed === 'software' && n >= PART_POINTS ? options.onPart : undefined;
    let encoder = (onPart ? undefined : options.encoder) ?? device.createCommandEncoder();
    const endPart = async (pass: GPUComputePassEncoder, part: number): Promise<GPUComputePassEncoder> => {
      if (!onPart) return pass;
      pass.end();
      device.queue.submit([encoder.finish()]);
      await onPart(part);
      encoder = device.createCommandEncoder();
      return beginPass(encoder);
    };
    const isCounted = layout === 'ranked' || (anyOrder && !isSparse);
    const input = {points: {...points, wideCoords}, geometry, grid, overrides, hasRanges, encoder, gathered};
    // Each way keeps its buffers for the next build; together they would take twice the memory.
    if (isCounted) this.#cellSort.created?.release();
    else this.#cellCounting.release();
    const way = isCounted ? this.#cellCounting : await this.#cellSort.get();
    const ordered = await way.run({...input, beginPass, endPart});
    if (encoder !== options.encoder) device.queue.submit([encoder.finish()]);
    const {pointOrder, spare, ...cells} = ordered;
    const {positions, ...sorted} = gathered;
    const neighborhood = writeNeighborhood(this.#params, points, bounds, {eps, eps2: options.eps2});
    const bindings = {grid, ...cells, neighborhood, ...sorted};
    const isNarrowed = layout === 'ranked' && places.placeMargin < 1;
    return {n, geometry, overrides, isNarrowed, bindings, pointOrder, positions, spare};
  }

  #layoutFor(geometry: GridGeometry, n: number, {layout = 'auto', anyOrder = false}: GpuGridOptions): GridLayout {
    if (layout === 'ranked') return fitsOccupancy(geometry, n, this.#mostBytes()) ? 'ranked' : 'sparse';
    if (layout !== 'auto') return layout;
    return denseCellTotal(geometry) > this.#mostCells(n, anyOrder) ? 'sparse' : 'dense';
  }

  /** Cost and memory follow n, not the box, beyond a fixed number of cells on a GPU. */
  #mostCells(n: number, isCounted: boolean): number {
    const most = isCounted
      ? Math.max(this.#gpu.pick(COUNTED.free), COUNTED.perPoint * n)
      : Math.max(SORTED.free, SORTED.perPoint * n);
    return Math.min(most, this.#mostBytes() / 4 - 1);
  }

  #gatheredBuffers({n, dim, wideCoords}: DevicePoints): GatheredBuffers {
    return {
      positions: this.#scratch.take('positions', 4 * n),
      sortedCoords: this.#scratch.take('sortedCoords', 4 * dim * n),
      // Without wide coordinates kernels bind a small buffer and do not read it.
      sortedWideCoords: this.#scratch.take('sortedWideCoords', wideCoords ? 8 * dim * n : 16),
    };
  }

  #mostBytes(): number {
    const {maxStorageBufferBindingSize, maxBufferSize} = this.#gpu.limits;
    return Math.min(maxStorageBufferBindingSize, maxBufferSize);
  }

  #writeGridParams(
    geometry: GridGeometry,
    n: number,
    {layout, hasRanges, places}: {readonly layout: GridLayout; readonly hasRanges: boolean; readonly places: Places},
  ): BufferSlice {
    const {dim, origin, invSide, cellCounts, reach} = geometry;
    const axes = Array.from({length: dim}, (_, d) => [...float64Words(origin[d]), ...float64Words(invSide[d])]).flat();
    const isSparse = layout === 'sparse';
    const rowsAt = isSparse ? rowsWord(n, geometry) : layout === 'ranked' ? occupancyAt(n) : 0;
    const words = layout === 'ranked' ? occupancyWords(geometry) : 0;
    const strides: number[] = [];
    // A sparse grid numbers its rows, if they are few; the linear ids of its cells would overflow.
    for (let d = 0, stride = 1; d < dim; d++) {
      strides.push(isSparse && (d === 0 || rowsAt === 0) ? 0 : stride);
      if (!isSparse || d > 0) stride *= cellCounts[d] + 2 * reach;
    }
    const layoutWords = {strides, n, hasRanges: hasRanges ? 1 : 0, rowsAt, words};
    return this.#params.write(gridStructs.GridParams, {axes, ...layoutWords, ...places});
  }
}
