import {checkKnownOptions} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {elementArray, operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
import {reduceWgsl} from './reduce.wgsl.ts';
import {checkField} from './records.ts';
import {MAX_REDUCTION_GROUPS, quadsOf, reductionGroups} from './reductions.ts';

export interface ReduceOptions<E extends Element = Element> {
  /** Default: `sum`. */
  readonly operator?: Operator;
  /** Default: `u32`. */
  readonly element?: E;
}

export interface ReduceBuffers {
  /** `count` elements of `stride` words; not modified. */
  readonly input: Bindable;
  /** Receives one word; must not overlap `input`. */
  readonly output: Bindable;
  readonly count: Count;
  /** Words from one element to the next, integer ≥ 1. Default: 1. */
  readonly stride?: number;
  /** The word of an element to reduce, 0 … stride − 1: one field of a record. Default: 0. */
  readonly field?: number;
}

interface ReduceKernels {
  readonly reduceToGroups: Kernel<typeof reduceWgsl, 'reduceToGroups'>;
  readonly reduceToWord: Kernel<typeof reduceWgsl, 'reduceToWord'>;
}

/**
 * Combines all elements of a buffer into one word: sum, minimum or maximum of u32, i32 or f32.
 *
 * Integer results are exact (sums wrap). The order of a float sum depends on the count only, so the result is
 * reproducible on one adapter. An invocation adds at most 8 + count / 2^20 elements one after another (for records 32 +
 * count / 2^18), and fewer than 80 further additions follow. The error is at most that number · 2^-24 · Σ|x|, to first
 * order. Float minimum and maximum follow IEEE 754 totalOrder, to the bit. For an empty input the result is the
 * operator's identity.
 */
export class Reduce<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #element: E;
  readonly #kernels: ReduceKernels;
  readonly #params: ParamRing;
  readonly #partials: GpuBuffer;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, element: E, kernels: ReduceKernels) {
    this.#gpu = gpu;
    this.#element = element;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/reduce.params');
    this.#partials = gpu.createBuffer(
      'gpu-primitives/reduce.partials',
      4 * MAX_REDUCTION_GROUPS,
      GPUBufferUsage.STORAGE,
    );
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: ReduceOptions<'u32'>): Promise<Reduce>;
  static create<E extends Element>(gpu: Gpu, options: ReduceOptions<E> & {element: E}): Promise<Reduce<E>>;
  static async create(gpu: Gpu, options: ReduceOptions = {}): Promise<Reduce<Element>> {
    checkKnownOptions(options, ['operator', 'element'], 'options', "an object such as {operator: 'max'}");
    const {operator = 'sum', element = 'u32'} = options;
    const overrides = operatorOverrides(operator, element);
    const [reduceToGroups, reduceToWord] = await Promise.all([
      Kernel.create(gpu, reduceWgsl, 'reduceToGroups', overrides),
      Kernel.create(gpu, reduceWgsl, 'reduceToWord', overrides),
    ]);
    return new Reduce<Element>(gpu, element, {reduceToGroups, reduceToWord});
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, stride, field, buffer size or offset
   */
  encode(target: EncodeTarget, {input, output, count, stride = 1, field = 0}: ReduceBuffers): void {
    checkField(stride, field);
    const atMost = atMostOf(count);
    const {reduceToGroups, reduceToWord} = this.#kernels;
    const groups = reductionGroups(atMost);
    const bound = bindWords(this.#gpu, 'input', input, atMost * stride);
    const partials = this.#partials.buffer;
    const counted = writeCounted(this.#params, reduceWgsl.structs.ReduceParams, count, {groups, stride, field});
    const quads = quadsOf(bound, counted.params);
    const first = reduceToGroups.bind({input: bound, quads, partials, ...counted});
    const second = reduceToWord.bind({
      partials,
      output: bindWords(this.#gpu, 'output', output, 1),
      ...counted,
    });
    encodeInto(target, 'gpu-primitives/reduce', (pass) => {
      reduceToGroups.dispatch(pass, first, foldDispatch(groups));
      reduceToWord.dispatch(pass, second, [1, 1, 1]);
    });
  }

  /** Reduces a typed array: upload, reduction, read-back. */
  async run(values: ElementArrays[E]): Promise<number> {
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/reduce');
    return this.#host.run(async (call) => {
      const input = await call.upload(values);
      const output = call.room(1);
      call.submit((pass) => this.encode(pass, {input, output, count: values.length}));
      const result = await call.read<ElementArrays[Element]>(output, elementArray<Element>(this.#element, 1));
      return result[0];
    });
  }

  destroy(): void {
    this.#host?.destroy();
    this.#params.destroy();
    this.#partials.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
