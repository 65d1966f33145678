import {GpuLimitError, InvalidParameterError, PhaseClock, pointCount, type PointSet} from '@epsball/clustering';
import {ReadBack, AlgorithmFrame, Scratch, Uploader, type Gpu, type GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase, ShiftAlgorithm, ShiftOptions, ShiftParams, ShiftResult} from '../../algorithm.ts';
import {validateShift, type CheckedShiftParams} from '../../shift/validateShift.ts';
import type {ShiftGpuOptions} from './shiftGpuOptions.ts';
import {fixedLength, fixedScale, fixedWords, fromFixed, type FixedScale} from './fixedPoint.ts';
import {ShiftIterations} from './shiftIterations.ts';
import type {SumMethod} from './shiftKernels.ts';

/** Most dimensions of the kernels. */
const MAX_DIM = 16;

/** Default of `pairsPerDispatch`. */
const PAIRS_PER_DISPATCH = {hardware: 2 ** 32, software: 2 ** 26};

/**
 * How sums are computed. The result does not depend on it, except for rounding. Only tests and `bench/tiles.ts` set it.
 */
export interface ShiftTuning {
  /**
   * Positions of an invocation of the tiled kernel. Default on hardware: 4 in up to 5 dimensions, 2 in up to 8, then 1.
   */
  readonly pointsPerLane?: 1 | 2 | 4 | undefined;
  /**
   * Points that it reads between two tests of the end of its loop. Default on hardware: 4 in up to 5 dimensions, then
   * 1.
   */
  readonly unrolled?: 1 | 2 | 4 | undefined;
  /**
   * Whether kernels take coordinates as one float32 or as the sum of two, which takes half as long again. Default: two
   * if a point is more than 32 bandwidths from the centre on some axis, where the error of one float32 would be a
   * visible part of a bandwidth.
   */
  readonly floatsPerCoordinate?: 1 | 2 | undefined;
  /**
   * How the tiled kernel computes the exponent −|x − y|² of a weight: from differences; or from products, which take
   * three quarters of the time in 3-D, if half the diagonal of the box is at most 11 bandwidths, else from differences.
   * Default: products.
   */
  readonly exponent?: 'differences' | 'products' | undefined;
  /**
   * Approximate limit on pairs of a position and a point in a dispatch, integer ≥ 1. Default: 2^32 on hardware, 2^26
   * elsewhere. The device runs nothing else during a dispatch, and some drivers end one that takes seconds.
   */
  readonly pairsPerDispatch?: number | undefined;
}

/** `createShiftGpu` with tuning. */
export async function createShiftPipeline(
  gpu: Gpu,
  options: ShiftGpuOptions,
  tuning: ShiftTuning = {},
): Promise<ShiftAlgorithm> {
  const {method = 'tiled', tileWidth = 256} = options;
  if (method !== 'tiled' && method !== 'naive') {
    throw new InvalidParameterError('method', method, "'tiled' or 'naive'");
  }
  if (![16, 32, 64, 128, 256, 512, 1024].includes(tileWidth)) {
    throw new InvalidParameterError('tileWidth', tileWidth, '16, 32, 64, 128, 256, 512 or 1024');
  }
  const allowed = gpu.device.limits.maxComputeInvocationsPerWorkgroup;
  if (method === 'tiled' && tileWidth > allowed) {
    throw new GpuLimitError('invocations a workgroup', tileWidth, allowed, 'a smaller tileWidth would fit');
  }
  const {pairsPerDispatch = gpu.pick(PAIRS_PER_DISPATCH)} = tuning;
  const {pointsPerLane, unrolled, floatsPerCoordinate, exponent} = tuning;
  const iterations = await ShiftIterations.create(gpu, pairsPerDispatch);
  return new ShiftGpu(gpu, {method, tileWidth, pointsPerLane, unrolled, floatsPerCoordinate, exponent}, iterations);
}

class ShiftGpu implements ShiftAlgorithm {
  readonly #gpu: Gpu;
  readonly #method: SumMethod;
  readonly #iterations: ShiftIterations;
  readonly #uploader: Uploader;
  readonly #reader: ReadBack;
  readonly #scratch: Scratch;
  readonly #frame: AlgorithmFrame<MeanShiftPhase>;
  /** Positions are read to it. It is kept, so that its pages stay allocated. */
  #words = new Int32Array(0);

  constructor(gpu: Gpu, method: SumMethod, iterations: ShiftIterations) {
    this.#gpu = gpu;
    this.#method = method;
    this.#iterations = iterations;
    this.#uploader = new Uploader(gpu, 'mean-shift');
    this.#reader = new ReadBack(gpu, 'mean-shift');
    this.#scratch = new Scratch(gpu, 'mean-shift');
    const owned = [iterations, this.#uploader, this.#reader, this.#scratch];
    this.#frame = new AlgorithmFrame(gpu, {name: 'mean-shift', label: 'mean-shift', owned});
  }

  async shift(points: PointSet, params: ShiftParams, options: ShiftOptions = {}): Promise<ShiftResult> {
    this.#frame.throwIfDestroyed();
    const checked = validateShift(points, params, options, {name: 'mean-shift on a GPU', maxDim: MAX_DIM});
    const starts = options.seeds ?? points;
    if (points.coords.length === 0 || starts.coords.length === 0) {
      const stats = {...new PhaseClock<MeanShiftPhase>().stop(), counters: {arrived: 0, shifts: 0, dispatches: 0}};
      return {shifted: new Float64Array(starts.coords), iterations: 0, stats};
    }
    const total = pointCount(starts) * checked.maxIterations;
    return this.#frame.run(total, options, (run) => this.#run({points, starts, checked}, run));
  }

  async #run({points, starts, checked}: Input, run: GpuRun<MeanShiftPhase>): Promise<ShiftResult> {
    const {dim} = points;
    run.enter('upload');
    const fixed = fixedScale(points, starts, checked.bandwidth);
    // One float has no room for a remainder.
    const scale = this.#method.floatsPerCoordinate === 1 ? {...fixed, hasRemainder: false} : fixed;
    const coords = await this.#upload('points', points, scale);
    const positions =
      starts === points
        ? this.#copy(coords, 4 * fixedLength(points, scale))
        : await this.#upload('positions', starts, scale);
    run.enter('shift');
    const {iterations, ...counters} = await this.#iterations.run(
      {
        points: coords,
        n: pointCount(points),
        positions,
        m: pointCount(starts),
        dim,
        method: this.#method,
        maxIterations: checked.maxIterations,
        tolerance: checked.tolerance * scale.factor,
        scale,
        scratch: this.#scratch,
        uploader: this.#uploader,
      },
      run,
    );
    run.enter('readBack');
    const length = fixedLength(starts, scale);
    if (this.#words.length < length) this.#words = new Int32Array(length);
    const words = this.#words.subarray(0, length);
    await this.#reader.read(positions, words);
    const shifted = fromFixed(words, dim, scale);
    return {shifted, iterations, stats: await run.stats(counters)};
  }

  async #upload(what: string, points: PointSet, scale: FixedScale): Promise<GPUBuffer> {
    const bytes = 4 * fixedLength(points, scale);
    const target = this.#scratch.take(what, bytes);
    await this.#uploader.fill(bytes, target, fixedWords(points, scale));
    return target;
  }

  /** Positions that start at the points. */
  #copy(from: GPUBuffer, bytes: number): GPUBuffer {
    const {device} = this.#gpu;
    const target = this.#scratch.take('positions', bytes);
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(from, 0, target, 0, bytes);
    device.queue.submit([encoder.finish()]);
    return target;
  }

  destroy(): void {
    this.#frame.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface Input {
  readonly points: PointSet;
  readonly starts: PointSet;
  readonly checked: CheckedShiftParams;
}
