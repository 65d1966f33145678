import {checkKnownOptions} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {binderOf} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import type {Teamwork} from './cooperation.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {numberOf} from './operators.ts';
import {runGroupsWgsl} from './runGroups.wgsl.ts';
import {runHeadsStructs} from './runHeads.wgsl.ts';
import {runLengthWgsl} from './runLength.wgsl.ts';
import {HEADS, runSharingOn, runKeyArray, RunScratch, type RunKey, type RunKeyArrays} from './runScratch.ts';
import type {Sharing} from './tiles.ts';

/** Bits of `RunsParams.wanted` in runLength.wgsl. */
const WANTS_KEYS = 1;
const WANTS_STARTS = 2;
const WANTS_LENGTHS = 4;

export interface RunLengthOptions<K extends RunKey = RunKey> {
  /** Default: `u32`. */
  readonly key?: K;
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface RunLengthBuffers {
  /** `count` keys, compared by their bits; not modified. */
  readonly keys: Bindable;
  /** Receives the key of every run, in order; room for `count` keys. Optional. */
  readonly uniqueKeys?: Bindable;
  /** Receives the position of every run's first key; room for `count` words. Optional. */
  readonly starts?: Bindable;
  /** Receives the number of keys of every run; room for `count` words. Optional. */
  readonly lengths?: Bindable;
  /** Receives one word: the number of runs. Serves as a `DeviceCount`. Outputs may not overlap keys or each other. */
  readonly runCount: Bindable;
  readonly count: Count;
}

/** Result of `run`: one element per run. */
export interface Runs<K extends RunKey = 'u32'> {
  readonly uniqueKeys: RunKeyArrays[K];
  readonly starts: Uint32Array;
  readonly lengths: Uint32Array;
}

interface RunLengthKernels {
  readonly count: Kernel<typeof runGroupsWgsl, 'countGroups' | 'countAlone'>;
  readonly write: Kernel<typeof runLengthWgsl, 'writeRuns' | 'writeAlone'>;
}

/**
 * Finds the runs of equal neighbouring keys: keys, starts, lengths, and number of runs. Sorted keys have one run each;
 * others may have several.
 *
 * @source  Merrill and Garland 2016, §2 (reduce-then-scan: no workgroup waits for another)
 */
export class RunLength<K extends RunKey = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #key: K;
  readonly #kernels: RunLengthKernels;
  readonly #sharing: Sharing;
  readonly #scratch: RunScratch;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, key: K, kernels: RunLengthKernels, sharing: Sharing) {
    this.#gpu = gpu;
    this.#key = key;
    this.#kernels = kernels;
    this.#sharing = sharing;
    this.#scratch = new RunScratch(gpu, 'gpu-primitives/runLength', sharing);
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: RunLengthOptions<'u32'>): Promise<RunLength>;
  static create<K extends RunKey>(gpu: Gpu, options: RunLengthOptions<K> & {key: K}): Promise<RunLength<K>>;
  static async create(gpu: Gpu, options: RunLengthOptions = {}): Promise<RunLength<RunKey>> {
    checkKnownOptions(options, ['key', 'cooperation'], 'options', "an object such as {key: 'u64'}");
    const {key = 'u32', cooperation} = options;
    const sharing = runSharingOn(gpu, cooperation);
    const {isAlone, ITEMS} = sharing;
    const overrides = {HEAD: numberOf('key', key, {u32: HEADS.u32, u64: HEADS.u64}), ITEMS};
    const [count, write] = await Promise.all([
      Kernel.create(gpu, runGroupsWgsl, isAlone ? 'countAlone' : 'countGroups', overrides),
      Kernel.create(gpu, runLengthWgsl, isAlone ? 'writeAlone' : 'writeRuns', overrides),
    ]);
    return new RunLength<RunKey>(gpu, key, {count, write}, sharing);
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, buffer size or offset
   */
  encode(target: EncodeTarget, buffers: RunLengthBuffers): void {
    const {keys, uniqueKeys, starts, lengths, runCount, count} = buffers;
    const {count: countHeads, write} = this.#kernels;
    const {params, groupHeads} = this.#scratch;
    const atMost = atMostOf(count);
    const keyWords = this.#key === 'u64' ? 2 * atMost : atMost;
    const shares = this.#sharing.sharesOf(atMost);
    const wanted = (uniqueKeys ? WANTS_KEYS : 0) | (starts ? WANTS_STARTS : 0) | (lengths ? WANTS_LENGTHS : 0);
    const counted = writeCounted(params, runHeadsStructs.RunsParams, count, {...shares, wanted});
    const bind = binderOf(this.#gpu);
    const shared = {keys: bind('keys', keys, keyWords), groupHeads, ...counted};
    const first = countHeads.bind(shared);
    const second = write.bind({
      ...shared,
      uniqueKeys: uniqueKeys ? bind('uniqueKeys', uniqueKeys, keyWords) : this.#scratch.unwanted(0),
      starts: starts ? bind('starts', starts, atMost) : this.#scratch.unwanted(1),
      lengths: lengths ? bind('lengths', lengths, atMost) : this.#scratch.unwanted(2),
      runCount: bind('runCount', runCount, 1),
    });
    const counts = this.#sharing.dispatchFor(shares.groups);
    encodeInto(target, 'gpu-primitives/runLength', (pass) => {
      countHeads.dispatch(pass, first, counts);
      write.dispatch(pass, second, counts);
    });
  }

  /** Finds the runs of a typed array: upload, search, read-back. */
  async run(keys: RunKeyArrays[K]): Promise<Runs<K>> {
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/runLength');
    return this.#host.run(async (call) => {
      const count = keys.length;
      const input = await call.upload(keys);
      const [uniqueKeys, runCount] = [call.room(keys.byteLength / 4), call.room(1)];
      const [starts, lengths] = [call.room(count), call.room(count)];
      call.submit((pass) => this.encode(pass, {keys: input, uniqueKeys, starts, lengths, runCount, count}));
      const [runs] = await call.read(runCount, new Uint32Array(1));
      return {
        uniqueKeys: await call.read(uniqueKeys, runKeyArray(this.#key, runs)),
        starts: await call.read(starts, new Uint32Array(runs)),
        lengths: await call.read(lengths, new Uint32Array(runs)),
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
