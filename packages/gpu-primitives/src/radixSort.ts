import {checkInteger, checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import type {Bindable, BufferSlice, Gpu} from '@epsball/gpu';
import {writeCounted, atMostOf, type Count} from './count.ts';
import {elementArray, elementNumber, numberOf, type Element, type ElementArrays} from './operators.ts';
import {Primitive, type EncodeTarget} from './primitive.ts';
import {radixDigitsStructs} from './radixDigits.wgsl.ts';
import {compilePasses} from './radixPasses.ts';
import {takeScratch, type RadixPasses} from './radixShape.ts';
import {type Cooperation, quadsOf} from './tiles.ts';

/** Values of the override VALUES of radixScatter.wgsl, for the first pass. */
const MOVES = {none: 0, words: 1, index: 2} as const;

/** Type of keys: words of a type, or two words, the low one first, as one unsigned number. */
export type SortKey = Element | 'u64';

/** The typed array for each kind of key. */
export interface SortArrays extends ElementArrays {
  readonly u64: BigUint64Array;
}

/** Result of `run`: new arrays. */
export interface Sorted<K extends SortKey> {
  readonly keys: SortArrays[K];
  /** The words that moved with the keys: values, positions, or empty. */
  readonly values: Uint32Array;
}

export interface RadixSortOptions<K extends SortKey = SortKey> {
  /** Default: `u32`. */
  readonly key?: K;
  /**
   * What moves with a key. `words`: a word from `values`. `index`: its position in the input, which makes the sort an
   * argsort. `none`: nothing. Default: `words`.
   */
  readonly values?: 'words' | 'index' | 'none';
  /**
   * How lanes cooperate to rank their keys. `subgroups` falls back to `workgroups` if the adapter has no suitable
   * subgroups or fails the self-check. Default: `none` on a CPU, else `subgroups` of at least 16 lanes, else
   * `workgroups`.
   */
  readonly cooperation?: Cooperation;
}

/** Keys, and values if the sort moves values. */
export interface SortBuffers {
  readonly keys: Bindable;
  readonly values?: Bindable;
}

export interface RadixSortBuffers<B extends SortBuffers> {
  /** `count` keys and values; overwritten. An argsort does not read the values. */
  readonly input: B;
  /** Same sizes as `input`; overwritten. */
  readonly other: B;
  readonly count: Count;
  /** Sorts by bits [beginBit, endBit) of the key; keys that are equal in them keep their order. Default: all bits. */
  readonly beginBit?: number;
  readonly endBit?: number;
}

/**
 * Stable ascending sort, least significant digit first, up to 8 bits per pass.
 *
 * f32 keys compare in IEEE 754 totalOrder on their bits: −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN. For the NaN that
 * JavaScript writes, this is the order of `Float32Array.prototype.sort`.
 *
 * @source  Satish, Harris and Garland 2009; Ashkiani et al. 2016 for the ranking
 */
export class RadixSort<K extends SortKey = 'u32'> extends Primitive<{
  readonly key: K;
  readonly values: keyof typeof MOVES;
  readonly passes: RadixPasses;
}> {
  /** Compiles the pipelines; they serve every count and bit range. */
  static create<K extends SortKey = 'u32'>(gpu: Gpu, options?: RadixSortOptions<K>): Promise<RadixSort<K>>;
  static async create(gpu: Gpu, options: RadixSortOptions = {}): Promise<RadixSort<SortKey>> {
    checkKnownOptions(options, ['key', 'values', 'cooperation'], 'options', "an object such as {key: 'f32'}");
    const {key = 'u32', values = 'words', cooperation} = options;
    const overrides = {
      KEY_ELEMENT: key === 'u64' ? 0 : elementNumber(key),
      KEY_WORDS: key === 'u64' ? 2 : 1,
      firstValues: numberOf('values', values, MOVES),
      values: values === 'none' ? MOVES.none : MOVES.words,
    };
    const passes = await compilePasses(gpu, overrides, cooperation);
    return new RadixSort<SortKey>(gpu, 'radixSort', {key, values, passes});
  }

  /** How lanes cooperate to rank their keys. */
  get cooperation(): Cooperation {
    return this.parts.passes.cooperation;
  }

  /**
   * Sizes the scratch for sorts of up to `count` keys, so that `encode` allocates nothing: one word per digit and tile
   * (1 KiB for 4608 keys), and at most 8 MiB for the sums. Call it before two encodes of growing count in one pass:
   * growing destroys the buffers of commands that are recorded but not submitted.
   */
  reserve(count: number): void {
    takeScratch(this.scratch, this.parts.passes, atMostOf(count));
  }

  /**
   * Records three dispatches per digit.
   *
   * @returns  `input` or `other`, whichever holds the sorted keys
   * @throws InvalidParameterError, GpuLimitError  for an invalid count, bit range, buffer size or offset
   */
  encode<B extends SortBuffers>(target: EncodeTarget, buffers: RadixSortBuffers<B>): B {
    const {input, other, count} = buffers;
    const digits = digitsOfRange(buffers, this.parts, this.parts.passes.digitBits);
    const atMost = atMostOf(count);
    if (atMost === 0 || digits.length === 0) return input;
    const scratch = takeScratch(this.scratch, this.parts.passes, atMost);
    const checked = [
      this.#check('keys', 'input.values', input, atMost),
      this.#check('other.keys', 'other.values', other, atMost),
    ];
    const layout = this.parts.passes.layoutOf(atMost);
    this.record(target, (pass) => {
      digits.forEach(({word, shift, bits}, k) => {
        const [from, to] = k % 2 === 0 ? checked : checked.toReversed();
        const digit = {...layout, word, shift, digitMask: 2 ** bits - 1};
        const counted = writeCounted(this.params, radixDigitsStructs.RadixParams, count, digit);
        const bound = {
          keys: from.keys,
          keyQuads: quadsOf(from.keys, counted.params),
          // Without values the kernel does not read this binding; the output may not be bound twice.
          values: this.parts.values === 'none' ? from.keys : from.values,
          sortedKeys: to.keys,
          sortedValues: to.values,
          ...scratch,
          ...counted,
        };
        this.parts.passes.record(pass, bound, layout, k === 0);
      });
    });
    return digits.length % 2 === 0 ? input : other;
  }

  /**
   * Sorts typed arrays into new ones: upload, sort, read-back.
   *
   * @param values  one per key; leave out if the sort moves positions or nothing
   */
  async run(keys: SortArrays[K], values: Uint32Array = new Uint32Array(0)): Promise<Sorted<K>> {
    const moves = this.parts.values;
    const count = keys.length;
    const expected = moves === 'words' ? count : 0;
    if (values.length !== expected) {
      const why = moves === 'words' ? 'one per key' : `0, because the option values is '${moves}'`;
      throw new InvalidParameterError('values.length', values.length, `${expected}, ${why}`);
    }
    return this.call(async ({upload, room, submit, read}) => {
      const input = {keys: await upload(keys), values: moves === 'words' ? await upload(values) : room(count)};
      const other = {keys: room(keys.byteLength / 4), values: room(count)};
      let sorted = input;
      submit((pass) => (sorted = this.encode(pass, {input, other, count})));
      return {
        keys: await read(sorted.keys, sortArray(this.parts.key, count)),
        values: await read(sorted.values, new Uint32Array(moves === 'none' ? 0 : count)),
      };
    });
  }

  #check(
    keysName: string,
    valuesName: string,
    buffers: SortBuffers,
    count: number,
  ): Required<SortBuffers> & {readonly keys: BufferSlice} {
    const keyWords = this.parts.key === 'u64' ? 2 * count : count;
    const keys = this.bind(keysName, buffers.keys, keyWords);
    // Without values the kernels do not use this binding, but it must be bound.
    if (this.parts.values === 'none') return {keys, values: this.scratch.take('noValues', 4)};
    const {values} = buffers;
    if (!values) throw new InvalidParameterError(valuesName, values, 'a buffer; this sort moves values');
    return {keys, values: this.bind(valuesName, values, count)};
  }
}

function sortArray<K extends SortKey>(key: K, length: number): SortArrays[K];
function sortArray(key: SortKey, length: number): SortArrays[SortKey] {
  return key === 'u64' ? new BigUint64Array(length) : elementArray(key, length);
}

/** The digit of one pass: `bits` bits of word `word`, from bit `shift` on. */
interface Digit {
  readonly word: number;
  readonly shift: number;
  readonly bits: number;
}

/** As few passes as possible, with digits of nearly equal size. */
function digitsOfRange(
  {beginBit = 0, endBit}: Pick<RadixSortBuffers<SortBuffers>, 'beginBit' | 'endBit'>,
  {key, values}: {readonly key: SortKey; readonly values: keyof typeof MOVES},
  digitBits: number,
): Digit[] {
  const keyBits = key === 'u64' ? 64 : 32;
  const end = endBit ?? keyBits;
  checkInteger('endBit', end, 0, keyBits);
  checkInteger('beginBit', beginBit, 0, end, `an integer, 0 … endBit = ${end}`);
  const digits: Digit[] = [];
  for (const word of [0, 1]) {
    const stop = Math.min(end, 32 * word + 32);
    let at = Math.max(beginBit, 32 * word);
    for (let passes = Math.ceil((stop - at) / digitBits); at < stop; passes--) {
      const bits = Math.ceil((stop - at) / passes);
      digits.push({word, shift: at - 32 * word, bits});
      at += bits;
    }
  }
  // The first pass writes positions, so an argsort needs one pass even for an empty range.
  return digits.length === 0 && values === 'index' ? [{word: 0, shift: 0, bits: 0}] : digits;
}
