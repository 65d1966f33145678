import {Kernel, ParamRing, ReadBack, type Gpu, type Scratch} from '@epsball/gpu';
import {latticeClimbWgsl} from './latticeClimb.wgsl.ts';
import {latticeEndBoundWgsl} from './latticeEndBound.wgsl.ts';
import {errorReach, errorMaxima, layErrorCells, type ErrorCells} from './latticeErrors.ts';
import {latticeErrorsWgsl} from './latticeErrors.wgsl.ts';
import type {LatticeTrajectories} from './latticeClimber.ts';
import {UNITS_PER_BANDWIDTH} from '../points/pointScale.ts';
import type {Items, Portions} from './portions.ts';

/** Values from here on mean that there is no bound: see latticeEndBound.wgsl. */
const UNBOUNDED = 3e38;

/** The points of the sums. */
interface SummedPoints {
  readonly points: GPUBuffer;
  readonly n: number;
}

/** Bounds one more step of the whole Gaussian from the ends of trajectories over a lattice. */
export class LatticeEndBound {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;
  /** Of the last lattice. Computing them takes a millisecond or more. */
  #maxima: {readonly key: string; readonly words: Float32Array<ArrayBuffer>} | undefined;

  /**
   * @param scratch  borrowed, as `gpu` is
   */
  constructor(gpu: Gpu, scratch: Scratch) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#params = new ParamRing(gpu, 'mean-shift/latticeEndBound.params', 16);
    this.#reader = new ReadBack(gpu, 'mean-shift/latticeEndBound');
  }

  /** Compiles the kernels. Call it early: the first run waits for them. */
  async prepare(dim: number): Promise<EndKernels> {
    const [count, spreadCounts, spreadErrors, measure] = await Promise.all([
      Kernel.create(this.#gpu, latticeErrorsWgsl, 'countByCell'),
      Kernel.create(this.#gpu, latticeErrorsWgsl, 'spreadCounts'),
      Kernel.create(this.#gpu, latticeErrorsWgsl, 'spreadErrors'),
      Kernel.create(this.#gpu, latticeEndBoundWgsl, 'measureEnds', {DIM: dim}),
    ]);
    return {count, spreadCounts, spreadErrors, measure};
  }

  /**
   * Bounds the step from the ends of all trajectories that have met a point. Waits for the device.
   *
   * @returns  in bandwidths; Infinity if the error of a sum of weights may be as large as the sum
   * @throws   what `portions` throws
   */
  async measure(
    summed: SummedPoints,
    {positions, m, weights, field, layout}: LatticeTrajectories,
    portions: Portions,
  ): Promise<number> {
    const kernels = await this.prepare(layout.dim);
    const cells = layErrorCells(layout, summed.n);
    const raster = {
      counts: [...cells.counts, 1],
      origin: layout.origin,
      perUnit: cells.perBandwidth / UNITS_PER_BANDWIDTH,
    };
    const worst = this.#scratch.take('worstEnd', 4);
    portions.encoder.clearBuffer(worst, 0, 4);
    const errors = await this.#spread(summed, {kernels, cells, raster, dim: layout.dim}, portions);
    const {counts, origin, perUnit} = layout;
    // Of the lattice. Fields that only trajectories need are 0.
    const ofTrajectories = {minStep2: 0, steps: 0, word: 0, isFirst: 0, begin: 0, end: 0};
    const ofLattice = {counts: [...counts, 1], origin, perUnit, ...ofTrajectories};
    const {rounding, far} = cells;
    const limits = {...raster, perBandwidth: 1 / UNITS_PER_BANDWIDTH, rounding, far};
    await portions.dispatch(kernels.measure, m, 4 ** layout.dim, (items) => {
      // Written anew for each portion: the ring keeps only the last few hundred writes.
      const params = this.#params.write(latticeClimbWgsl.structs.LatticeClimbParams, ofLattice);
      const measure = this.#params.write(latticeEndBoundWgsl.structs.EndParams, {...limits, ...items});
      return kernels.measure.bind({field, params, errors, ends: positions, lastWeights: weights, worst, measure});
    });
    portions.submit();
    const words = new Float32Array(1);
    await this.#reader.read(worst, words);
    return words[0] < UNBOUNDED * 0.99 ? words[0] : Infinity;
  }

  /** Computes the largest errors of the sums by cell. Returns the buffer that holds them. */
  async #spread(
    {points, n}: SummedPoints,
    {kernels, cells, raster, dim}: ErrorRaster,
    portions: Portions,
  ): Promise<GPUBuffer> {
    const {count, spreadCounts, spreadErrors} = kernels;
    const pointCounts = this.#scratch.take('errorCounts', 4 * cells.cells);
    const words = this.#maximaOf(cells);
    const maxima = this.#scratch.take('errorMaxima', words.byteLength);
    this.#gpu.device.queue.writeBuffer(maxima, 0, words);
    portions.encoder.clearBuffer(pointCounts, 0, 4 * cells.cells);
    const [along, rows] = cells.counts;
    const strides = [1, along, along * rows];
    const reach = errorReach(cells);
    const paramsOf = (axis: number, items: Items): ReturnType<ParamRing['write']> => {
      const axisParams = {reach, stride: strides[axis], along: cells.counts[axis]};
      return this.#params.write(latticeErrorsWgsl.structs.ErrorParams, {...raster, ...axisParams, ...items});
    };
    await portions.dispatch(count, n, 1, (items) => count.bind({points, pointCounts, params: paramsOf(0, items)}));
    let errors = this.#scratch.take('errorsA', 16 * cells.cells);
    let other = this.#scratch.take('errorsB', 16 * cells.cells);
    const taps = 2 * reach + 1;
    await portions.dispatch(spreadCounts, cells.cells, taps, (items) =>
      spreadCounts.bind({counted: pointCounts, maxima, errorsOut: errors, params: paramsOf(0, items)}),
    );
    for (let axis = 1; axis < dim; axis++) {
      const [errorsIn, errorsOut] = [errors, other];
      await portions.dispatch(spreadErrors, cells.cells, taps, (items) =>
        spreadErrors.bind({errorsIn, maxima, errorsOut, params: paramsOf(axis, items)}),
      );
      [errors, other] = [errorsOut, errorsIn];
    }
    return errors;
  }

  #maximaOf(cells: ErrorCells): Float32Array<ArrayBuffer> {
    const key = [cells.width, cells.perBandwidth, cells.displaced].join(' ');
    if (this.#maxima?.key !== key) this.#maxima = {key, words: errorMaxima(cells)};
    return this.#maxima.words;
  }

  destroy(): void {
    this.#params.destroy();
    this.#reader.destroy();
  }
}

interface EndKernels {
  readonly count: Kernel<typeof latticeErrorsWgsl, 'countByCell'>;
  readonly spreadCounts: Kernel<typeof latticeErrorsWgsl, 'spreadCounts'>;
  readonly spreadErrors: Kernel<typeof latticeErrorsWgsl, 'spreadErrors'>;
  readonly measure: Kernel<typeof latticeEndBoundWgsl, 'measureEnds'>;
}

interface ErrorRaster {
  readonly kernels: EndKernels;
  readonly cells: ErrorCells;
  readonly raster: {readonly counts: readonly number[]; readonly origin: readonly number[]; readonly perUnit: number};
  readonly dim: number;
}
