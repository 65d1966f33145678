import {InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {elementArray, operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
import {runGroupsWgsl} from './runGroups.wgsl.ts';
import {runHeadsStructs} from './runHeads.wgsl.ts';
import {HEADS, runItemsOn, RunScratch} from './runScratch.ts';
import {segmentedScanWgsl} from './segmentedScan.wgsl.ts';

export interface SegmentedScanOptions<E extends Element = Element> {
  readonly isInclusive?: boolean;
  /** `sum` unless given. */
  readonly operator?: Operator;
  /** `u32` unless given. */
  readonly element?: E;
  /** Where a segment begins. `keys`, the default: where the key differs from the one before; `flags`: where a flag is set. */
  readonly segments?: 'keys' | 'flags';
}

export interface SegmentedScanBuffers {
  /** `count` words: u32 keys, or flags, 0 = goes on, else begins. Not modified. The first element begins a segment always. */
  readonly segments: Bindable;
  /** `count` words; not modified. */
  readonly input: Bindable;
  /** Receives `count` words; must not overlap the inputs. */
  readonly output: Bindable;
  readonly count: Count;
}

interface SegmentedScanKernels {
  readonly reduceGroups: Kernel<typeof runGroupsWgsl, 'reduceGroups'>;
  readonly scanGroups: Kernel<typeof segmentedScanWgsl, 'scanGroups'>;
}

/**
 * Scan that starts again with every segment: the combination of the segment's words before each word (exclusive, the default)
 * or up to it (inclusive).
 *
 * Integers are exact (sums wrap); float sums repeat on one adapter for a count; float minimum and maximum are those of IEEE
 * 754 totalOrder. An exclusive scan gives a segment's first word the operator's identity: 0, or the largest or smallest
 * value, of f32 ±∞. Everything else is the combination of the segment's words alone.
 *
 * @source  Blelloch 1990, §1.5; Merrill and Garland 2016, §2 (reduce-then-scan, so that no workgroup waits for another)
 */
export class SegmentedScan<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #element: E;
  readonly #kernels: SegmentedScanKernels;
  readonly #scratch: RunScratch;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, element: E, kernels: SegmentedScanKernels) {
    this.#gpu = gpu;
    this.#element = element;
    this.#kernels = kernels;
    this.#scratch = new RunScratch(gpu, 'gpu-primitives/segmentedScan');
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: SegmentedScanOptions<'u32'>): Promise<SegmentedScan>;
  static create<E extends Element>(
    gpu: Gpu,
    options: SegmentedScanOptions<E> & {element: E},
  ): Promise<SegmentedScan<E>>;
  static async create(gpu: Gpu, options: SegmentedScanOptions = {}): Promise<SegmentedScan<Element>> {
    const {isInclusive = false, operator = 'sum', element = 'u32', segments = 'keys'} = options;
    const overrides = {
      ...operatorOverrides(operator, element),
      HEAD: segments === 'flags' ? HEADS.flags : HEADS.u32,
      ITEMS: runItemsOn(gpu),
    };
    const [reduceGroups, scanGroups] = await Promise.all([
      Kernel.create(gpu, runGroupsWgsl, 'reduceGroups', overrides),
      Kernel.create(gpu, segmentedScanWgsl, 'scanGroups', {...overrides, IS_INCLUSIVE: isInclusive}),
    ]);
    return new SegmentedScan<Element>(gpu, element, {reduceGroups, scanGroups});
  }

  /**
   * Records two dispatches. O(count) work, O(1) scratch, which all runs in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for a bad count, buffer size or offset
   */
  encode(target: EncodeTarget, {segments, input, output, count}: SegmentedScanBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const {reduceGroups, scanGroups} = this.#kernels;
    const {params, groupHeads, groupOperands} = this.#scratch;
    const spread = this.#scratch.spread(atMost);
    const counted = writeCounted(params, runHeadsStructs.RunsParams, count, {...spread, wanted: 0});
    const shared = {
      keys: bindWords(this.#gpu, 'segments', segments, atMost),
      values: bindWords(this.#gpu, 'input', input, atMost),
      groupHeads,
      groupOperands,
      ...counted,
    };
    const first = reduceGroups.bind(shared);
    const second = scanGroups.bind({...shared, output: bindWords(this.#gpu, 'output', output, atMost)});
    encodeInto(target, 'gpu-primitives/segmentedScan', (pass) => {
      reduceGroups.dispatch(pass, first, foldDispatch(spread.groups));
      scanGroups.dispatch(pass, second, foldDispatch(spread.groups));
    });
  }

  /**
   * Scans a typed array into a new one: upload, scan, read-back.
   *
   * @param segments  keys or flags, of the same length
   * @throws InvalidParameterError  if it is not
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
