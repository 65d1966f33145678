import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import type {Bindable, Gpu} from '@epsball/gpu';
import {elementArray, LIKE_MAX, operatorOverrides, type Element, type ElementArrays} from './operators.ts';
import type {EncodeTarget} from './primitive.ts';
import type {ReduceOptions} from './reduce.ts';
import type {RunLengthBuffers, RunLengthOptions} from './runLength.ts';
import {compileRuns, runKeyArray, RunWriter, type RunKey, type RunKeyArrays} from './runs.ts';

/** Operator and type of the values, and type of the keys. */
export interface ReduceByKeyOptions<E extends Element = Element, K extends RunKey = RunKey>
  extends ReduceOptions<E>, RunLengthOptions<K> {}

export interface ReduceByKeyBuffers extends Omit<RunLengthBuffers, 'starts' | 'lengths'> {
  /** `count` words; not modified. */
  readonly values: Bindable;
  /** Receives the combination of every run's values; room for `count` words; must not overlap the inputs. */
  readonly totals: Bindable;
}

/** Result of `run`: one element per run. */
export interface ReducedByKey<E extends Element, K extends RunKey = 'u32'> {
  readonly uniqueKeys: RunKeyArrays[K];
  readonly totals: ElementArrays[E];
}

/**
 * Combines the values of every run of equal neighbouring keys. Sorted keys have one run each; others may have several.
 *
 * Integers are exact (sums wrap). The order of a float sum depends on the count only, so the result is reproducible on
 * one adapter. Float minimum and maximum follow IEEE 754 totalOrder, over the run's values only.
 *
 * @source  Merrill and Garland 2016, §2 (reduce-then-scan) over the pairs of Blelloch 1990, §1.5
 */
export class ReduceByKey<E extends Element = 'u32', K extends RunKey = 'u32'> extends RunWriter<
  K,
  {readonly element: E}
> {
  /** Compiles the pipelines; they serve every count. */
  static create<E extends Element = 'u32', K extends RunKey = 'u32'>(
    gpu: Gpu,
    options?: ReduceByKeyOptions<E, K>,
  ): Promise<ReduceByKey<E, K>>;
  static async create(gpu: Gpu, options: ReduceByKeyOptions = {}): Promise<ReduceByKey<Element, RunKey>> {
    checkKnownOptions(options, ['operator', 'element', 'key', 'cooperation'], 'options', LIKE_MAX);
    const {operator = 'sum', element = 'u32', key = 'u32', cooperation} = options;
    const [parts, scratch] = await compileRuns(gpu, key, cooperation, operatorOverrides(operator, element));
    return new ReduceByKey<Element, RunKey>(gpu, 'reduceByKey', {...parts, element}, scratch);
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, buffer size or offset. */
  encode(target: EncodeTarget, buffers: ReduceByKeyBuffers): void {
    this.encodeRuns(target, 'totals', buffers);
  }

  /**
   * Reduces typed arrays: upload, reduction, read-back.
   *
   * @param values  one per key
   * @throws InvalidParameterError  if the lengths differ
   */
  async run(keys: RunKeyArrays[K], values: ElementArrays[E]): Promise<ReducedByKey<E, K>> {
    const count = values.length;
    if (keys.length !== count) {
      throw new InvalidParameterError('keys.length', keys.length, `values.length = ${count}`);
    }
    return this.call(async ({upload, room, submit, read}) => {
      const [keysIn, valuesIn] = [await upload(keys), await upload(values)];
      const [uniqueKeys, totals, runCount] = [room(keys.byteLength / 4), room(count), room(1)];
      submit((pass) => this.encode(pass, {keys: keysIn, values: valuesIn, uniqueKeys, totals, runCount, count}));
      const [runs] = await read(runCount, new Uint32Array(1));
      return {
        uniqueKeys: await read(uniqueKeys, runKeyArray(this.parts.key, runs)),
        totals: await read(totals, elementArray(this.parts.element, runs)),
      };
    });
  }
}
