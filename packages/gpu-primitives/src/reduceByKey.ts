import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {binderOf} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import type {Teamwork} from './cooperation.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {
  numberOf,
  elementArray,
  operatorOverrides,
  type Element,
  type ElementArrays,
  type Operator,
} from './operators.ts';
import {reduceByKeyWgsl} from './reduceByKey.wgsl.ts';
import {runGroupsWgsl} from './runGroups.wgsl.ts';
import {runHeadsStructs} from './runHeads.wgsl.ts';
import {HEADS, runSharingOn, runKeyArray, RunScratch, type RunKey, type RunKeyArrays} from './runScratch.ts';
import type {Sharing} from './tiles.ts';

/** The bit of `RunsParams.wanted` in reduceByKey.wgsl. */
const WANTS_KEYS = 1;

export interface ReduceByKeyOptions<E extends Element = Element, K extends RunKey = RunKey> {
  /** Default: `sum`. */
  readonly operator?: Operator;
  /** Type of the values. Default: `u32`. */
  readonly element?: E;
  /** Default: `u32`. */
  readonly key?: K;
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface ReduceByKeyBuffers {
  /** `count` keys, compared by their bits; not modified. */
  readonly keys: Bindable;
  /** `count` words; not modified. */
  readonly values: Bindable;
  /** Receives the key of every run, in order; room for `count` keys; must not overlap the inputs. Optional. */
  readonly uniqueKeys?: Bindable;
  /** Receives the combination of every run's values; room for `count` words; must not overlap the inputs. */
  readonly totals: Bindable;
  /** Receives one word: the number of runs. Serves as a `DeviceCount`. */
  readonly runCount: Bindable;
  readonly count: Count;
}

/** Result of `run`: one element per run. */
export interface ReducedByKey<E extends Element, K extends RunKey = 'u32'> {
  readonly uniqueKeys: RunKeyArrays[K];
  readonly totals: ElementArrays[E];
}

interface ReduceByKeyKernels {
  readonly reduce: Kernel<typeof runGroupsWgsl, 'reduceGroups' | 'reduceAlone'>;
  readonly write: Kernel<typeof reduceByKeyWgsl, 'writeRuns' | 'writeAlone'>;
}

/**
 * Combines the values of every run of equal neighbouring keys. Sorted keys have one run each; others may have several.
 *
 * Integers are exact (sums wrap). The order of a float sum depends on the count only, so the result is reproducible on
 * one adapter. Float minimum and maximum follow IEEE 754 totalOrder, over the run's values only.
 *
 * @source  Merrill and Garland 2016, §2 (reduce-then-scan) over the pairs of Blelloch 1990, §1.5
 */
export class ReduceByKey<E extends Element = 'u32', K extends RunKey = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: {readonly element: E; readonly key: K};
  readonly #kernels: ReduceByKeyKernels;
  readonly #sharing: Sharing;
  readonly #scratch: RunScratch;
  #host: HostCalls | undefined;

  private constructor(
    gpu: Gpu,
    options: {readonly element: E; readonly key: K},
    kernels: ReduceByKeyKernels,
    sharing: Sharing,
  ) {
    this.#gpu = gpu;
    this.#options = options;
    this.#kernels = kernels;
    this.#sharing = sharing;
    this.#scratch = new RunScratch(gpu, 'gpu-primitives/reduceByKey', sharing);
  }

  /** Compiles the pipelines; they serve every count. */
  static create<E extends Element = 'u32', K extends RunKey = 'u32'>(
    gpu: Gpu,
    options?: ReduceByKeyOptions<E, K>,
  ): Promise<ReduceByKey<E, K>>;
  static async create(gpu: Gpu, options: ReduceByKeyOptions = {}): Promise<ReduceByKey<Element, RunKey>> {
    checkKnownOptions(
      options,
      ['operator', 'element', 'key', 'cooperation'],
      'options',
      "an object such as {operator: 'max'}",
    );
    const {operator = 'sum', element = 'u32', key = 'u32', cooperation} = options;
    const sharing = runSharingOn(gpu, cooperation);
    const {isAlone, ITEMS} = sharing;
    const overrides = {
      ...operatorOverrides(operator, element),
      HEAD: numberOf('key', key, {u32: HEADS.u32, u64: HEADS.u64}),
      ITEMS,
    };
    const [reduce, write] = await Promise.all([
      Kernel.create(gpu, runGroupsWgsl, isAlone ? 'reduceAlone' : 'reduceGroups', overrides),
      Kernel.create(gpu, reduceByKeyWgsl, isAlone ? 'writeAlone' : 'writeRuns', overrides),
    ]);
    return new ReduceByKey<Element, RunKey>(gpu, {element, key}, {reduce, write}, sharing);
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, buffer size or offset
   */
  encode(target: EncodeTarget, buffers: ReduceByKeyBuffers): void {
    const {keys, values, uniqueKeys, totals, runCount, count} = buffers;
    const {reduce, write} = this.#kernels;
    const {params, groupHeads, groupOperands} = this.#scratch;
    const atMost = atMostOf(count);
    const keyWords = this.#options.key === 'u64' ? 2 * atMost : atMost;
    const shares = this.#sharing.sharesOf(atMost);
    const wanted = uniqueKeys ? WANTS_KEYS : 0;
    const counted = writeCounted(params, runHeadsStructs.RunsParams, count, {...shares, wanted});
    const bind = binderOf(this.#gpu);
    const shared = {
      keys: bind('keys', keys, keyWords),
      values: bind('values', values, atMost),
      groupHeads,
      groupOperands,
      ...counted,
    };
    const first = reduce.bind(shared);
    const second = write.bind({
      ...shared,
      uniqueKeys: uniqueKeys ? bind('uniqueKeys', uniqueKeys, keyWords) : this.#scratch.unwanted(0),
      totals: bind('totals', totals, atMost),
      runCount: bind('runCount', runCount, 1),
    });
    const counts = this.#sharing.dispatchFor(shares.groups);
    encodeInto(target, 'gpu-primitives/reduceByKey', (pass) => {
      reduce.dispatch(pass, first, counts);
      write.dispatch(pass, second, counts);
    });
  }

  /**
   * Reduces typed arrays: upload, reduction, read-back.
   *
   * @param values  one per key
   * @throws InvalidParameterError  if the lengths differ
   */
  async run(keys: RunKeyArrays[K], values: ElementArrays[E]): Promise<ReducedByKey<E, K>> {
    const {key, element} = this.#options;
    if (keys.length !== values.length) {
      throw new InvalidParameterError('keys.length', keys.length, `values.length = ${values.length}`);
    }
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/reduceByKey');
    return this.#host.run(async (call) => {
      const count = values.length;
      const [keysIn, valuesIn] = [await call.upload(keys), await call.upload(values)];
      const [uniqueKeys, totals, runCount] = [call.room(keys.byteLength / 4), call.room(count), call.room(1)];
      call.submit((pass) => this.encode(pass, {keys: keysIn, values: valuesIn, uniqueKeys, totals, runCount, count}));
      const [runs] = await call.read(runCount, new Uint32Array(1));
      return {
        uniqueKeys: await call.read(uniqueKeys, runKeyArray(key, runs)),
        totals: await call.read(totals, elementArray(element, runs)),
      };
    });
  }

  destroy(): void {
    this.#host?.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
