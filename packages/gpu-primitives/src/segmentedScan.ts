import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf} from './count.ts';
import {elementArray, LIKE_MAX, operatorOverrides, type Element, type ElementArrays} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {compileShares, HEADS, type ShareKernel} from './runs.ts';
import type {ScanBuffers, ScanOptions} from './scan.ts';
import {segmentedScanWgsl} from './segmentedScan.wgsl.ts';
import {segmentsStructs} from './segments.wgsl.ts';
import type {Sharing} from './tiles.ts';

export interface SegmentedScanOptions<E extends Element = Element> extends ScanOptions<E> {
  /** Where a segment begins. `keys`: where the key differs from the one before. `flags`: at a flag. Default: `keys`. */
  readonly segments?: 'keys' | 'flags';
}

export interface SegmentedScanBuffers extends ScanBuffers {
  /**
   * `count` words, not modified: u32 keys, or flags, where a word ≠ 0 begins a segment. The first element always begins
   * one. Not overlapped by `output`.
   */
  readonly segments: Bindable;
}

/**
 * Scan that restarts at every segment: the combination of the segment's words before each word (exclusive, the default)
 * or up to it (inclusive).
 *
 * Integers are exact (sums wrap). Float sums are reproducible on one adapter for a count. Float minimum and maximum
 * follow IEEE 754 totalOrder. In an exclusive scan the first word of a segment is the operator's identity: 0, or the
 * largest or smallest value, for f32 ±∞. Every other word combines words of the segment only.
 *
 * @source  Blelloch 1990, §1.5; Merrill and Garland 2016, §2 (reduce-then-scan: no workgroup waits for another)
 */
export class SegmentedScan<E extends Element = 'u32'> extends Primitive<{
  readonly element: E;
  readonly sharing: Sharing;
  readonly reduce: ShareKernel;
  readonly scan: Kernel<typeof segmentedScanWgsl, 'scanGroups' | 'scanAlone'>;
}> {
  /** Compiles the pipelines; they serve every count. */
  static create<E extends Element = 'u32'>(gpu: Gpu, options?: SegmentedScanOptions<E>): Promise<SegmentedScan<E>>;
  static async create(gpu: Gpu, options: SegmentedScanOptions = {}): Promise<SegmentedScan<Element>> {
    checkKnownOptions(options, ['isInclusive', 'operator', 'element', 'segments', 'cooperation'], 'options', LIKE_MAX);
    const {isInclusive = false, operator = 'sum', element = 'u32', segments = 'keys', cooperation} = options;
    const HEAD = segments === 'flags' ? HEADS.flags : HEADS.u32;
    const operation = {...operatorOverrides(operator, element), HEAD};
    const {sharing, reduce, overrides, scratch} = await compileShares(gpu, cooperation, operation);
    const entry = sharing.isAlone ? 'scanAlone' : 'scanGroups';
    const scan = await Kernel.create(gpu, segmentedScanWgsl, entry, {...overrides, IS_INCLUSIVE: isInclusive});
    return new SegmentedScan<Element>(gpu, 'segmentedScan', {element, sharing, reduce, scan}, scratch);
  }

  /** Records two dispatches: O(count) work, O(1) scratch. Throws for an invalid count, buffer size or offset. */
  encode(target: EncodeTarget, {segments, input, output, count}: SegmentedScanBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const {sharing, reduce, scan} = this.parts;
    const shares = sharing.sharesOf(atMost);
    const counts = sharing.dispatchFor(shares.groups);
    const shared = {
      keys: this.bind('segments', segments, atMost),
      values: this.bind('input', input, atMost),
      shareSegments: this.fixed('shareSegments'),
      ...writeCounted(this.params, segmentsStructs.RunsParams, count, {...shares, wanted: 0}),
    };
    const scanned = {...shared, output: this.bind('output', output, atMost)};
    this.record(target, reduce.encode(shared, counts), scan.encode(scanned, counts));
  }

  /**
   * Scans a typed array into a new one: upload, scan, read-back.
   *
   * @param segments  keys or flags, same length as `values`
   * @throws InvalidParameterError  if the lengths differ
   */
  async run(segments: Uint32Array, values: ElementArrays[E]): Promise<ElementArrays[E]> {
    const count = values.length;
    if (segments.length !== count) {
      throw new InvalidParameterError('segments.length', segments.length, `values.length = ${count}`);
    }
    return this.call(async ({upload, room, submit, read}) => {
      const [segmentsIn, input] = [await upload(segments), await upload(values)];
      const output = room(count);
      submit((pass) => this.encode(pass, {segments: segmentsIn, input, output, count}));
      return read(output, elementArray(this.parts.element, count));
    });
  }
}
