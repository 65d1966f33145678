import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import type {Teamwork} from './cooperation.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {elementArray, operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
import {runGroupsWgsl} from './runGroups.wgsl.ts';
import {runHeadsStructs} from './runHeads.wgsl.ts';
import {HEADS, runSharingOn, RunScratch} from './runScratch.ts';
import {segmentedScanWgsl} from './segmentedScan.wgsl.ts';
import type {Sharing} from './tiles.ts';

export interface SegmentedScanOptions<E extends Element = Element> {
  readonly isInclusive?: boolean;
  /** Default: `sum`. */
  readonly operator?: Operator;
  /** Default: `u32`. */
  readonly element?: E;
  /** Where a segment begins. `keys`: where the key differs from the one before. `flags`: at a flag. Default: `keys`. */
  readonly segments?: 'keys' | 'flags';
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface SegmentedScanBuffers {
  /**
   * `count` words, not modified: u32 keys, or flags, where a word ≠ 0 begins a segment. The first element always begins
   * one.
   */
  readonly segments: Bindable;
  /** `count` words; not modified. */
  readonly input: Bindable;
  /** Receives `count` words; must not overlap the inputs. */
  readonly output: Bindable;
  readonly count: Count;
}

interface SegmentedScanKernels {
  readonly reduce: Kernel<typeof runGroupsWgsl, 'reduceGroups' | 'reduceAlone'>;
  readonly scan: Kernel<typeof segmentedScanWgsl, 'scanGroups' | 'scanAlone'>;
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
export class SegmentedScan<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #element: E;
  readonly #kernels: SegmentedScanKernels;
  readonly #sharing: Sharing;
  readonly #scratch: RunScratch;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, element: E, kernels: SegmentedScanKernels, sharing: Sharing) {
    this.#gpu = gpu;
    this.#element = element;
    this.#kernels = kernels;
    this.#sharing = sharing;
    this.#scratch = new RunScratch(gpu, 'gpu-primitives/segmentedScan', sharing);
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: SegmentedScanOptions<'u32'>): Promise<SegmentedScan>;
  static create<E extends Element>(
    gpu: Gpu,
    options: SegmentedScanOptions<E> & {element: E},
  ): Promise<SegmentedScan<E>>;
  static async create(gpu: Gpu, options: SegmentedScanOptions = {}): Promise<SegmentedScan<Element>> {
    checkKnownOptions(
      options,
      ['isInclusive', 'operator', 'element', 'segments', 'cooperation'],
      'options',
      "an object such as {operator: 'max'}",
    );
    const {isInclusive = false, operator = 'sum', element = 'u32', segments = 'keys', cooperation} = options;
    const sharing = runSharingOn(gpu, cooperation);
    const {isAlone, ITEMS} = sharing;
    const overrides = {
      ...operatorOverrides(operator, element),
      HEAD: segments === 'flags' ? HEADS.flags : HEADS.u32,
      ITEMS,
    };
    const [reduce, scan] = await Promise.all([
      Kernel.create(gpu, runGroupsWgsl, isAlone ? 'reduceAlone' : 'reduceGroups', overrides),
      Kernel.create(gpu, segmentedScanWgsl, isAlone ? 'scanAlone' : 'scanGroups', {
        ...overrides,
        IS_INCLUSIVE: isInclusive,
      }),
    ]);
    return new SegmentedScan<Element>(gpu, element, {reduce, scan}, sharing);
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, buffer size or offset
   */
  encode(target: EncodeTarget, {segments, input, output, count}: SegmentedScanBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const {reduce, scan} = this.#kernels;
    const {params, groupHeads, groupOperands} = this.#scratch;
    const shares = this.#sharing.sharesOf(atMost);
    const counted = writeCounted(params, runHeadsStructs.RunsParams, count, {...shares, wanted: 0});
    const shared = {
      keys: bindWords(this.#gpu, 'segments', segments, atMost),
      values: bindWords(this.#gpu, 'input', input, atMost),
      groupHeads,
      groupOperands,
      ...counted,
    };
    const first = reduce.bind(shared);
    const second = scan.bind({...shared, output: bindWords(this.#gpu, 'output', output, atMost)});
    const counts = this.#sharing.dispatchFor(shares.groups);
    encodeInto(target, 'gpu-primitives/segmentedScan', (pass) => {
      reduce.dispatch(pass, first, counts);
      scan.dispatch(pass, second, counts);
    });
  }

  /**
   * Scans a typed array into a new one: upload, scan, read-back.
   *
   * @param segments  keys or flags, same length as `values`
   * @throws InvalidParameterError  if the lengths differ
   */
  async run(segments: Uint32Array, values: ElementArrays[E]): Promise<ElementArrays[E]> {
    if (segments.length !== values.length) {
      throw new InvalidParameterError('segments.length', segments.length, `values.length = ${values.length}`);
    }
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/segmentedScan');
    return this.#host.run(async (call) => {
      const count = values.length;
      const [segmentsIn, input] = [await call.upload(segments), await call.upload(values)];
      const output = call.room(count);
      call.submit((pass) => this.encode(pass, {segments: segmentsIn, input, output, count}));
      return call.read(output, elementArray(this.#element, count));
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
