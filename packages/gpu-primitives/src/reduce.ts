import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {operatorOverrides, type Element, type Operator} from './operators.ts';
import {reduceWgsl} from './reduce.wgsl.ts';

/** Enough workgroups to fill a large GPU; their words fit a single workgroup's second pass. */
const MAX_GROUPS = 1024;
/** Words that a workgroup reads at least; fewer do not pay for its launch. */
const WORDS_PER_GROUP = 2048;

export interface ReduceBuffers {
  /** `length` words; not modified. */
  readonly input: Bindable;
  /** Receives one word; must not overlap `input`. */
  readonly output: Bindable;
  /** Words, 0 … 2^32 − 1. Of none the result is the operator's identity: 0, or the largest or smallest value. */
  readonly length: number;
}

/**
 * Combines all words of a buffer into one: sum, minimum or maximum of u32, i32 or f32.
 *
 * Integer results are exact (sums wrap). The order of a float sum is fixed for a length, so it repeats on one adapter;
 * NaN among float minima or maxima gives an unspecified result.
 */
export class Reduce implements Disposable {
  readonly #kernel: Kernel<typeof reduceWgsl, 'reduceToGroups'>;
  readonly #params: ParamRing;
  readonly #partials: GpuBuffer;

  private constructor(gpu: Gpu, kernel: Kernel<typeof reduceWgsl, 'reduceToGroups'>) {
    this.#kernel = kernel;
    this.#params = new ParamRing(gpu, 'gpu-primitives/reduce.params');
    this.#partials = gpu.createBuffer('gpu-primitives/reduce.partials', 4 * MAX_GROUPS, GPUBufferUsage.STORAGE);
  }

  /** Compiles the pipeline; serves every length. */
  static async create(gpu: Gpu, operator: Operator, element: Element): Promise<Reduce> {
    const overrides = operatorOverrides(operator, element);
    return new Reduce(gpu, await Kernel.create(gpu, reduceWgsl, 'reduceToGroups', overrides));
  }

  /** Records two dispatches. O(length) work, O(1) scratch, which two runs in one pass may share. */
  encode(pass: GPUComputePassEncoder, {input, output, length}: ReduceBuffers): void {
    const groups = Math.min(MAX_GROUPS, Math.max(1, Math.ceil(length / WORDS_PER_GROUP)));
    this.#encodeLevel(pass, input, this.#partials.buffer, {length, groups});
    this.#encodeLevel(pass, this.#partials.buffer, output, {length: groups, groups: 1});
  }

  #encodeLevel(
    pass: GPUComputePassEncoder,
    input: Bindable,
    output: Bindable,
    level: {length: number; groups: number},
  ): void {
    const params = this.#params.write(reduceWgsl.structs.ReduceParams, level);
    this.#kernel.dispatch(pass, this.#kernel.bind({input, output, params}), foldDispatch(level.groups));
  }

  destroy(): void {
    this.#params.destroy();
    this.#partials.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
