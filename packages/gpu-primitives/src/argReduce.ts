import {checkKnownOptions} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {argReduceWgsl} from './argReduce.wgsl.ts';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {operatorOverrides, type Element, type ElementArrays} from './operators.ts';
import {checkField} from './records.ts';
import {MAX_REDUCTION_GROUPS, quadsOf, reductionGroups} from './reductions.ts';

/** The index written for an empty input. */
const NO_INDEX = 0xffff_ffff;

export interface ArgReduceOptions<E extends Element = Element> {
  /** `min` for argmin, `max` for argmax. Default: `min`. */
  readonly operator?: 'min' | 'max';
  /** Default: `u32`. */
  readonly element?: E;
}

export interface ArgReduceBuffers {
  /** `count` elements of `stride` words; not modified. */
  readonly input: Bindable;
  /** Receives two words: the index of the element, then its value. Must not overlap `input`. */
  readonly output: Bindable;
  readonly count: Count;
  /** Words from one element to the next, integer ≥ 1. Default: 1. */
  readonly stride?: number;
  /** The word of an element to compare, 0 … stride − 1. Default: 0. */
  readonly field?: number;
}

/** Result of `run`. */
export interface Found {
  /** −1 for an empty input. */
  readonly index: number;
  readonly value: number;
}

interface ArgReduceKernels {
  readonly searchGroups: Kernel<typeof argReduceWgsl, 'searchGroups'>;
  readonly searchLast: Kernel<typeof argReduceWgsl, 'searchLast'>;
}

/**
 * Finds the least (argmin) or greatest (argmax) element: its index and its value. Ties go to the lowest index, on every
 * adapter.
 *
 * f32 values compare in IEEE 754 totalOrder on their bits: −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN, so −0 and +0 differ.
 * For an empty input the index is 0xffffffff and the value is the identity, as in `Reduce`.
 */
export class ArgReduce<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #element: E;
  readonly #kernels: ArgReduceKernels;
  readonly #params: ParamRing;
  readonly #candidates: GpuBuffer;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, element: E, kernels: ArgReduceKernels) {
    this.#gpu = gpu;
    this.#element = element;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/argReduce.params');
    const bytes = argReduceWgsl.structs.Candidate.size * MAX_REDUCTION_GROUPS;
    this.#candidates = gpu.createBuffer('gpu-primitives/argReduce.candidates', bytes, GPUBufferUsage.STORAGE);
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: ArgReduceOptions<'u32'>): Promise<ArgReduce>;
  static create<E extends Element>(gpu: Gpu, options: ArgReduceOptions<E> & {element: E}): Promise<ArgReduce<E>>;
  static async create(gpu: Gpu, options: ArgReduceOptions = {}): Promise<ArgReduce<Element>> {
    checkKnownOptions(options, ['operator', 'element'], 'options', "an object such as {operator: 'max'}");
    const {operator = 'min', element = 'u32'} = options;
    const overrides = operatorOverrides(operator, element);
    const [searchGroups, searchLast] = await Promise.all([
      Kernel.create(gpu, argReduceWgsl, 'searchGroups', overrides),
      Kernel.create(gpu, argReduceWgsl, 'searchLast', overrides),
    ]);
    return new ArgReduce<Element>(gpu, element, {searchGroups, searchLast});
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, stride, field, buffer size or offset
   */
  encode(target: EncodeTarget, {input, output, count, stride = 1, field = 0}: ArgReduceBuffers): void {
    checkField(stride, field);
    const atMost = atMostOf(count);
    const {searchGroups, searchLast} = this.#kernels;
    const groups = reductionGroups(atMost);
    const bound = bindWords(this.#gpu, 'input', input, atMost * stride);
    const candidates = this.#candidates.buffer;
    const {params, deviceCount} = writeCounted(this.#params, argReduceWgsl.structs.ArgReduceParams, count, {
      groups,
      stride,
      field,
    });
    const quads = quadsOf(bound, params);
    const first = searchGroups.bind({input: bound, quads, candidates, params, deviceCount});
    const second = searchLast.bind({
      candidates,
      output: bindWords(this.#gpu, 'output', output, 2),
      params,
      deviceCount,
    });
    encodeInto(target, 'gpu-primitives/argReduce', (pass) => {
      searchGroups.dispatch(pass, first, foldDispatch(groups));
      searchLast.dispatch(pass, second, [1, 1, 1]);
    });
  }

  /** Searches a typed array: upload, search, read-back. */
  async run(values: ElementArrays[E]): Promise<Found> {
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/argReduce');
    return this.#host.run(async (call) => {
      const input = await call.upload(values);
      const output = call.room(2);
      call.submit((pass) => this.encode(pass, {input, output, count: values.length}));
      const words = await call.read(output, new Uint32Array(2));
      return {index: words[0] === NO_INDEX ? -1 : words[0], value: valueOf(words[1], this.#element)};
    });
  }

  destroy(): void {
    this.#host?.destroy();
    this.#params.destroy();
    this.#candidates.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

function valueOf(word: number, element: Element): number {
  if (element === 'u32') return word;
  const bits = Uint32Array.of(word);
  return element === 'i32' ? new Int32Array(bits.buffer)[0] : new Float32Array(bits.buffer)[0];
}
