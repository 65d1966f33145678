import {checkInteger} from '@epsball/clustering';
import {Kernel, type Bindable, type Gpu} from '@epsball/gpu';
import {bitRanksWgsl} from './bitRanks.wgsl.ts';
import {Primitive} from './primitive.ts';
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
export class BitRanks extends Primitive<{
  readonly scan: Scan;
  readonly countBits: Kernel<typeof bitRanksWgsl, 'countBits'>;
  readonly pairWords: Kernel<typeof bitRanksWgsl, 'pairWords'>;
}> {
  /** Compiles the pipelines; they serve every length. */
  static async create(gpu: Gpu): Promise<BitRanks> {
    const kernels = await Kernel.createEach(gpu, bitRanksWgsl, ['countBits', 'pairWords']);
    return new BitRanks(gpu, 'bitRanks', {...kernels, scan: await Scan.create(gpu)});
  }

  /** Allocates scratch for arrays of up to `words` words: 8 bytes each. */
  reserve(words: number): void {
    this.#take(words);
  }

  /** Records four dispatches: O(words) work. Throws for an invalid number of words, buffer size or offset. */
  encode(pass: GPUComputePassEncoder, {bits, pairs, words}: BitRanksBuffers): void {
    checkInteger('words', words, 1);
    const {scan, countBits, pairWords} = this.parts;
    const {counts, ranks} = this.#take(words);
    const bound = {
      bits: this.bind('bits', bits, words),
      pairs: this.bind('pairs', pairs, 2 * (words + 1)),
      counts,
      ranks,
      params: this.params.write(bitRanksWgsl.structs.BitParams, {words}),
    };
    countBits.encodeOver(bound, words + 1)(pass);
    scan.encode(pass, {input: counts, output: ranks, count: words + 1});
    pairWords.encodeOver(bound, words + 1)(pass);
  }

  #take(words: number): {counts: GPUBuffer; ranks: GPUBuffer} {
    const take = (what: string): GPUBuffer => this.scratch.take(what, 4 * (words + 1));
    return {counts: take('counts'), ranks: take('ranks')};
  }

  /** Frees the scratch; the next `reserve` or `encode` allocates again. */
  release(): void {
    this.scratch.clear();
  }

  override destroy(): void {
    this.parts.scan.destroy();
    super.destroy();
  }
}
