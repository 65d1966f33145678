import {InvalidParameterError} from '@epsball/clustering';
import {Kernel, Owner, ParamRing, ReadBack, Scratch, type Gpu} from '@epsball/gpu';
import {MAX_GRID_DIM, type PointBounds} from '@epsball/spatial-grid';
import {
  BoundsReduction,
  distanceBounds,
  GpuGridBuilder,
  writeNeighborhood,
  type DevicePoints,
  type GpuGrid,
} from '@epsball/spatial-grid/gpu';
import {identityWgsl} from './identity.wgsl.ts';
import {mostColumnsWgsl} from './mostColumns.wgsl.ts';
import type {BeginPass, GraphIndex} from './neighborGraph.ts';
import type {PointBindings} from './rowSteps.ts';
import {certainPairs} from './steps.ts';

export interface Ordering {
  readonly eps: number;
  readonly eps2?: number | undefined;
  readonly isGrid: boolean;
  /** Receives the commands, if no wait is necessary; the caller submits. */
  readonly encoder: GPUCommandEncoder;
  readonly beginPass: BeginPass;
  readonly pairsPerStep?: number | undefined;
  readonly onIndexPart?: ((part: number) => Promise<void>) | undefined;
}

export interface OrderedPoints {
  readonly points: PointBindings;
  readonly pointOrder: GPUBuffer;
  readonly positions: GPUBuffer;
  /** The encoder of `Ordering`, or a new one if that one was submitted. */
  readonly encoder: GPUCommandEncoder;
}

/** Puts points into the order of the rows: the order of a grid's cells, or the caller's order. */
export class GraphPoints extends Owner {
  readonly #gpu: Gpu;
  readonly #grid: GpuGridBuilder;
  readonly #bounds: BoundsReduction;
  readonly #scratch: Scratch;
  readonly #reader: ReadBack;
  readonly #params: ParamRing;

  private constructor(gpu: Gpu, grid: GpuGridBuilder) {
    super();
    this.#gpu = gpu;
    this.#grid = this.own(grid);
    this.#bounds = this.own(new BoundsReduction(gpu));
    this.#scratch = this.own(new Scratch(gpu, 'neighbor-graph/points'));
    this.#reader = this.own(new ReadBack(gpu, 'neighbor-graph/points'));
    this.#params = this.own(new ParamRing(gpu, 'neighbor-graph/points.params', 4));
  }

  static async create(gpu: Gpu): Promise<GraphPoints> {
    return new GraphPoints(gpu, await GpuGridBuilder.create(gpu));
  }

  /** Waits for the bounds of float32 points, and records; near a grid's worst case also submits and waits. */
  async order(points: DevicePoints, ordering: Ordering): Promise<OrderedPoints> {
    return ordering.isGrid ? this.#inCells(points, ordering) : this.#asGiven(points, ordering);
  }

  async #inCells(
    points: DevicePoints,
    {eps, eps2, encoder, beginPass, pairsPerStep, onIndexPart: onPart}: Ordering,
  ): Promise<OrderedPoints> {
    const options = {eps2, rangesAhead: true, anyOrder: true, encoder, onPart};
    const grid = await this.#grid.build(points, eps, beginPass, options);
    const {bindings, pointOrder, positions} = grid;
    const {DIM: dim, IS_SPARSE: isSparse, IS_WIDE: isWide} = grid.overrides;
    const isExactOnly = isExactOnlyIn(points, boxOf(grid), eps);
    const shape = {isGrid: true, dim, isSparse, isWide, isExactOnly};
    const isFew = grid.n ** 2 <= (pairsPerStep ?? certainPairs({...shape, speed: this.#gpu.speed}));
    const ordered = {pointOrder, positions};
    if (isFew) return {points: {...shape, maxColumns: Infinity, bindings}, ...ordered, encoder};
    const maxColumns = await this.#mostColumns(grid, encoder, beginPass);
    await onPart?.(1);
    return {points: {...shape, maxColumns, bindings}, ...ordered, encoder: this.#gpu.device.createCommandEncoder()};
  }

  /** Maximum number of points in the cells around a point; submits and waits. */
  async #mostColumns(
    {n, overrides: {DIM, IS_SPARSE}, bindings}: GpuGrid,
    encoder: GPUCommandEncoder,
    beginPass: BeginPass,
  ): Promise<number> {
    const kernel = await Kernel.create(this.#gpu, mostColumnsWgsl, 'findMostColumns', {DIM, IS_SPARSE});
    const mostColumns = this.#scratch.take('mostColumns', 4);
    encoder.clearBuffer(mostColumns, 0, 4);
    const pass = beginPass(encoder);
    kernel.dispatchOver(pass, kernel.bind({...bindings, mostColumns}), n);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    return (await this.#reader.read(mostColumns, new Uint32Array(1)))[0];
  }

  async #asGiven(points: DevicePoints, {eps, eps2, encoder, beginPass}: Ordering): Promise<OrderedPoints> {
    const {n, dim, coords, wideCoords} = points;
    const identity = await Kernel.create(this.#gpu, identityWgsl, 'fillIdentity');
    const bounds = await this.#bounds.of(points, beginPass);
    const neighborhood = writeNeighborhood(this.#params, points, bounds, {eps, eps2});
    const positions = this.#scratch.take('identity', 4 * n);
    const pass = beginPass(encoder);
    identity.dispatchOver(pass, identity.bind({positions}), n);
    pass.end();
    // A placeholder for the grid's bindings, which are not used.
    const none = this.#scratch.take('unused', 256);
    const cells = {grid: none, cellStart: none, cellIds: none, cellAxes: none};
    const bindings = {...cells, neighborhood, sortedCoords: coords, sortedWideCoords: wideCoords ?? coords};
    const isWide = wideCoords !== undefined;
    const isExactOnly = isExactOnlyIn(points, bounds, eps);
    const shape = {isGrid: false, dim, isSparse: false, isWide, isExactOnly, maxColumns: Infinity};
    return {points: {...shape, bindings}, pointOrder: positions, positions, encoder};
  }
}

/** Whether float32 cannot hold the squares of points in a box. */
function isExactOnlyIn({dim, displacement, wideCoords}: DevicePoints, {min, max}: PointBounds, eps: number): boolean {
  const reaches = Array.from(min, (low, d) => (wideCoords ? max[d] - low : Math.max(Math.abs(low), Math.abs(max[d]))));
  return distanceBounds(dim, eps, displacement, Math.max(...reaches)).isExactOnly === 1;
}

/** A box around all cells of a grid. */
function boxOf({geometry: {origin, cellCounts, invSide, eps}}: GpuGrid): PointBounds {
  // An axis with one cell is at most one cell side long.
  const side = (d: number): number => (invSide[d] > 0 ? 1 / invSide[d] : 2 * eps);
  return {min: origin, max: origin.map((low, d) => low + cellCounts[d] * side(d))};
}

/** Whether a graph has an index. */
export function usesGrid(index: GraphIndex, dim: number): boolean {
  if (index === 'auto') return dim <= MAX_GRID_DIM;
  if (index === 'grid' && dim > MAX_GRID_DIM) {
    throw new InvalidParameterError('index', index, `none or auto in ${dim} dimensions`);
  }
  return index === 'grid';
}
