import {checkKnownOptions} from '@epsball/clustering';
import {foldDispatch, Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {argReduceWgsl} from './argReduce.wgsl.ts';
import {writeCounted, atMostOf, checkRecord} from './count.ts';
import {arrayOf, LIKE_MAX, operatorOverrides, type Element, type ElementArrays} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import type {ReduceBuffers} from './reduce.ts';
import {MAX_REDUCTION_GROUPS, reductionGroups} from './tiles.ts';

const NO_INDEX = 0xffff_ffff;

export interface ArgReduceOptions<E extends Element = Element> {
  /** `min` for argmin, `max` for argmax. Default: `min`. */
  readonly operator?: 'min' | 'max';
  /** Default: `u32`. */
  readonly element?: E;
}

export interface ArgReduceBuffers extends ReduceBuffers {
  /** Receives two words: the index of the element, then its value. Must not overlap `input`. */
  readonly output: Bindable;
}

/** Result of `run`. */
export interface Found {
  /** −1 for an empty input. */
  readonly index: number;
  readonly value: number;
}

/**
 * Finds the least (argmin) or greatest (argmax) element: its index and its value. Ties go to the lowest index, on every
 * adapter.
 *
 * f32 values compare in IEEE 754 totalOrder on their bits: −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN, so −0 and +0 differ.
 * For an empty input the index is 0xffffffff and the value is the identity, as in `Reduce`.
 */
export class ArgReduce<E extends Element = 'u32'> extends Primitive<{
  readonly element: E;
  readonly searchGroups: Kernel<typeof argReduceWgsl, 'searchGroups'>;
  readonly searchLast: Kernel<typeof argReduceWgsl, 'searchLast'>;
}> {
  /** Compiles the pipelines; they serve every count. */
  static create<E extends Element = 'u32'>(gpu: Gpu, options?: ArgReduceOptions<E>): Promise<ArgReduce<E>>;
  static async create(gpu: Gpu, options: ArgReduceOptions = {}): Promise<ArgReduce<Element>> {
    checkKnownOptions(options, ['operator', 'element'], 'options', LIKE_MAX);
    const {operator = 'min', element = 'u32'} = options;
    const overrides = operatorOverrides(operator, element);
    const kernels = await Kernel.createEach(gpu, argReduceWgsl, ['searchGroups', 'searchLast'], overrides);
    const candidates = argReduceWgsl.structs.Candidate.size * MAX_REDUCTION_GROUPS;
    return new ArgReduce<Element>(gpu, 'argReduce', {element, ...kernels}, {candidates});
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, field, size or offset. */
  encode(target: EncodeTarget, {input, output, count, stride = 1, field = 0}: ArgReduceBuffers): void {
    checkRecord(stride, field);
    const atMost = atMostOf(count);
    const {searchGroups, searchLast} = this.parts;
    const groups = reductionGroups(atMost);
    const shared = {
      input: this.bind('input', input, atMost * stride),
      candidates: this.fixed('candidates'),
      ...writeCounted(this.params, argReduceWgsl.structs.ArgReduceParams, count, {groups, stride, field}),
    };
    const found = {...shared, output: this.bind('output', output, 2)};
    this.record(target, searchGroups.encode(shared, foldDispatch(groups)), searchLast.encode(found, [1, 1, 1]));
  }

  /** Searches a typed array: upload, search, read-back. */
  async run(values: ElementArrays[E]): Promise<Found> {
    return this.call(async ({upload, room, submit, read}) => {
      const input = await upload(values);
      const output = room(2);
      submit((pass) => this.encode(pass, {input, output, count: values.length}));
      const words = await read(output, new Uint32Array(2));
      const [, value] = arrayOf<Element>(this.parts.element, words.buffer);
      return {index: words[0] === NO_INDEX ? -1 : words[0], value};
    });
  }
}
