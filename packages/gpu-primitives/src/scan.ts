import {checkKnownOptions} from '@epsball/clustering';
import {Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import type {Teamwork} from './cooperation.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {elementArray, operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
import {scanWgsl} from './scan.wgsl.ts';
import {sharingOn, type Sharing} from './tiles.ts';

/** Enough workgroups to fill a large GPU; each reads the totals of all workgroups before it. */
const MAX_GROUPS = 4096;

export interface ScanOptions<E extends Element = Element> {
  readonly isInclusive?: boolean;
  /** Default: `sum`. */
  readonly operator?: Operator;
  /** Default: `u32`. */
  readonly element?: E;
  /** How invocations cooperate. Default: `none` on a CPU, else `workgroups`. */
  readonly cooperation?: Teamwork;
}

export interface ScanBuffers {
  /** `count` words; not modified. */
  readonly input: Bindable;
  /** Receives `count` words; must not overlap `input`. */
  readonly output: Bindable;
  readonly count: Count;
}

interface ScanKernels {
  readonly reduce: Kernel<typeof scanWgsl, 'reduceGroups' | 'reduceAlone'>;
  readonly scan: Kernel<typeof scanWgsl, 'scanGroups' | 'scanAlone'>;
}

/**
 * Running combination of all words before each word (exclusive, the default) or up to it (inclusive).
 *
 * Integers are exact (sums wrap). Float sums are reproducible on one adapter for a count. A sum of d additions one
 * after another errs by d · 2^-24 · Σ|x|, to first order; d < 150 + count / 2^19 in workgroups, d < 400 + count / 2^13
 * with `cooperation: 'none'`. Float minimum and maximum follow IEEE 754 totalOrder. An exclusive scan begins with the
 * operator's identity: 0, or the largest or smallest value.
 *
 * @source  Merrill and Garland 2016, §2: reduce-then-scan (no workgroup waits for another)
 */
export class Scan<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #element: E;
  readonly #kernels: ScanKernels;
  readonly #sharing: Sharing;
  readonly #params: ParamRing;
  readonly #totals: GpuBuffer;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, element: E, kernels: ScanKernels, sharing: Sharing) {
    this.#gpu = gpu;
    this.#element = element;
    this.#kernels = kernels;
    this.#sharing = sharing;
    this.#params = new ParamRing(gpu, 'gpu-primitives/scan.params');
    this.#totals = gpu.createBuffer('gpu-primitives/scan.totals', 4 * sharing.maxGroups, GPUBufferUsage.STORAGE);
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: ScanOptions<'u32'>): Promise<Scan>;
  static create<E extends Element>(gpu: Gpu, options: ScanOptions<E> & {element: E}): Promise<Scan<E>>;
  static async create(gpu: Gpu, options: ScanOptions = {}): Promise<Scan<Element>> {
    checkKnownOptions(
      options,
      ['isInclusive', 'operator', 'element', 'cooperation'],
      'options',
      "an object such as {operator: 'max'}",
    );
    const {isInclusive = false, operator = 'sum', element = 'u32'} = options;
    const sharing = sharingOn(gpu, MAX_GROUPS, options.cooperation);
    const {isAlone, ITEMS} = sharing;
    const overrides = {...operatorOverrides(operator, element), ITEMS};
    const [reduce, scan] = await Promise.all([
      Kernel.create(gpu, scanWgsl, isAlone ? 'reduceAlone' : 'reduceGroups', overrides),
      Kernel.create(gpu, scanWgsl, isAlone ? 'scanAlone' : 'scanGroups', {...overrides, IS_INCLUSIVE: isInclusive}),
    ]);
    return new Scan<Element>(gpu, element, {reduce, scan}, sharing);
  }

  /**
   * Records two dispatches. O(count) work; O(1) scratch, which several encodes in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, buffer size or offset
   */
  encode(target: EncodeTarget, {input, output, count}: ScanBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const {reduce, scan} = this.#kernels;
    const shares = this.#sharing.sharesOf(atMost);
    const counted = writeCounted(this.#params, scanWgsl.structs.ScanParams, count, {...shares});
    const shared = {input: bindWords(this.#gpu, 'input', input, atMost), groupTotals: this.#totals.buffer, ...counted};
    const first = reduce.bind(shared);
    const second = scan.bind({...shared, output: bindWords(this.#gpu, 'output', output, atMost)});
    const counts = this.#sharing.dispatchFor(shares.groups);
    encodeInto(target, 'gpu-primitives/scan', (pass) => {
      reduce.dispatch(pass, first, counts);
      scan.dispatch(pass, second, counts);
    });
  }

  /** Scans a typed array into a new one: upload, scan, read-back. */
  async run(values: ElementArrays[E]): Promise<ElementArrays[E]> {
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/scan');
    return this.#host.run(async (call) => {
      const input = await call.upload(values);
      const output = call.room(values.length);
      call.submit((pass) => this.encode(pass, {input, output, count: values.length}));
      return call.read(output, elementArray(this.#element, values.length));
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
