import {InvalidParameterError} from '../errors.ts';
import {isArrayLike} from '../input/values.ts';

/**
 * Checks weights of points and converts them to float64.
 *
 * @param weights  n finite numbers; not modified
 * @param n        number of points
 * @param least    the least allowed weight. Default: weights may have any sign
 * @returns        the argument if it is a `Float64Array`, else a new array
 * @throws InvalidParameterError  if there is not one weight a point, or one is not finite or too small: names
 *                                the first
 * @complexity     O(n)
 */
export function toWeights(weights: ArrayLike<number>, n: number, least: number = -Infinity): Float64Array {
  return oneAPoint(weights, n, 'sampleWeight', 'weight', least);
}

/** `toWeights` for numbers with another name of the parameter, and another noun. */
export function oneAPoint(
  numbers: ArrayLike<number>,
  n: number,
  name: string,
  noun: string,
  least: number = -Infinity,
): Float64Array {
  if (!isArrayLike(numbers)) {
    throw new InvalidParameterError(name, numbers, `an array with one ${noun} a point`);
  }
  if (numbers.length !== n) {
    throw new InvalidParameterError(`${name}.length`, numbers.length, `${n}, one ${noun} a point`);
  }
  for (let i = 0; i < n; i++) {
    if (Number.isFinite(numbers[i]) && numbers[i] >= least) continue;
    const expectation = least === -Infinity ? 'a finite number' : `a finite number ≥ ${least}`;
    throw new InvalidParameterError(`${name}[${i}]`, numbers[i], expectation);
  }
  return numbers instanceof Float64Array ? numbers : Float64Array.from(numbers);
}

/** The smallest q ≥ 0 for which all weights are multiples of 2^-q, and the sum of their magnitudes. */
export interface WeightGrain {
  readonly q: number;
  /** In float64; exact if it is below 2^(53 − q). */
  readonly magnitude: number;
}

/** @complexity  O(n), no allocation that grows with n */
export function grainOfWeights(weights: ArrayLike<number>): WeightGrain {
  const parts = new FloatParts();
  let q = 0;
  let magnitude = 0;
  for (let i = 0; i < weights.length; i++) {
    const w = weights[i];
    magnitude += Math.abs(w);
    if (Number.isInteger(w * 2 ** Math.min(q, 1000)) && q <= 1000) continue;
    q = Math.max(q, -parts.lowestExponent(w));
  }
  return {q, magnitude};
}

/**
 * Whether float64 sums of any of the weights are exact, in any order: all partial sums are multiples of 2^-q below
 * 2^(53 − q).
 */
export function haveExactSums({q, magnitude}: WeightGrain): boolean {
  return q <= 1000 && magnitude * 2 ** q < 2 ** 53;
}

/** Splits float64 numbers into integers and powers of two. */
export class FloatParts {
  readonly #float = new Float64Array(1);
  readonly #words = new Uint32Array(this.#float.buffer);
  /** Index of the word with sign and exponent: machines differ in the order of bytes. */
  readonly #upper: number;

  constructor() {
    this.#float[0] = 1;
    this.#upper = this.#words[1] === 0 ? 0 : 1;
  }

  /** The exponent e of x = m · 2^e with m an integer of at most 53 bits. */
  exponent(x: number): number {
    this.#float[0] = x;
    const biased = (this.#words[this.#upper] >>> 20) & 0x7ff;
    return Math.max(biased, 1) - 1075;
  }

  /** The exponent of the lowest bit that is set; 0 for x = 0. */
  lowestExponent(x: number): number {
    if (x === 0) return 0;
    const exponent = this.exponent(x);
    const lower = this.#words[1 - this.#upper];
    if (lower !== 0) return exponent + trailingZeros(lower);
    const upper = this.#words[this.#upper];
    const isNormal = (upper & 0x7ff0_0000) !== 0;
    return exponent + 32 + trailingZeros((upper & 0xf_ffff) | (isNormal ? 0x10_0000 : 0));
  }

  /** The integer m of x = m · 2^exponent. */
  mantissa(x: number, exponent: number): bigint {
    this.#float[0] = x;
    const upper = this.#words[this.#upper];
    const isNormal = (upper & 0x7ff0_0000) !== 0;
    const high = (upper & 0xf_ffff) | (isNormal ? 0x10_0000 : 0);
    const magnitude = (BigInt(high) << 32n) | BigInt(this.#words[1 - this.#upper]);
    const shift = this.exponent(x) - exponent;
    return (x < 0 ? -magnitude : magnitude) << BigInt(shift);
  }
}

function trailingZeros(word: number): number {
  return 31 - Math.clz32(word & -word);
}
