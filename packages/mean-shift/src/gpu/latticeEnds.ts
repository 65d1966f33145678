import {Kernel, ParamRing, Reader, type Gpu, type Scratch} from '@epsball/gpu';
import {latticeClimbWgsl} from './latticeClimb.wgsl.ts';
import {latticeEndsWgsl} from './latticeEnds.wgsl.ts';
import {errorReach, errorTops, layErrorCells, type ErrorCells} from './latticeErrors.ts';
import {latticeErrorsWgsl} from './latticeErrors.wgsl.ts';
import type {LatticeClimbs} from './latticeSearch.ts';
import {UNITS_PER_BANDWIDTH} from './pointScale.ts';

/** Words from here on stand for no bound: see latticeEnds.wgsl. */
const UNBOUNDED = 3e38;

/** Points that weigh, for the errors of their sums. */
interface SummedPoints {
  readonly points: GPUBuffer;
  readonly n: number;
}

/** Bounds how far the whole Gaussian would still lead from where climbs over a lattice have ended. */
export class LatticeEnds {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #params: ParamRing;
  readonly #reader: Reader;
  /** Of the last lattice: they take a millisecond or more. */
  #tops: {readonly key: string; readonly words: Float32Array<ArrayBuffer>} | undefined;

  /** @param scratch  borrowed, as `gpu` is */
  constructor(gpu: Gpu, scratch: Scratch) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#params = new ParamRing(gpu, 'mean-shift/latticeEnds.params', 16);
    this.#reader = new Reader(gpu, 'mean-shift/latticeEnds');
  }

  /** Compiles the kernels; to be called early, since a first run waits for them. */
  async prepare(dim: number): Promise<EndKernels> {
    const [count, spreadCounts, spreadErrors, measure] = await Promise.all([
      Kernel.create(this.#gpu, latticeErrorsWgsl, 'countByCell'),
      Kernel.create(this.#gpu, latticeErrorsWgsl, 'spreadCounts'),
      Kernel.create(this.#gpu, latticeErrorsWgsl, 'spreadErrors'),
      Kernel.create(this.#gpu, latticeEndsWgsl, 'measureEnds', {DIM: dim}),
    ]);
    return {count, spreadCounts, spreadErrors, measure};
  }

  /**
   * Measures the ends of all climbs that have met a point. Waits for the device.
   *
   * @returns  in bandwidths; Infinity where a sum of weights may be nothing but error
   */
  async measure(
    {points, n}: SummedPoints,
    {places, m, weights, field, layout}: LatticeClimbs,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): Promise<number> {
    const kernels = await this.prepare(layout.dim);
    const cells = layErrorCells(layout, n);
    const raster = {
      counts: [...cells.counts, 1],
      origin: layout.origin,
      perUnit: cells.perBandwidth / UNITS_PER_BANDWIDTH,
    };
    const worst = this.#scratch.take('worstEnd', 4);
    const encoder = this.#gpu.device.createCommandEncoder();
    encoder.clearBuffer(worst, 0, 4);
    const errors = this.#encodeErrors(encoder, {kernels, cells, raster, points, n, dim: layout.dim}, beginPass);
    const {counts, origin, perUnit} = layout;
    // Of the lattice; what only a climb needs stays 0.
    const params = this.#params.write(latticeClimbWgsl.structs.LatticeClimbParams, {
      counts: [...counts, 1],
      origin,
      perUnit,
      minStep2: 0,
      steps: 0,
      word: 0,
      isFirst: 0,
      begin: 0,
      end: 0,
    });
    const measure = this.#params.write(latticeEndsWgsl.structs.EndParams, {
      ...raster,
      climbs: m,
      perBandwidth: 1 / UNITS_PER_BANDWIDTH,
      rounding: cells.rounding,
      far: cells.far,
    });
    const bindings = {field, params, errors, ends: places, lastWeights: weights, worst, measure};
    const pass = beginPass(encoder);
    kernels.measure.dispatchOver(pass, kernels.measure.bind(bindings), m);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    const words = new Float32Array(1);
    await this.#reader.read(worst, words);
    return words[0] < UNBOUNDED * 0.99 ? words[0] : Infinity;
  }

  /** Records what sums are off by cell, at most; returns where that is. */
  #encodeErrors(
    encoder: GPUCommandEncoder,
    {kernels, cells, raster, points, n, dim}: ErrorsToEncode,
    beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder,
  ): GPUBuffer {
    const {count, spreadCounts, spreadErrors} = kernels;
    const pointCounts = this.#scratch.take('errorCounts', 4 * cells.cells);
    const words = this.#topsOf(cells);
    const tops = this.#scratch.take('errorTops', words.byteLength);
    this.#gpu.device.queue.writeBuffer(tops, 0, words);
    encoder.clearBuffer(pointCounts, 0, 4 * cells.cells);
    const [along, rows] = cells.counts;
    const strides = [1, along, along * rows];
    const paramsOf = (axis: number): ReturnType<ParamRing['write']> =>
      this.#params.write(latticeErrorsWgsl.structs.ErrorParams, {
        ...raster,
        begin: 0,
        end: n,
        cells: cells.cells,
        reach: errorReach(cells),
        stride: strides[axis],
        along: cells.counts[axis],
      });
    const counting = beginPass(encoder);
    count.dispatchOver(counting, count.bind({points, pointCounts, params: paramsOf(0)}), n);
    counting.end();
    const pass = beginPass(encoder);
    let errors = this.#scratch.take('errorsA', 16 * cells.cells);
    let other = this.#scratch.take('errorsB', 16 * cells.cells);
    const first = {counted: pointCounts, tops, errorsOut: errors, params: paramsOf(0)};
    spreadCounts.dispatchOver(pass, spreadCounts.bind(first), cells.cells);
    for (let axis = 1; axis < dim; axis++) {
      const next = {errorsIn: errors, tops, errorsOut: other, params: paramsOf(axis)};
      spreadErrors.dispatchOver(pass, spreadErrors.bind(next), cells.cells);
      [errors, other] = [other, errors];
    }
    pass.end();
    return errors;
  }

  #topsOf(cells: ErrorCells): Float32Array<ArrayBuffer> {
    const key = [cells.width, cells.perBandwidth, cells.displaced].join(' ');
    if (this.#tops?.key !== key) this.#tops = {key, words: errorTops(cells)};
    return this.#tops.words;
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
  readonly measure: Kernel<typeof latticeEndsWgsl, 'measureEnds'>;
}

interface ErrorsToEncode {
  readonly kernels: EndKernels;
  readonly cells: ErrorCells;
  readonly raster: {readonly counts: readonly number[]; readonly origin: readonly number[]; readonly perUnit: number};
  readonly points: GPUBuffer;
  readonly n: number;
  readonly dim: number;
}
