import {InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {compactWgsl} from './compact.wgsl.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {spreadTiles} from './tiles.ts';

/** Words of a tile in compact.wgsl: 256 invocations, 7 words each. */
const TILE = 1792;
/** Enough workgroups to fill a large GPU; each looks at the counts of all. */
const MAX_GROUPS = 2048;

export interface CompactOptions {
  /** `words`, the default: elements come from `values`; `index`: an element is its own position. */
  readonly values?: 'words' | 'index';
  /** The dropped elements follow the kept ones, in their order. */
  readonly isPartition?: boolean;
}

export interface CompactBuffers {
  /** `count` words; not modified, and left out where elements are positions. */
  readonly values?: Bindable;
  /** `count` words, 0 = drop, else keep; not modified. */
  readonly flags: Bindable;
  /** Receives the kept words in their order; room for `count`; must not overlap the inputs. */
  readonly output: Bindable;
  /** Receives one word: how many were kept. */
  readonly keptCount: Bindable;
  readonly count: Count;
}

interface CompactKernels {
  readonly countGroups: Kernel<typeof compactWgsl, 'countGroups'>;
  readonly writeGroups: Kernel<typeof compactWgsl, 'writeGroups'>;
}

/** What a call with typed arrays returns. */
export interface Compacted {
  /** The kept elements; of a partition all of them, the kept ones first. */
  readonly values: Uint32Array;
  readonly keptCount: number;
}

/**
 * Keeps the flagged words of a list, in order; as a partition, puts the others behind them, in order too.
 *
 * @source  Blelloch 1990, §1.5 (pack, split)
 */
export class Compact implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: Required<CompactOptions>;
  readonly #kernels: CompactKernels;
  readonly #params: ParamRing;
  readonly #totals: GpuBuffer;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, options: Required<CompactOptions>, kernels: CompactKernels) {
    this.#gpu = gpu;
    this.#options = options;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/compact.params');
    this.#totals = gpu.createBuffer('gpu-primitives/compact.totals', 4 * MAX_GROUPS, GPUBufferUsage.STORAGE);
  }

  /** Compiles the pipelines; they serve every count. */
  static async create(gpu: Gpu, options: CompactOptions = {}): Promise<Compact> {
    const {values = 'words', isPartition = false} = options;
    const overrides = {IS_PARTITION: isPartition, IS_INDEX: values === 'index'};
    const [countGroups, writeGroups] = await Promise.all([
      Kernel.create(gpu, compactWgsl, 'countGroups'),
      Kernel.create(gpu, compactWgsl, 'writeGroups', overrides),
    ]);
    return new Compact(gpu, {values, isPartition}, {countGroups, writeGroups});
  }

  /**
   * Records two dispatches. O(count) work, O(1) scratch, which all runs in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for a bad count, buffer size or offset
   */
  encode(target: EncodeTarget, buffers: CompactBuffers): void {
    const {flags, output, keptCount, count} = buffers;
    if (this.#options.values === 'words' && !buffers.values) {
      throw new InvalidParameterError('values', buffers.values, 'a buffer; only positions need none');
    }
    // Positions are not read from anywhere, but something must be bound.
    const {values = flags} = buffers;
    const {countGroups, writeGroups} = this.#kernels;
    const atMost = atMostOf(count);
    const spread = spreadTiles(atMost, TILE, MAX_GROUPS);
    const bind = (what: string, bindable: Bindable, words: number): Bindable =>
      bindWords(this.#gpu, what, bindable, words);
    const counted = writeCounted(this.#params, compactWgsl.structs.CompactParams, count, {...spread});
    const shared = {flags: bind('flags', flags, atMost), groupTotals: this.#totals.buffer, ...counted};
    const first = countGroups.bind(shared);
    const second = writeGroups.bind({
      ...shared,
      values: bind('values', values, atMost),
      output: bind('output', output, atMost),
      keptCount: bind('keptCount', keptCount, 1),
    });
    encodeInto(target, 'gpu-primitives/compact', (pass) => {
      countGroups.dispatch(pass, first, foldDispatch(spread.groups));
      writeGroups.dispatch(pass, second, foldDispatch(spread.groups));
    });
  }

  /**
   * Compacts or partitions a typed array: upload, work, read-back.
   *
   * @param flags   0 = drop, else keep
   * @param values  of the same length; left out where elements are positions
   */
  async run(flags: Uint32Array, values?: Uint32Array): Promise<Compacted> {
    if (this.#options.values === 'words' && values?.length !== flags.length) {
      throw new InvalidParameterError('values.length', values?.length, `${flags.length}, one a flag`);
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
