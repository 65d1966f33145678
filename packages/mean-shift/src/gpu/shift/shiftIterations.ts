import {ParamRing, ReadBack, type Gpu, type GpuRun, type Scratch, type Uploader} from '@epsball/gpu';
import {Compact} from '@epsball/gpu-primitives';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {FixedScale} from './fixedPoint.ts';
import {shiftArraysStructs} from './shiftArrays.wgsl.ts';
import {shiftFloatsWgsl} from './shiftFloats.wgsl.ts';
import {shiftKernels, sumGroups, type ShiftKernels, type SumMethod} from './shiftKernels.ts';
import {SLOTS_MAX, shiftSlices, type Slice, type SliceLimits} from './shiftSlices.ts';
import {Submissions} from './submissions.ts';

/**
 * Invocations that fill a device several times, so that it is busy to the end: 32 warps on each of 132 multiprocessors
 * are 2^17.
 */
const FILLING_LANES = {hardware: 2 ** 20, software: 2 ** 11};

/** Most words of partial sums if points are split for speed only: 64 MiB. */
const PARTIAL_WORDS = 2 ** 24;

/** Positions on the device, and how to move them. */
export interface IterationsInput {
  /**
   * n points and m positions, structures of arrays in quanta. Positions are moved. Points are converted to floats if
   * one float a coordinate is enough.
   */
  readonly points: GPUBuffer;
  readonly n: number;
  readonly positions: GPUBuffer;
  readonly m: number;
  readonly dim: number;
  readonly method: SumMethod;
  readonly maxIterations: number;
  /** In device units. 0: no position ever arrives. */
  readonly tolerance: number;
  readonly scale: FixedScale;
  readonly scratch: Scratch;
  readonly uploader: Uploader;
}

export interface IterationCounts {
  readonly iterations: number;
  /** Positions that moved less than the tolerance. */
  readonly arrived: number;
  /** Positions moved, summed over iterations. */
  readonly shifts: number;
  readonly dispatches: number;
}

/**
 * The loop over iterations. Without a tolerance the host reads nothing back; with one it reads a count in each
 * iteration.
 */
export class ShiftIterations implements Disposable {
  readonly #gpu: Gpu;
  readonly #pairsPerDispatch: number;
  readonly #compact: Compact;
  readonly #params: ParamRing;
  readonly #reader: ReadBack;

  private constructor(gpu: Gpu, pairsPerDispatch: number, compact: Compact) {
    this.#gpu = gpu;
    this.#pairsPerDispatch = pairsPerDispatch;
    this.#compact = compact;
    this.#params = new ParamRing(gpu, 'mean-shift/params');
    this.#reader = new ReadBack(gpu, 'mean-shift/count');
  }

  static async create(gpu: Gpu, pairsPerDispatch: number): Promise<ShiftIterations> {
    return new ShiftIterations(gpu, pairsPerDispatch, await Compact.create(gpu));
  }

  /**
   * Moves positions until all have arrived or the iterations are used up. Submits.
   *
   * @throws RunAbortedError  if the signal has fired
   */
  async run(input: IterationsInput, run: GpuRun<MeanShiftPhase>): Promise<IterationCounts> {
    const {n, m, dim, maxIterations, tolerance} = input;
    const kernels = await shiftKernels(this.#gpu, {n, dim, ...input.scale}, input.method);
    const limits = this.#limits(input, kernels);
    const arrays = takeArrays(input, limits);
    if (tolerance > 0) await listAll(input.uploader, arrays.moving, m);
    const total = m * maxIterations;
    const submissions = new Submissions(run, this.#pairsPerDispatch);
    const counts = {iterations: 0, arrived: 0, shifts: 0, dispatches: 0};
    if (kernels.toFloats) this.#encodeFloats(submissions.pass, kernels.toFloats, input);
    let moving = m;
    for (; counts.iterations < maxIterations && moving > 0; counts.iterations++) {
      const before = m * counts.iterations + m - moving;
      for (const slice of shiftSlices(n, moving, dim + 1, limits)) {
        counts.dispatches += this.#encodeSlice(submissions.pass, slice, {input, arrays, kernels});
        const done = before + slice.firstSlot + (slice.slots * slice.end) / n;
        await submissions.count(slice.slots * (slice.end - slice.begin), done);
      }
      counts.shifts += moving;
      if (tolerance > 0) {
        const kept = await this.#keepMoving(submissions, arrays, moving, before + moving);
        counts.arrived += moving - kept;
        moving = kept;
      }
    }
    await submissions.submit(total);
    await submissions.finish();
    return counts;
  }

  #encodeFloats(
    pass: GPUComputePassEncoder,
    toFloats: NonNullable<ShiftKernels['toFloats']>,
    {points, n, dim, scale}: IterationsInput,
  ): void {
    const floatParams = this.#params.write(shiftFloatsWgsl.structs.FloatParams, {
      count: n * dim,
      quantum: scale.quantum,
    });
    toFloats.dispatchOver(pass, toFloats.bind({coordinates: points, floatParams}), n * dim);
  }

  /** Removes the positions that have arrived from the list. Returns the number of those left. */
  async #keepMoving(submissions: Submissions, arrays: ShiftArrays, moving: number, done: number): Promise<number> {
    const {moving: values, nextMoving: output, hasMoved: flags, count: keptCount} = arrays;
    this.#compact.encode(submissions.pass, {values, flags, output, keptCount, count: moving});
    [arrays.moving, arrays.nextMoving] = [output, values];
    await submissions.submit(done);
    const kept = new Uint32Array(1);
    await this.#reader.read(keptCount, kept);
    return kept[0];
  }

  /**
   * Records the sums of a slice, and after the last slice of its slots their shift. Returns the number of dispatches.
   */
  #encodeSlice(pass: GPUComputePassEncoder, slice: Slice, {input, arrays, kernels}: Encoding): number {
    const {n, m, points, positions, tolerance} = input;
    const {moving, partials, hasMoved} = arrays;
    const params = this.#params.write(shiftArraysStructs.ShiftSlice, {
      ...slice,
      n,
      m,
      isListed: tolerance > 0 ? 1 : 0,
      isContinued: slice.begin > 0 ? 1 : 0,
      quantum: input.scale.quantum,
      // Neither flushed to 0 nor infinite.
      tolerance2: Math.min(Math.max(tolerance * tolerance, 2 ** -126), 2 ** 127),
    });
    const {sum, advance, span} = kernels;
    const sums = sum.bind({points, positions, moving, partials, slice: params});
    sum.dispatch(pass, sums, sumGroups(slice.slots, span, slice.parts));
    if (slice.end < n) return 1;
    const shift = advance.bind({moving, partials, slice: params, shifted: positions, hasMoved});
    advance.dispatchOver(pass, shift, slice.slots);
    return 2;
  }

  #limits({n, m, dim, method}: IterationsInput, {span}: ShiftKernels): SliceLimits {
    const {tileWidth} = method;
    const lanes = this.#gpu.pick(FILLING_LANES);
    const isTiled = method.method === 'tiled';
    // One invocation of the naive kernel sums all points.
    const groups = isTiled ? Math.ceil(lanes / tileWidth) : 1;
    const slots = Math.min(m, SLOTS_MAX);
    // Words for the wanted parts, but for no more parts than there are tiles, and within the limit.
    const wanted = Math.min(groups * span + slots, slots * Math.ceil(n / tileWidth));
    const partialWords = (dim + 1) * Math.max(slots, Math.min(wanted, Math.floor(PARTIAL_WORDS / (dim + 1))));
    return {pairs: this.#pairsPerDispatch, tileWidth, span, groups, partialWords};
  }

  destroy(): void {
    this.#compact.destroy();
    this.#params.destroy();
    this.#reader.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Buffers of a run beside points and positions. */
interface ShiftArrays {
  /** Positions that have not arrived come first. One word if positions never arrive. */
  moving: GPUBuffer;
  nextMoving: GPUBuffer;
  readonly hasMoved: GPUBuffer;
  /** One word: the length of the next list. */
  readonly count: GPUBuffer;
  readonly partials: GPUBuffer;
}

interface Encoding {
  readonly input: IterationsInput;
  readonly arrays: ShiftArrays;
  readonly kernels: ShiftKernels;
}

function takeArrays({m, tolerance, scratch}: IterationsInput, {partialWords}: SliceLimits): ShiftArrays {
  const listBytes = tolerance > 0 ? 4 * m : 4;
  return {
    moving: scratch.take('moving', listBytes),
    nextMoving: scratch.take('nextMoving', listBytes),
    hasMoved: scratch.take('hasMoved', listBytes),
    count: scratch.take('count', 4),
    partials: scratch.take('partials', 4 * partialWords),
  };
}

/** Writes 0, 1, … m − 1. */
async function listAll(uploader: Uploader, list: GPUBuffer, m: number): Promise<void> {
  await uploader.fill(4 * m, list, (target, start, end) => {
    const words = new Uint32Array(target, 0, (end - start) / 4);
    for (let k = 0; k < words.length; k++) words[k] = start / 4 + k;
  });
}
