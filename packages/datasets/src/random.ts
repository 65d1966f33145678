import {xoroshiro128plus} from 'pure-rand/generator/xoroshiro128plus';
import {InvalidParameterError} from '@epsball/clustering';

const TWO_POW_26 = 2 ** 26;
const TWO_POW_MINUS_53 = 2 ** -53;

/**
 * A seeded stream of random numbers: xoroshiro128+ of pure-rand, 32-bit integer arithmetic only.
 *
 * `uniform` and `integer` are equal to the bit on every machine. Values from `Math.log`, `Math.sin` and `Math.cos`
 * (Gaussians, curves) may differ in the last bit of a float64 between JavaScript engines, because the language does not
 * specify their rounding. After rounding to float32 such a difference is rare.
 */
export class Random {
  readonly #bits: {next(): number};
  #spareGaussian = 0;
  #hasSpare = false;

  /**
   * @param seed  integer in 0…2^32 − 1
   * @throws InvalidParameterError  for any other seed
   */
  constructor(seed: number) {
    if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) {
      throw new InvalidParameterError('seed', seed, 'an integer from 0 to 4294967295');
    }
    this.#bits = xoroshiro128plus(mixSeed(seed));
    // The first state has runs of equal bits; 32 steps spread the seed over all of it.
    for (let i = 0; i < 32; i++) this.#bits.next();
  }

  /** Uniform in [0, 1), a multiple of 2^-53. */
  uniform(): number {
    const high = this.#bits.next() >>> 5;
    const low = this.#bits.next() >>> 6;
    return (high * TWO_POW_26 + low) * TWO_POW_MINUS_53;
  }

  /** Uniform in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Uniform integer in 0…length − 1. */
  integer(length: number): number {
    return Math.floor(this.uniform() * length);
  }

  gaussian(): number {
    if (this.#hasSpare) {
      this.#hasSpare = false;
      return this.#spareGaussian;
    }
    // Marsaglia's polar method: two normals from one point of the unit disk, no trigonometry.
    let u = 0;
    let v = 0;
    let s = 0;
    do {
      u = 2 * this.uniform() - 1;
      v = 2 * this.uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s === 0);
    const scale = Math.sqrt((-2 * Math.log(s)) / s);
    this.#spareGaussian = v * scale;
    this.#hasSpare = true;
    return u * scale;
  }

  /** Standard normal, redrawn until it lies within ±limit. */
  truncatedGaussian(limit: number): number {
    let g = this.gaussian();
    while (g < -limit || g > limit) g = this.gaussian();
    return g;
  }
}

/** The finalizer of MurmurHash3: adjacent seeds give unrelated streams. */
function mixSeed(seed: number): number {
  let h = seed | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
