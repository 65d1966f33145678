import {foldDispatch, Kernel, ParamRing, type Bindable, type Gpu, type GpuBuffer} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {elementArray, operatorOverrides, type Element, type ElementArrays, type Operator} from './operators.ts';
import {scanWgsl} from './scan.wgsl.ts';
import {spreadTiles} from './tiles.ts';

/** Words of a tile in scan.wgsl: 256 invocations, 7 words each. */
const TILE = 1792;
/** Enough workgroups to fill a large GPU; each looks at the totals of all before it. */
const MAX_GROUPS = 4096;

export interface ScanOptions<E extends Element = Element> {
  readonly isInclusive?: boolean;
  /** `sum` unless given. */
  readonly operator?: Operator;
  /** `u32` unless given. */
  readonly element?: E;
}

export interface ScanBuffers {
  /** `count` words; not modified. */
  readonly input: Bindable;
  /** Receives `count` words; must not overlap `input`. */
  readonly output: Bindable;
  readonly count: Count;
}

interface ScanKernels {
  readonly reduceGroups: Kernel<typeof scanWgsl, 'reduceGroups'>;
  readonly scanGroups: Kernel<typeof scanWgsl, 'scanGroups'>;
}

/**
 * Running combination of all words before each word (exclusive, the default) or up to it (inclusive).
 *
 * Integers are exact (sums wrap); float sums repeat on one adapter for a count; float minimum and maximum are those of IEEE
 * 754 totalOrder. An exclusive scan begins with the operator's identity: 0, or the largest or smallest value.
 *
 * @source  Merrill and Garland 2016, §2: reduce-then-scan, so that no workgroup waits for another
 */
export class Scan<E extends Element = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #element: E;
  readonly #kernels: ScanKernels;
  readonly #params: ParamRing;
  readonly #totals: GpuBuffer;
  #host: HostCalls | undefined;

  private constructor(gpu: Gpu, element: E, kernels: ScanKernels) {
    this.#gpu = gpu;
    this.#element = element;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/scan.params');
    this.#totals = gpu.createBuffer('gpu-primitives/scan.totals', 4 * MAX_GROUPS, GPUBufferUsage.STORAGE);
  }

  /** Compiles the pipelines; they serve every count. */
  static create(gpu: Gpu, options?: ScanOptions<'u32'>): Promise<Scan>;
  static create<E extends Element>(gpu: Gpu, options: ScanOptions<E> & {element: E}): Promise<Scan<E>>;
  static async create(gpu: Gpu, options: ScanOptions = {}): Promise<Scan<Element>> {
    const {isInclusive = false, operator = 'sum', element = 'u32'} = options;
    const overrides = operatorOverrides(operator, element);
    const [reduceGroups, scanGroups] = await Promise.all([
      Kernel.create(gpu, scanWgsl, 'reduceGroups', overrides),
      Kernel.create(gpu, scanWgsl, 'scanGroups', {...overrides, IS_INCLUSIVE: isInclusive}),
    ]);
    return new Scan<Element>(gpu, element, {reduceGroups, scanGroups});
  }

  /**
   * Records two dispatches. O(count) work, O(1) scratch, which all runs in one pass may share.
   *
   * @throws InvalidParameterError, GpuLimitError  for a bad count, buffer size or offset
   */
  encode(target: EncodeTarget, {input, output, count}: ScanBuffers): void {
    const atMost = atMostOf(count);
    if (atMost === 0) return;
    const {reduceGroups, scanGroups} = this.#kernels;
    const spread = spreadTiles(atMost, TILE, MAX_GROUPS);
    const counted = writeCounted(this.#params, scanWgsl.structs.ScanParams, count, {...spread});
    const shared = {input: bindWords(this.#gpu, 'input', input, atMost), groupTotals: this.#totals.buffer, ...counted};
    const first = reduceGroups.bind(shared);
    const second = scanGroups.bind({...shared, output: bindWords(this.#gpu, 'output', output, atMost)});
    encodeInto(target, 'gpu-primitives/scan', (pass) => {
      reduceGroups.dispatch(pass, first, foldDispatch(spread.groups));
      scanGroups.dispatch(pass, second, foldDispatch(spread.groups));
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
