import {Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {compactWgsl} from './compact.wgsl.ts';
import {Scan} from './scan.ts';

export interface CompactBuffers {
  /** `length` words; not modified. */
  readonly values: Bindable;
  /** `length` words, 1 = keep, 0 = drop; not modified. */
  readonly flags: Bindable;
  /** Receives the kept words in their order; room for `length`; must not overlap the inputs. */
  readonly output: Bindable;
  /** Receives one word: how many were kept. Left as it is for length 0. */
  readonly count: Bindable;
  readonly length: number;
}

/** Keeps the flagged words of a list, in order. */
export class Compact implements Disposable {
  readonly #kernel: Kernel<typeof compactWgsl, 'writeKept'>;
  readonly #scan: Scan;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, kernel: Kernel<typeof compactWgsl, 'writeKept'>, scan: Scan) {
    this.#kernel = kernel;
    this.#scan = scan;
    this.#params = new ParamRing(gpu, 'gpu-primitives/compact.params');
    this.#scratch = new Scratch(gpu, 'gpu-primitives/compact');
  }

  static async create(gpu: Gpu): Promise<Compact> {
    const [kernel, scan] = await Promise.all([Kernel.create(gpu, compactWgsl, 'writeKept'), Scan.create(gpu)]);
    return new Compact(gpu, kernel, scan);
  }

  /**
   * Sizes the scratch (4 bytes a word) for lists of up to `length`.
   * To be called before two encodes of growing length in one pass: growing destroys what is recorded already.
   */
  reserve(length: number): void {
    this.#scratch.take('places', 4 * Math.max(1, length));
    this.#scan.reserve(length);
  }

  /** Records four dispatches. */
  encode(pass: GPUComputePassEncoder, {values, flags, output, count, length}: CompactBuffers): void {
    if (length === 0) return;
    const places = this.#scratch.take('places', 4 * length);
    this.#scan.encode(pass, {input: flags, output: places, length});
    const params = this.#params.write(compactWgsl.structs.CompactParams, {length});
    const group = this.#kernel.bind({values, flags, places, output, count, params});
    this.#kernel.dispatchOver(pass, group, length);
  }

  destroy(): void {
    this.#scan.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
