import {foldDispatch, Kernel, ParamRing, Scratch, type Gpu} from '@epsball/gpu';
import {radixSortWgsl} from './radixSort.wgsl.ts';
import {Scan} from './scan.ts';

/** Keys a workgroup ranks: 256 invocations, 8 keys each. */
const TILE = 2048;
const DIGIT_BITS = 4;

/** Keys and payloads that belong together. */
export interface KeyedBuffers {
  readonly keys: GPUBuffer;
  readonly payloads: GPUBuffer;
}

export interface RadixSortBuffers {
  /** `length` u32 keys and payloads; overwritten. */
  readonly input: KeyedBuffers;
  /** Of the same sizes; overwritten. */
  readonly other: KeyedBuffers;
  /** Keys, 0 … 2^28. */
  readonly length: number;
  /** Sorts by bits [beginBit, endBit) of the keys; the others are carried along. 0 ≤ beginBit ≤ endBit ≤ 32. */
  readonly beginBit?: number;
  readonly endBit?: number;
}

interface RadixKernels {
  readonly countDigits: Kernel<typeof radixSortWgsl, 'countDigits'>;
  readonly scatterTiles: Kernel<typeof radixSortWgsl, 'scatterTiles'>;
}

/**
 * Stable sort of u32 keys with a u32 payload, ascending, by a range of bits: least significant digit first, 4 bits a
 * pass (Satish, Harris and Garland 2009).
 */
export class RadixSort implements Disposable {
  readonly #kernels: RadixKernels;
  readonly #scan: Scan;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, kernels: RadixKernels, scan: Scan) {
    this.#kernels = kernels;
    this.#scan = scan;
    this.#params = new ParamRing(gpu, 'gpu-primitives/radixSort.params');
    this.#scratch = new Scratch(gpu, 'gpu-primitives/radixSort');
  }

  /** Compiles the pipelines; they serve every length and bit range. */
  static async create(gpu: Gpu): Promise<RadixSort> {
    const [countDigits, scatterTiles, scan] = await Promise.all([
      Kernel.create(gpu, radixSortWgsl, 'countDigits'),
      Kernel.create(gpu, radixSortWgsl, 'scatterTiles'),
      Scan.create(gpu),
    ]);
    return new RadixSort(gpu, {countDigits, scatterTiles}, scan);
  }

  /**
   * Sizes the scratch for sorts of up to `length` keys, so that `encode` allocates nothing.
   * To be called before two encodes of growing length in one pass: growing destroys what is recorded already.
   */
  reserve(length: number): void {
    const counts = 2 ** DIGIT_BITS * Math.max(1, Math.ceil(length / TILE));
    this.#scratch.take('counts', 4 * counts);
    this.#scratch.take('places', 4 * counts);
    this.#scan.reserve(counts);
  }

  /**
   * Records five dispatches for every four bits.
   *
   * @returns  `input` or `other`, whichever holds the sorted pairs
   */
  encode(pass: GPUComputePassEncoder, buffers: RadixSortBuffers): KeyedBuffers {
    const {input, other, length, beginBit = 0, endBit = 32} = buffers;
    let [from, to] = [input, other];
    if (length < 2) return from;
    for (let shift = beginBit; shift < endBit; shift += DIGIT_BITS) {
      this.#encodePass(pass, from, to, {length, shift, bits: Math.min(DIGIT_BITS, endBit - shift)});
      [from, to] = [to, from];
    }
    return from;
  }

  #encodePass(
    pass: GPUComputePassEncoder,
    from: KeyedBuffers,
    to: KeyedBuffers,
    digit: {length: number; shift: number; bits: number},
  ): void {
    const {countDigits, scatterTiles} = this.#kernels;
    const {length, shift, bits} = digit;
    const tiles = Math.ceil(length / TILE);
    const counts = this.#scratch.take('counts', 64 * tiles);
    const places = this.#scratch.take('places', 64 * tiles);
    const params = this.#params.write(radixSortWgsl.structs.RadixParams, {
      length,
      tiles,
      shift,
      digitMask: 2 ** bits - 1,
    });
    countDigits.dispatch(pass, countDigits.bind({keys: from.keys, counts, params}), foldDispatch(tiles));
    this.#scan.encode(pass, {input: counts, output: places, length: 16 * tiles});
    const group = scatterTiles.bind({
      keys: from.keys,
      payloads: from.payloads,
      counts: places,
      sortedKeys: to.keys,
      sortedPayloads: to.payloads,
      params,
    });
    scatterTiles.dispatch(pass, group, foldDispatch(tiles));
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
