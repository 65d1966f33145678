import {InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {elementNumber, type Element} from './operators.ts';
import {radixCountWgsl} from './radixCount.wgsl.ts';
import {radixScatterBarriersWgsl} from './radixScatterBarriers.wgsl.ts';
import {radixScatterSubgroupsWgsl} from './radixScatterSubgroups.wgsl.ts';
import {checkSubgroups, type SubgroupSizes} from './subgroups.ts';
import {spreadTiles, type TileSpread} from './tiles.ts';

const WIDTH = 256;
/** Keys of an invocation in a tile. More make longer runs of a digit; lavapipe compiles 12 for 20 s, 3 for 3 s. */
const ITEMS = 12;
const ITEMS_IN_SOFTWARE = 3;
/** With no more workgroups one invocation scans a digit's counts; a workgroup a digit does not pay. */
const FEW_GROUPS = 24;
/** Workgroup memory that counters and masks of teams need. */
const COUNTER_WORDS = 3072;
/** Smaller subgroups leave room for fewer than 8 bits a digit. */
const WIDE_ENOUGH = 16;
/** Enough workgroups to fill a large GPU; each has a count a digit. */
const MAX_GROUPS = 2048;

/** How keys are read: words of a type, or two words, the low one first, as one unsigned number. */
export type SortKey = Element | 'u64';

export interface RadixSortOptions {
  /** `u32` unless given. */
  readonly key?: SortKey;
  /**
   * What moves along with a key: `words`, the default: a word from `values`; `index`: its position in the input, so that
   * the result is an argsort; `none`.
   */
  readonly values?: 'words' | 'index' | 'none';
  /**
   * Whether lanes rank their keys through subgroups, where the adapter has them and they prove right, or with barriers.
   * Left out: through subgroups of 16 lanes or more.
   */
  readonly useSubgroups?: boolean;
}

/** Keys, and values where the sort moves values. */
export interface SortBuffers {
  readonly keys: Bindable;
  readonly values?: Bindable;
}

export interface RadixSortBuffers<B extends SortBuffers> {
  /** `count` keys and values; overwritten. An argsort does not read the values. */
  readonly input: B;
  /** Of the same sizes; overwritten. */
  readonly other: B;
  readonly count: Count;
  /** Sorts by bits [beginBit, endBit) of the key's place in the order; keys equal in them keep theirs. All unless given. */
  readonly beginBit?: number;
  readonly endBit?: number;
}

type ScatterKernel =
  | Kernel<typeof radixScatterSubgroupsWgsl, 'scatterTiles'>
  | Kernel<typeof radixScatterBarriersWgsl, 'scatterTiles'>;

interface RadixKernels {
  readonly countDigits: Kernel<typeof radixCountWgsl, 'countDigits'>;
  readonly scanDigits: Kernel<typeof radixCountWgsl, 'scanDigits'>;
  readonly scanFewDigits: Kernel<typeof radixCountWgsl, 'scanFewDigits'>;
  /** Of the first pass, which an argsort begins with positions. */
  readonly scatterFirst: ScatterKernel;
  readonly scatter: ScatterKernel;
}

/** One pass: a digit of `bits` bits from bit `shift` of word `word` on. */
interface Digit {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
}

/**
 * Stable sort, ascending, least significant digit first, up to 8 bits a pass.
 *
 * The order of f32 keys is IEEE 754 totalOrder on their bits: −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN. For the NaN that
 * JavaScript writes, that is the order of `Float32Array.prototype.sort`.
 *
 * @source  Satish, Harris and Garland 2009; Ashkiani et al. 2016 for the ranking
 */
export class RadixSort implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: Required<RadixSortOptions>;
  readonly #digitBits: number;
  readonly #tile: number;
  readonly #kernels: RadixKernels;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;

  private constructor(gpu: Gpu, options: Required<RadixSortOptions>, digitBits: number, kernels: RadixKernels) {
    this.#tile = WIDTH * itemsOn(gpu);
    this.#gpu = gpu;
    this.#options = options;
    this.#digitBits = digitBits;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/radixSort.params');
    this.#scratch = new Scratch(gpu, 'gpu-primitives/radixSort');
  }

  /** Compiles the pipelines; they serve every count and bit range. */
  static async create(gpu: Gpu, options: RadixSortOptions = {}): Promise<RadixSort> {
    const {key = 'u32', values = 'words', useSubgroups} = options;
    const sizes = await subgroupsFor(gpu, useSubgroups);
    const digitBits = sizes ? digitBitsFor(sizes) : 8;
    const overrides = {
      KEY_ELEMENT: elementNumber(key === 'u64' ? 'u32' : key),
      KEY_WORDS: key === 'u64' ? 2 : 1,
      DIGIT_BITS: digitBits,
      ITEMS: itemsOn(gpu),
    };
    const staged = {...overrides, STAGED: Math.max(WIDTH * itemsOn(gpu), COUNTER_WORDS)};
    const scatterWith = (VALUES: number): Promise<ScatterKernel> =>
      sizes
        ? Kernel.create(gpu, radixScatterSubgroupsWgsl, 'scatterTiles', {...staged, VALUES, IS_WIDE: sizes.max > 32})
        : Kernel.create(gpu, radixScatterBarriersWgsl, 'scatterTiles', {...staged, VALUES});
    const [countDigits, scanDigits, scanFewDigits, scatterFirst, scatter] = await Promise.all([
      Kernel.create(gpu, radixCountWgsl, 'countDigits', overrides),
      Kernel.create(gpu, radixCountWgsl, 'scanDigits'),
      Kernel.create(gpu, radixCountWgsl, 'scanFewDigits', overrides),
      scatterWith({none: 0, words: 1, index: 2}[values]),
      scatterWith(values === 'none' ? 0 : 1),
    ]);
    const kernels = {countDigits, scanDigits, scanFewDigits, scatterFirst, scatter};
    return new RadixSort(gpu, {key, values, useSubgroups: sizes !== null}, digitBits, kernels);
  }

  /** Whether ranking uses subgroups. */
  get usesSubgroups(): boolean {
    return this.#options.useSubgroups;
  }

  /**
   * Sizes the scratch for sorts of up to `count` keys, so that `encode` allocates nothing: 1 KiB a workgroup of one or
   * more tiles, 2 MiB at most. To be called before two encodes of growing count in one pass: growing destroys what is
   * recorded already.
   */
  reserve(count: number): void {
    this.#takeScratch(spreadTiles(count, this.#tile, MAX_GROUPS));
  }

  /**
   * Records three dispatches a digit.
   *
   * @returns  `input` or `other`, whichever holds the sorted keys
   * @throws InvalidParameterError, GpuLimitError  for a bad count, bit range, buffer size or offset
   */
  encode<B extends SortBuffers>(target: EncodeTarget, buffers: RadixSortBuffers<B>): B {
    const {input, other, count} = buffers;
    const digits = this.#digits(buffers);
    if (atMostOf(count) === 0) return input;
    return encodeInto(target, 'gpu-primitives/radixSort', (pass) => {
      let [from, to] = [input, other];
      digits.forEach((digit, k) => {
        this.#encodePass(pass, from, to, {count, digit, isFirst: k === 0});
        [from, to] = [to, from];
      });
      return from;
    });
  }

  #encodePass(
    pass: GPUComputePassEncoder,
    from: SortBuffers,
    to: SortBuffers,
    {count, digit, isFirst}: {count: Count; digit: Digit; isFirst: boolean},
  ): void {
    const {countDigits, scanDigits, scanFewDigits} = this.#kernels;
    const scatter = isFirst ? this.#kernels.scatterFirst : this.#kernels.scatter;
    const atMost = atMostOf(count);
    const spread = spreadTiles(atMost, this.#tile, MAX_GROUPS);
    const {groupCounts, digitTotals, noValues} = this.#takeScratch(spread);
    const keyWords = this.#options.key === 'u64' ? 2 * atMost : atMost;
    const bind = (what: string, bindable: Bindable, words: number): Bindable =>
      bindWords(this.#gpu, what, bindable, words);
    const valuesOf = (what: string, {values}: SortBuffers): Bindable => {
      if (this.#options.values === 'none') return noValues;
      if (!values) throw new InvalidParameterError(what, values, 'a buffer; this sort moves values');
      return bind(what, values, atMost);
    };
    const {params, deviceCount} = writeCounted(this.#params, radixCountWgsl.structs.RadixParams, count, {
      ...spread,
      word: digit.word,
      shift: digit.shift,
      digitMask: 2 ** digit.bits - 1,
    });
    const keys = bind('keys', from.keys, keyWords);
    const sortedValues = valuesOf('other.values', to);
    countDigits.dispatch(pass, countDigits.bind({keys, groupCounts, params, deviceCount}), foldDispatch(spread.groups));
    if (spread.groups <= FEW_GROUPS) {
      scanFewDigits.dispatch(pass, scanFewDigits.bind({groupCounts, digitTotals, params}), [1, 1, 1]);
    } else {
      scanDigits.dispatch(pass, scanDigits.bind({groupCounts, digitTotals, params}), [2 ** this.#digitBits, 1, 1]);
    }
    const group = scatter.bind({
      keys,
      // Nothing is read where there are no values; one binding may not be read and written.
      values: this.#options.values === 'none' ? keys : valuesOf('input.values', from),
      groupCounts,
      digitTotals,
      sortedKeys: bind('other.keys', to.keys, keyWords),
      sortedValues,
      params,
      deviceCount,
    });
    scatter.dispatch(pass, group, foldDispatch(spread.groups));
  }

  /** The passes for a range of bits: as few as can be, and as even. */
  #digits({beginBit = 0, endBit = this.#keyBits()}: {beginBit?: number; endBit?: number}): Digit[] {
    const allowed = `an integer, 0 … ${this.#keyBits()}`;
    if (!Number.isInteger(endBit) || endBit < 0 || endBit > this.#keyBits()) {
      throw new InvalidParameterError('endBit', endBit, allowed);
    }
    if (!Number.isInteger(beginBit) || beginBit < 0 || beginBit > endBit) {
      throw new InvalidParameterError('beginBit', beginBit, `an integer, 0 … endBit = ${endBit}`);
    }
    const digits = [0, 1].flatMap((word) =>
      digitsOfWord(word, Math.max(beginBit, 32 * word), Math.min(endBit, 32 * word + 32), this.#digitBits),
    );
    // Positions are written by the first pass, also where no bit counts.
    if (digits.length === 0 && this.#options.values === 'index') return [{word: 0, shift: 0, bits: 0}];
    return digits;
  }

  #keyBits(): number {
    return this.#options.key === 'u64' ? 64 : 32;
  }

  #takeScratch({groups}: TileSpread): {groupCounts: GPUBuffer; digitTotals: GPUBuffer; noValues: GPUBuffer} {
    return {
      groupCounts: this.#scratch.take('groupCounts', 4 * 2 ** this.#digitBits * groups),
      digitTotals: this.#scratch.take('digitTotals', 4 * 2 ** this.#digitBits),
      noValues: this.#scratch.take('noValues', 4),
    };
  }

  destroy(): void {
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

async function subgroupsFor(gpu: Gpu, useSubgroups: boolean | undefined): Promise<SubgroupSizes | null> {
  if (useSubgroups === false) return null;
  if (useSubgroups === undefined && gpu.info.subgroupMinSize < WIDE_ENOUGH) return null;
  return checkSubgroups(gpu);
}

function itemsOn(gpu: Gpu): number {
  return gpu.info.kind === 'system-software' ? ITEMS_IN_SOFTWARE : ITEMS;
}

/** Digits as long as the counters of all subgroups fit in workgroup memory: 256 / size · 2^bits / 2 ≤ 2048 words. */
function digitBitsFor({min}: SubgroupSizes): number {
  return Math.min(8, 4 + Math.floor(Math.log2(min)));
}

function digitsOfWord(word: number, begin: number, end: number, digitBits: number): Digit[] {
  const digits: Digit[] = [];
  let passes = Math.ceil((end - begin) / digitBits);
  for (let at = begin; at < end; passes--) {
    const bits = Math.ceil((end - at) / passes);
    digits.push({word, shift: at - 32 * word, bits});
    at += bits;
  }
  return digits;
}
