import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {binderOf} from './bindWords.ts';
import type {Teamwork} from './cooperation.ts';
import {compactWgsl} from './compact.wgsl.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {sharingOn, type Sharing} from './tiles.ts';

/** Enough workgroups to fill a large GPU; each reads the counts of all workgroups before it. */
const MAX_GROUPS = 2048;

export interface CompactOptions {
  /** `words`: elements come from `values`. `index`: an element is its own position. Default: `words`. */
  readonly values?: 'words' | 'index';
  /** The dropped elements follow the kept ones, in their order. Default: false. */
  readonly isPartition?: boolean;
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface CompactBuffers {
  /** `count` words, not modified. Leave out if elements are positions. */
  readonly values?: Bindable;
  /** `count` words, 0 = drop, else keep; not modified. */
  readonly flags: Bindable;
  /** Receives the kept words in order; room for `count` words; must not overlap the inputs. */
  readonly output: Bindable;
  /** Receives one word: the number of kept elements. */
  readonly keptCount: Bindable;
  readonly count: Count;
}

interface CompactKernels {
  readonly count: Kernel<typeof compactWgsl, 'countGroups' | 'countAlone'>;
  readonly write: Kernel<typeof compactWgsl, 'writeGroups' | 'writeAlone'>;
}

/** Result of `run`. */
export interface Compacted {
  /** The kept elements; for a partition all elements, kept ones first. */
  readonly values: Uint32Array;
  readonly keptCount: number;
}

/**
 * Keeps the flagged words of a list, in order. A partition appends the others, also in order.
 *
 * @source  Blelloch 1990, §1.5 (pack, split)
 */
export class Compact implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: Omit<Required<CompactOptions>, 'cooperation'>;
  readonly #kernels: CompactKernels;
  readonly #sharing: Sharing;
  readonly #params: ParamRing;
  readonly #totals: GpuBuffer;
  #host: HostCalls | undefined;

  private constructor(
    gpu: Gpu,
    options: Omit<Required<CompactOptions>, 'cooperation'>,
    kernels: CompactKernels,
    sharing: Sharing,
  ) {
    this.#gpu = gpu;
    this.#options = options;
    this.#kernels = kernels;
    this.#sharing = sharing;
    this.#params = new ParamRing(gpu, 'gpu-primitives/compact.params');
    this.#totals = gpu.createBuffer('gpu-primitives/compact.totals', 4 * sharing.maxGroups, GPUBufferUsage.STORAGE);
  }

  /** Compiles the pipelines; they serve every count. */
  static async create(gpu: Gpu, options: CompactOptions = {}): Promise<Compact> {
    checkKnownOptions(
      options,
      ['values', 'isPartition', 'cooperation'],
      'options',
      "an object such as {values: 'index'}",
    );
    const {values = 'words', isPartition = false, cooperation} = options;
    const sharing = sharingOn(gpu, MAX_GROUPS, cooperation);
    const {isAlone, ITEMS} = sharing;
    const overrides = {IS_PARTITION: isPartition, IS_INDEX: values === 'index', ITEMS};
    const [count, write] = await Promise.all([
      Kernel.create(gpu, compactWgsl, isAlone ? 'countAlone' : 'countGroups', {ITEMS}),
      Kernel.create(gpu, compactWgsl, isAlone ? 'writeAlone' : 'writeGroups', overrides),
    ]);
    return new Compact(gpu, {values, isPartition}, {count, write}, sharing);
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, buffer size or offset
   */
  encode(target: EncodeTarget, buffers: CompactBuffers): void {
    const {flags, output, keptCount, count} = buffers;
    if (this.#options.values === 'words' && !buffers.values) {
      throw new InvalidParameterError('values', buffers.values, "a buffer, or the option values: 'index'");
    }
    // Positions are not read from a buffer, but the binding needs one.
    const {values = flags} = buffers;
    const kernels = this.#kernels;
    const atMost = atMostOf(count);
    const shares = this.#sharing.sharesOf(atMost);
    const bind = binderOf(this.#gpu);
    const counted = writeCounted(this.#params, compactWgsl.structs.CompactParams, count, {...shares});
    const shared = {flags: bind('flags', flags, atMost), groupTotals: this.#totals.buffer, ...counted};
    const first = kernels.count.bind(shared);
    const second = kernels.write.bind({
      ...shared,
      values: bind('values', values, atMost),
      output: bind('output', output, atMost),
      keptCount: bind('keptCount', keptCount, 1),
    });
    const counts = this.#sharing.dispatchFor(shares.groups);
    encodeInto(target, 'gpu-primitives/compact', (pass) => {
      kernels.count.dispatch(pass, first, counts);
      kernels.write.dispatch(pass, second, counts);
    });
  }

  /**
   * Compacts or partitions a typed array: upload, work, read-back.
   *
   * @param flags   0 = drop, else keep
   * @param values  same length as `flags`; leave out if elements are positions
   */
  async run(flags: Uint32Array, values?: Uint32Array): Promise<Compacted> {
    if (this.#options.values === 'words' && values?.length !== flags.length) {
      throw new InvalidParameterError('values.length', values?.length, `${flags.length}, one per flag`);
    }
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/compact');
    return this.#host.run(async (call) => {
      const count = flags.length;
      const flagsIn = await call.upload(flags);
      const valuesIn = values ? await call.upload(values) : flagsIn;
      const [output, keptOut] = [call.room(count), call.room(1)];
      call.submit((pass) => this.encode(pass, {flags: flagsIn, values: valuesIn, output, keptCount: keptOut, count}));
      const [keptCount] = await call.read(keptOut, new Uint32Array(1));
      const length = this.#options.isPartition ? count : keptCount;
      return {values: await call.read(output, new Uint32Array(length)), keptCount};
    });
  }

  destroy(): void {
    this.#host?.destroy();
    this.#params.destroy();
    this.#totals.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
