import {foldDispatch, Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {operatorOverrides, type Element, type Operator} from './operators.ts';
import {scanWgsl} from './scan.wgsl.ts';

/** Words a workgroup scans: 256 invocations, 8 words each. */
const TILE = 2048;

export interface ScanOptions {
  readonly isInclusive?: boolean;
  readonly operator?: Operator;
  readonly element?: Element;
}

export interface ScanBuffers {
  /** `length` words; not modified. */
  readonly input: Bindable;
  /** Receives `length` words; must not overlap `input`. */
  readonly output: Bindable;
  /** Words, 0 … 2^31 − 1. */
  readonly length: number;
}

interface ScanKernels {
  readonly reduceTiles: Kernel<typeof scanWgsl, 'reduceTiles'>;
  readonly scanSums: Kernel<typeof scanWgsl, 'scanSums'>;
  readonly scanTiles: Kernel<typeof scanWgsl, 'scanTiles'>;
}

/**
 * Running combination of all words before each word (exclusive, the default) or up to it (inclusive).
 *
 * Reduce-then-scan in three dispatches (Merrill and Garland 2016, §2): 3 · length words of traffic where the best
 * needs 2, but no workgroup waits for another, so it ends on every adapter.
 */
export class Scan implements Disposable {
  readonly #kernels: ScanKernels;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, kernels: ScanKernels) {
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/scan.params');
    this.#scratch = new Scratch(gpu, 'gpu-primitives/scan');
  }

  /** Compiles the pipelines; they serve every length. */
  static async create(gpu: Gpu, options: ScanOptions = {}): Promise<Scan> {
    const {isInclusive = false, operator = 'sum', element = 'u32'} = options;
    const overrides = operatorOverrides(operator, element);
    const [reduceTiles, scanSums, scanTiles] = await Promise.all([
      Kernel.create(gpu, scanWgsl, 'reduceTiles', overrides),
      Kernel.create(gpu, scanWgsl, 'scanSums', overrides),
      Kernel.create(gpu, scanWgsl, 'scanTiles', {...overrides, IS_INCLUSIVE: isInclusive}),
    ]);
    return new Scan(gpu, {reduceTiles, scanSums, scanTiles});
  }

  /**
   * Sizes the scratch for scans of up to `length` words, so that `encode` allocates nothing.
   * To be called before two encodes of growing length in one pass: growing destroys what is recorded already.
   */
  reserve(length: number): void {
    this.#scratch.take('sums', 4 * Math.max(1, Math.ceil(length / TILE)));
  }

  /** Records three dispatches. Scratch: one word a tile of 2048, shared by all scans of this object in a pass. */
  encode(pass: GPUComputePassEncoder, {input, output, length}: ScanBuffers): void {
    if (length === 0) return;
    const {reduceTiles, scanSums, scanTiles} = this.#kernels;
    const tiles = Math.ceil(length / TILE);
    const sums = this.#scratch.take('sums', 4 * tiles);
    const params = this.#params.write(scanWgsl.structs.ScanParams, {length, tiles});
    reduceTiles.dispatch(pass, reduceTiles.bind({input, sums, params}), foldDispatch(tiles));
    scanSums.dispatch(pass, scanSums.bind({sums, params}), [1, 1, 1]);
    scanTiles.dispatch(pass, scanTiles.bind({input, output, sums, params}), foldDispatch(tiles));
  }

  destroy(): void {
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
