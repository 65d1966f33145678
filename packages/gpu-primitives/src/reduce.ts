import {checkKnownOptions} from '@epsball/clustering';
import {foldDispatch, Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, checkRecord, type Count} from './count.ts';
import {
  elementArray,
  LIKE_MAX,
  operatorOverrides,
  type Element,
  type ElementArrays,
  type Operator,
} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {reduceWgsl} from './reduce.wgsl.ts';
import {MAX_REDUCTION_GROUPS, quadsOf, reductionGroups} from './tiles.ts';

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

/**
 * Combines all elements of a buffer into one word: sum, minimum or maximum of u32, i32 or f32.
 *
 * Integer results are exact (sums wrap). The order of a float sum depends on the count only, so the result is
 * reproducible on one adapter. An invocation adds at most 8 + count / 2^20 elements one after another (for records 32 +
 * count / 2^18), and fewer than 80 further additions follow. The error is at most that number · 2^-24 · Σ|x|, to first
 * order. Float minimum and maximum follow IEEE 754 totalOrder, to the bit. For an empty input the result is the
 * operator's identity.
 */
export class Reduce<E extends Element = 'u32'> extends Primitive<{
  readonly element: E;
  readonly reduceToGroups: Kernel<typeof reduceWgsl, 'reduceToGroups'>;
  readonly reduceToWord: Kernel<typeof reduceWgsl, 'reduceToWord'>;
}> {
  /** Compiles the pipelines; they serve every count. */
  static create<E extends Element = 'u32'>(gpu: Gpu, options?: ReduceOptions<E>): Promise<Reduce<E>>;
  static async create(gpu: Gpu, options: ReduceOptions = {}): Promise<Reduce<Element>> {
    checkKnownOptions(options, ['operator', 'element'], 'options', LIKE_MAX);
    const {operator = 'sum', element = 'u32'} = options;
    const overrides = operatorOverrides(operator, element);
    const kernels = await Kernel.createEach(gpu, reduceWgsl, ['reduceToGroups', 'reduceToWord'], overrides);
    return new Reduce<Element>(gpu, 'reduce', {element, ...kernels}, {partials: 4 * MAX_REDUCTION_GROUPS});
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, field, size or offset. */
  encode(target: EncodeTarget, {input, output, count, stride = 1, field = 0}: ReduceBuffers): void {
    checkRecord(stride, field);
    const atMost = atMostOf(count);
    const {reduceToGroups, reduceToWord} = this.parts;
    const groups = reductionGroups(atMost);
    const bound = this.bind('input', input, atMost * stride);
    const counted = writeCounted(this.params, reduceWgsl.structs.ReduceParams, count, {groups, stride, field});
    const shared = {input: bound, quads: quadsOf(bound, counted.params), partials: this.fixed('partials'), ...counted};
    const last = {...shared, output: this.bind('output', output, 1)};
    this.record(target, reduceToGroups.encode(shared, foldDispatch(groups)), reduceToWord.encode(last, [1, 1, 1]));
  }

  /** Reduces a typed array: upload, reduction, read-back. */
  async run(values: ElementArrays[E]): Promise<number> {
    return this.call(async ({upload, room, submit, read}) => {
      const input = await upload(values);
      const output = room(1);
      submit((pass) => this.encode(pass, {input, output, count: values.length}));
      return (await read<ElementArrays[Element]>(output, elementArray<Element>(this.parts.element, 1)))[0];
    });
  }
}
