import {InvalidParameterError} from '@epsball/clustering';
import {foldDispatch, Kernel, ParamRing, Scratch, type Bindable, type Gpu} from '@epsball/gpu';
import {bindWords} from './bindWords.ts';
import {atMostOf, writeCounted, type Count} from './count.ts';
import {encodeInto, type EncodeTarget} from './encodeTarget.ts';
import {HostCalls} from './hostCalls.ts';
import {elementArray, elementNumber, numberOf, type Element, type ElementArrays} from './operators.ts';
import {digitsOfRange, scatterOverrides, subgroupsFor, tileShapeFor, type Digit} from './radixDigits.ts';
import {radixCountWgsl} from './radixCount.wgsl.ts';
import {radixDigitsStructs} from './radixDigits.wgsl.ts';
import {radixScatterBarriersWgsl} from './radixScatterBarriers.wgsl.ts';
import {radixScatterSubgroupsWgsl} from './radixScatterSubgroups.wgsl.ts';

/** The override VALUES of radixScatter.wgsl, for the first pass. */
const MOVES = {none: 0, words: 1, index: 2} as const;
/** With no more tiles one invocation scans a digit's counts; a workgroup a digit does not pay. */
const FEW_TILES = 24;

/** How keys are read: words of a type, or two words, the low one first, as one unsigned number. */
export type SortKey = Element | 'u64';

/** The typed array of each kind of key. */
export interface SortArrays extends ElementArrays {
  readonly u64: BigUint64Array;
}

/** What a sort of typed arrays returns: new arrays. */
export interface Sorted<K extends SortKey> {
  readonly keys: SortArrays[K];
  /** What moved along: values, positions, or nothing. */
  readonly values: Uint32Array;
}

export interface RadixSortOptions<K extends SortKey = SortKey> {
  /** `u32` unless given. */
  readonly key?: K;
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

/**
 * Stable sort, ascending, least significant digit first, up to 8 bits a pass.
 *
 * The order of f32 keys is IEEE 754 totalOrder on their bits: −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN. For the NaN that
 * JavaScript writes, that is the order of `Float32Array.prototype.sort`.
 *
 * @source  Satish, Harris and Garland 2009; Ashkiani et al. 2016 for the ranking
 */
export class RadixSort<K extends SortKey = 'u32'> implements Disposable {
  readonly #gpu: Gpu;
  readonly #options: Required<RadixSortOptions<K>>;
  readonly #digitBits: number;
  /** Keys of a tile. */
  readonly #tile: number;
  readonly #kernels: RadixKernels;
  readonly #params: ParamRing;
  readonly #scratch: Scratch;
  #host: HostCalls | undefined;

  private constructor(
    gpu: Gpu,
    options: Required<RadixSortOptions<K>>,
    {digitBits, tile}: {digitBits: number; tile: number},
    kernels: RadixKernels,
  ) {
    this.#gpu = gpu;
    this.#options = options;
    this.#digitBits = digitBits;
    this.#tile = tile;
    this.#kernels = kernels;
    this.#params = new ParamRing(gpu, 'gpu-primitives/radixSort.params');
    this.#scratch = new Scratch(gpu, 'gpu-primitives/radixSort');
  }

  /** Compiles the pipelines; they serve every count and bit range. */
  static create(gpu: Gpu, options?: RadixSortOptions<'u32'>): Promise<RadixSort>;
  static create<K extends SortKey>(gpu: Gpu, options: RadixSortOptions<K> & {key: K}): Promise<RadixSort<K>>;
  static async create(gpu: Gpu, options: RadixSortOptions = {}): Promise<RadixSort<SortKey>> {
    const {key = 'u32', values = 'words', useSubgroups} = options;
    const sizes = await subgroupsFor(gpu, useSubgroups);
    const shape = tileShapeFor(gpu, sizes);
    const {width, quads, digitBits} = shape;
    const keyed = {KEY_ELEMENT: key === 'u64' ? 0 : elementNumber(key), KEY_WORDS: key === 'u64' ? 2 : 1};
    const scattering = {...keyed, ...scatterOverrides(shape, sizes)};
    const scatterWith = (VALUES: number): Promise<ScatterKernel> => {
      if (!sizes) return Kernel.create(gpu, radixScatterBarriersWgsl, 'scatterTiles', {...scattering, VALUES});
      const teams = {TEAMS: width / sizes.min, IS_WIDE: sizes.max > 32};
      return Kernel.create(gpu, radixScatterSubgroupsWgsl, 'scatterTiles', {...scattering, ...teams, VALUES});
    };
    const counting = {...keyed, WIDTH: width, QUADS: quads, DIGIT_BITS: digitBits};
    const [countDigits, scanDigits, scanFewDigits, scatterFirst, scatter] = await Promise.all([
      Kernel.create(gpu, radixCountWgsl, 'countDigits', counting),
      Kernel.create(gpu, radixCountWgsl, 'scanDigits'),
      Kernel.create(gpu, radixCountWgsl, 'scanFewDigits', {DIGIT_BITS: digitBits}),
      scatterWith(numberOf('values', values, MOVES)),
      scatterWith(values === 'none' ? 0 : 1),
    ]);
    const kernels = {countDigits, scanDigits, scanFewDigits, scatterFirst, scatter};
    return new RadixSort<SortKey>(
      gpu,
      {key, values, useSubgroups: sizes !== null},
      {digitBits, tile: 4 * width * quads},
      kernels,
    );
  }

  /** Whether ranking uses subgroups. */
  get usesSubgroups(): boolean {
    return this.#options.useSubgroups;
  }

  /**
   * Sizes the scratch for sorts of up to `count` keys, so that `encode` allocates nothing: a word a digit and tile, so 1
   * KiB for 4096 keys. To be called before two encodes of growing count in one pass: growing destroys what is recorded
   * already.
   */
  reserve(count: number): void {
    this.#takeScratch(this.#tilesOf(atMostOf(count)));
  }

  /**
   * Records three dispatches a digit.
   *
   * @returns  `input` or `other`, whichever holds the sorted keys
   * @throws InvalidParameterError, GpuLimitError  for a bad count, bit range, buffer size or offset
   */
  encode<B extends SortBuffers>(target: EncodeTarget, buffers: RadixSortBuffers<B>): B {
    const {input, other, count} = buffers;
    const digits = digitsOfRange(buffers, {...this.#options, digitBits: this.#digitBits});
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

  /**
   * Sorts typed arrays into new ones: upload, sort, read-back.
   *
   * @param values  as many as keys; left out where the sort moves positions, or nothing
   */
  async run(keys: SortArrays[K], values: Uint32Array = new Uint32Array(0)): Promise<Sorted<K>> {
    const moves = this.#options.values;
    const count = keys.length;
    const expected = moves === 'words' ? count : 0;
    if (values.length !== expected) {
      const why = moves === 'words' ? 'one a key' : `a sort of values: '${moves}' takes none`;
      throw new InvalidParameterError('values.length', values.length, `${expected}, ${why}`);
    }
    this.#host ??= new HostCalls(this.#gpu, 'gpu-primitives/radixSort');
    return this.#host.run(async (call) => {
      const keyWords = keys.byteLength / 4;
      const input = {keys: await call.upload(keys), values: call.room(count)};
      if (moves === 'words') await call.upload(values, input.values);
      const other = {keys: call.room(keyWords), values: call.room(count)};
      let sorted = input;
      call.submit((pass) => (sorted = this.encode(pass, {input, other, count})));
      return {
        keys: await call.read(sorted.keys, sortArray(this.#options.key, count)),
        values: await call.read(sorted.values, new Uint32Array(moves === 'none' ? 0 : count)),
      };
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
    const tiles = this.#tilesOf(atMost);
    const {tileCounts, digitTotals, noValues} = this.#takeScratch(tiles);
    const keyWords = this.#options.key === 'u64' ? 2 * atMost : atMost;
    const bind = (what: string, bindable: Bindable, words: number): Bindable =>
      bindWords(this.#gpu, what, bindable, words);
    const valuesOf = (what: string, {values}: SortBuffers): Bindable => {
      if (this.#options.values === 'none') return noValues;
      if (!values) throw new InvalidParameterError(what, values, 'a buffer; this sort moves values');
      return bind(what, values, atMost);
    };
    const {params, deviceCount} = writeCounted(this.#params, radixDigitsStructs.RadixParams, count, {
      tiles,
      word: digit.word,
      shift: digit.shift,
      digitMask: 2 ** digit.bits - 1,
    });
    const keys = bind('keys', from.keys, keyWords);
    const sortedValues = valuesOf('other.values', to);
    // All buffers are looked at before anything is recorded.
    const group = scatter.bind({
      keys,
      // Nothing is read where there are no values; one binding may not be read and written.
      values: this.#options.values === 'none' ? keys : valuesOf('input.values', from),
      tileCounts,
      digitTotals,
      sortedKeys: bind('other.keys', to.keys, keyWords),
      sortedValues,
      params,
      deviceCount,
    });
    countDigits.dispatch(pass, countDigits.bind({keys, tileCounts, params, deviceCount}), foldDispatch(tiles));
    if (tiles <= FEW_TILES) {
      scanFewDigits.dispatch(pass, scanFewDigits.bind({tileCounts, digitTotals, params}), [1, 1, 1]);
    } else {
      scanDigits.dispatch(pass, scanDigits.bind({tileCounts, digitTotals, params}), [2 ** this.#digitBits, 1, 1]);
    }
    scatter.dispatch(pass, group, foldDispatch(tiles));
  }

  #tilesOf(count: number): number {
    return Math.max(1, Math.ceil(count / this.#tile));
  }

  #takeScratch(tiles: number): {tileCounts: GPUBuffer; digitTotals: GPUBuffer; noValues: GPUBuffer} {
    return {
      tileCounts: this.#scratch.take('tileCounts', 4 * 2 ** this.#digitBits * tiles),
      digitTotals: this.#scratch.take('digitTotals', 4 * 2 ** this.#digitBits),
      noValues: this.#scratch.take('noValues', 4),
    };
  }

  destroy(): void {
    this.#host?.destroy();
    this.#params.destroy();
    this.#scratch.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

function sortArray<K extends SortKey>(key: K, length: number): SortArrays[K];
function sortArray(key: SortKey, length: number): SortArrays[SortKey] {
  return key === 'u64' ? new BigUint64Array(length) : elementArray(key, length);
}
