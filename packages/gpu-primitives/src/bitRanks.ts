import {InvalidParameterError} from '@epsball/clustering';
import {Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {bitRanksWgsl} from './bitRanks.wgsl.ts';
import {bindWords} from './bindWords.ts';
import {Scan} from './scan.ts';

export interface BitRanksBuffers {
  /** `words` words of 32 bits, lowest bit first; not modified. */
  readonly bits: Bindable;
  /** Receives `words` + 1 pairs: a word, and the number of bits before it; the last one holds 0 and all bits. */
  readonly pairs: Bindable;
  /** Number of words, integer ≥ 1. */
  readonly words: number;
}

/**
 * Makes the ranks of set bits available to kernels: the rank of bit b of word w is
 * `pairs[w].y + countOneBits(pairs[w].x & ((1u << b) - 1u))`. So an array of few set bits becomes an index in 2 bits a
 * place.
 *
 * @source  Jacobson 1989, Space-efficient static trees and graphs
 */
export class BitRanks implements Disposable {
  readonly #gpu: Gpu;
  readonly #kernels: readonly [Kernel<typeof bitRanksWgsl, 'countBits'>, Kernel<typeof bitRanksWgsl, 'pairWords'>];
  readonly #scan: Scan;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(
    gpu: Gpu,
    scan: Scan,
    kernels: readonly [Kernel<typeof bitRanksWgsl, 'countBits'>, Kernel<typeof bitRanksWgsl, 'pairWords'>],
  ) {
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#scan = scan;
    this.#params = new ParamRing(gpu, 'gpu-primitives/bitRanks.params');
    this.#scratch = new Scratch(gpu, 'gpu-primitives/bitRanks');
  }

  /** Compiles the pipelines; they serve every length. */
  static async create(gpu: Gpu): Promise<BitRanks> {
    const [scan, countBits, pairWords] = await Promise.all([
      Scan.create(gpu),
      Kernel.create(gpu, bitRanksWgsl, 'countBits'),
      Kernel.create(gpu, bitRanksWgsl, 'pairWords'),
    ]);
    return new BitRanks(gpu, scan, [countBits, pairWords]);
  }

  /** Allocates scratch for arrays of up to `words` words: 8 bytes each. */
  reserve(words: number): void {
    this.#scratch.take('counts', 4 * (words + 1));
    this.#scratch.take('ranks', 4 * (words + 1));
  }

  /**
   * Records four dispatches. O(words) work. Allocates scratch if `reserve` did not.
   *
   * @throws InvalidParameterError, GpuLimitError  for an invalid number of words, buffer size or offset
   */
  encode(pass: GPUComputePassEncoder, {bits, pairs, words}: BitRanksBuffers): void {
    if (!Number.isInteger(words) || words < 1) throw new InvalidParameterError('words', words, 'an integer ≥ 1');
    const [countBits, pairWords] = this.#kernels;
    const [counts, ranks] = [
      this.#scratch.take('counts', 4 * (words + 1)),
      this.#scratch.take('ranks', 4 * (words + 1)),
    ];
    const params = this.#params.write(bitRanksWgsl.structs.BitParams, {words});
    const bound = {
      bits: bindWords(this.#gpu, 'bits', bits, words),
      pairs: bindWords(this.#gpu, 'pairs', pairs, 2 * (words + 1)),
    };
    countBits.dispatchOver(pass, countBits.bind({bits: bound.bits, counts, params}), words + 1);
    this.#scan.encode(pass, {input: counts, output: ranks, count: words + 1});
    pairWords.dispatchOver(pass, pairWords.bind({...bound, ranks, params}), words + 1);
  }

  /** Frees the scratch; the next `reserve` or `encode` allocates again. */
  release(): void {
    this.#scratch.clear();
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
