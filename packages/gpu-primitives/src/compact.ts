import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {compactWgsl} from './compact.wgsl.ts';
import {writeCounted, atMostOf, type Count} from './count.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {type Teamwork, sharingOn, type Sharing} from './tiles.ts';

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
export class Compact extends Primitive<{
  readonly isIndex: boolean;
  readonly isPartition: boolean;
  readonly sharing: Sharing;
  readonly countKept: Kernel<typeof compactWgsl, 'countGroups' | 'countAlone'>;
  readonly write: Kernel<typeof compactWgsl, 'writeGroups' | 'writeAlone'>;
}> {
  /** Compiles the pipelines; they serve every count. */
  static async create(gpu: Gpu, options: CompactOptions = {}): Promise<Compact> {
    const example = "an object such as {values: 'index'}";
    checkKnownOptions(options, ['values', 'isPartition', 'cooperation'], 'options', example);
    const {values = 'words', isPartition = false, cooperation} = options;
    const sharing = sharingOn(gpu, MAX_GROUPS, cooperation);
    const isIndex = values === 'index';
    const {isAlone, ITEMS, maxGroups} = sharing;
    const overrides = {IS_INDEX: isIndex, IS_PARTITION: isPartition, ITEMS};
    const [countKept, write] = await Promise.all([
      Kernel.create(gpu, compactWgsl, isAlone ? 'countAlone' : 'countGroups', {ITEMS}),
      Kernel.create(gpu, compactWgsl, isAlone ? 'writeAlone' : 'writeGroups', overrides),
    ]);
    return new Compact(gpu, 'compact', {isIndex, isPartition, sharing, countKept, write}, {totals: 4 * maxGroups});
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, buffer size or offset. */
  encode(target: EncodeTarget, buffers: CompactBuffers): void {
    const {flags, output, keptCount, count} = buffers;
    const {isIndex, sharing, countKept, write} = this.parts;
    if (!isIndex && !buffers.values) {
      throw new InvalidParameterError('values', buffers.values, "a buffer, or the option values: 'index'");
    }
    // Positions are not read from a buffer, but the binding needs one.
    const {values = flags} = buffers;
    const atMost = atMostOf(count);
    const shares = sharing.sharesOf(atMost);
    const counts = sharing.dispatchFor(shares.groups);
    const shared = {
      flags: this.bind('flags', flags, atMost),
      groupTotals: this.fixed('totals'),
      ...writeCounted(this.params, compactWgsl.structs.CompactParams, count, {...shares}),
    };
    const written = {
      ...shared,
      values: this.bind('values', values, atMost),
      output: this.bind('output', output, atMost),
      keptCount: this.bind('keptCount', keptCount, 1),
    };
    this.record(target, countKept.encode(shared, counts), write.encode(written, counts));
  }

  /**
   * Compacts or partitions a typed array: upload, work, read-back.
   *
   * @param flags   0 = drop, else keep
   * @param values  same length as `flags`; leave out if elements are positions
   */
  async run(flags: Uint32Array, values?: Uint32Array): Promise<Compacted> {
    const {isIndex, isPartition} = this.parts;
    if (!isIndex && values?.length !== flags.length) {
      throw new InvalidParameterError('values.length', values?.length, `${flags.length}, one per flag`);
    }
    return this.call(async ({upload, room, submit, read}) => {
      const count = flags.length;
      const flagsIn = await upload(flags);
      const valuesIn = values ? await upload(values) : flagsIn;
      const [output, keptOut] = [room(count), room(1)];
      submit((pass) => this.encode(pass, {flags: flagsIn, values: valuesIn, output, keptCount: keptOut, count}));
      const [keptCount] = await read(keptOut, new Uint32Array(1));
      return {values: await read(output, new Uint32Array(isPartition ? count : keptCount)), keptCount};
    });
  }
}
