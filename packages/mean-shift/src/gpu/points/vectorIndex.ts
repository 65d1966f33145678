import {Kernel, Owner, Scratch, type GpuRun} from '@epsball/gpu';
import {GpuGridBuilder, type GpuGrid} from '@epsball/spatial-grid/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {gridAxes} from '../../climb/candidates.ts';
import type {Device} from '../device.ts';
import {arrangeWgsl} from './arrange.wgsl.ts';
import type {VectorScale} from './vectorScale.ts';

/**
 * Most cells on an axis. A kernel finds the cell of a vector in float32: x − origin, 1 / side and their product are
 * rounded once each, so a cell coordinate t ≤ 2^16 has an error of at most 3 · 2^-24 · 2^16 < 2^-6 cells.
 */
const CELLS_MAX = 2 ** 16;

/**
 * Ratio of the side of a cell to the radius. Let r be radius / side ≤ 1 / (1 + 2^-4) < 0.942, and e < 2^-6 the error
 * above. A point within the radius of a position at t lies within r + e < 0.958 < 1 of the computed t, hence in the
 * same or in an adjacent cell. With two cells in a radius it lies within 2r + e < 1.9 < 2, hence at most two cells
 * away.
 */
const SIDE_MARGIN = 1 + 2 ** -4;

export interface VectorsToIndex {
  readonly points: GPUBuffer;
  readonly n: number;
  readonly dim: number;
  readonly scale: VectorScale;
  /** In device units. Infinity: no grid. */
  readonly radius: number;
  /** Most cells in a radius. Default: 1. */
  readonly cellsPerRadius?: number;
}

export interface IndexedVectors {
  readonly points: GPUBuffer;
  readonly pointOrder: GPUBuffer;
  readonly grid: GpuGrid | undefined;
}

/** Cells of half a radius exclude most points beyond it. They pay if cells hold enough points. */
const HALF_CELLS_PER_POINT = 8;
const HALF_CELL_AXES = [2, 3];

export function cellsForSearch({min, max}: VectorScale, n: number, dim: number, radius: number): number {
  const axes = gridAxes(dim);
  if (!HALF_CELL_AXES.includes(axes)) return 1;
  let cells = 1;
  for (let d = 0; d < axes; d++) cells *= Math.ceil((max[d] - min[d]) / (radius / 2)) + 1;
  return cells <= HALF_CELLS_PER_POINT * n ? 2 : 1;
}

/** The part of a build that is done after the points have arrived, and after each step, on a software adapter. */
const STEP_PARTS = [0.3, 0.4, 0.85, 1];

/** Brings vectors into the order of a grid's cells, and back. */
export class VectorIndex extends Owner {
  readonly #device: Device;
  readonly #scratch: Scratch;
  readonly #builder: GpuGridBuilder;

  private constructor(device: Device, builder: GpuGridBuilder) {
    super();
    this.#device = device;
    this.#scratch = this.own(new Scratch(device.gpu, 'mean-shift/index'));
    this.#builder = this.own(builder);
  }

  static async create(device: Device): Promise<VectorIndex> {
    return new VectorIndex(device, await GpuGridBuilder.create(device.gpu));
  }

  /** Submits. The result is valid until the next build. `span` is what the device's clock counts it as. */
  async build(
    {points, n, dim, scale, radius, cellsPerRadius = 1}: VectorsToIndex,
    run: GpuRun<MeanShiftPhase>,
    span: MeanShiftPhase,
  ): Promise<IndexedVectors> {
    if (radius === Infinity) return {points, pointOrder: this.#identity(n), grid: undefined};
    const {gpu} = this.#device;
    const reach = async (step: number): Promise<void> => {
      if (span === 'index') await run.reachPart(span, STEP_PARTS[step]);
    };
    await reach(0);
    const axes = gridAxes(dim);
    const {blocks, quads, quantum} = scale;
    const coords = this.#scratch.take('gridCoords', 4 * axes * n);
    const entryPoints = ['project', 'gatherVectors'] as const;
    const {project, gatherVectors} = await Kernel.createEach(gpu, arrangeWgsl, entryPoints, {BLOCKS: quads});
    const arranging = {count: n, axes, low: quantum === 0 ? 0 : blocks, quantum};
    const params = this.#device.params.write(arrangeWgsl.structs.ArrangeParams, arranging);
    run.submit(span, project.encodeOver({vectorsIn: points, coordsOut: coords, params}, n));
    await reach(1);
    const min = scale.min.subarray(0, axes);
    const max = scale.max.subarray(0, axes);
    const extent = max.reduce((widest, high, d) => Math.max(widest, high - min[d]), 0);
    // A vector of two parts is rounded to one before its cell is computed, which doubles the error.
    const most = quantum === 0 ? CELLS_MAX : CELLS_MAX / 2;
    const side = Math.max(radius / cellsPerRadius, extent / most) * SIDE_MARGIN;
    const grid = await this.#builder.build(
      {n, dim: axes, coords, bounds: {min, max}, displacement: 0},
      side,
      run.passes(span),
    );
    await reach(2);
    const sorted = this.#scratch.take('sortedPoints', 16 * quads * n);
    const {pointOrder} = grid;
    run.submit(span, gatherVectors.encodeOver({vectorsIn: points, pointOrder, vectorsOut: sorted, params}, n));
    await reach(3);
    return {points: sorted, pointOrder, grid};
  }

  /** Brings positions back into the order of the points, to a buffer of the caller, and weights. Submits. */
  async scatter(
    vectors: {
      readonly positions: GPUBuffer;
      readonly weights: GPUBuffer;
      readonly m: number;
      readonly indexed: IndexedVectors;
      readonly scale: VectorScale;
    },
    into: GPUBuffer,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<{positions: GPUBuffer; weights: GPUBuffer}> {
    const {gpu, params} = this.#device;
    const {positions, weights, m, indexed, scale} = vectors;
    const kernel = await Kernel.create(gpu, arrangeWgsl, 'scatterVectors', {BLOCKS: scale.quads});
    const weightsOut = this.#scratch.take('orderedWeights', 4 * m);
    const buffers = {
      vectorsIn: positions,
      pointOrder: indexed.pointOrder,
      vectorsOut: into,
      weightsIn: weights,
      weightsOut,
      params: params.write(arrangeWgsl.structs.ArrangeParams, {count: m, axes: 0, low: 0, quantum: 0}),
    };
    run.submit('readBack', kernel.encodeOver(buffers, m));
    return {positions: into, weights: weightsOut};
  }

  #identity(n: number): GPUBuffer {
    const order = this.#scratch.take('identity', 4 * n);
    const words = new Uint32Array(n);
    for (let i = 0; i < n; i++) words[i] = i;
    this.#device.gpu.device.queue.writeBuffer(order, 0, words);
    return order;
  }
}
