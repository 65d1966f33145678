import {FloatParts, grainOfWeights, haveExactSums} from './weights.ts';

const U = 2 ** -53;

/**
 * Decides whether a point is core: whether the exact sum of the weights within eps, rounded once to float64, is at
 * least minPts. So the result depends on no order.
 *
 * Where all sums are exact in float64, plain sums decide. Elsewhere a plain sum of k terms is off by at most
 * (k + 1) · u · (Σ|w| + minPts) from the rounded exact sum, and decides outside this distance of minPts; inside,
 * integers decide.
 */
export class WeightSum {
  readonly #weights: Float64Array;
  readonly #minPts: number;
  readonly #isPlain: boolean;
  #sum = 0;
  #magnitude = 0;
  #count = 0;
  /** The weights added since `start`, where sums are not exact; grows. */
  #terms = new Float64Array(0);

  readonly #order: Int32Array | undefined;

  /**
   * @param isPlain  `haveExactSums` of all weights
   * @param order    index of the point at each position. Default: weights are by position
   */
  constructor(
    weights: Float64Array,
    minPts: number,
    isPlain: boolean = haveExactSums(grainOfWeights(weights)),
    order?: Int32Array,
  ) {
    this.#weights = weights;
    this.#order = order;
    this.#minPts = minPts;
    this.#isPlain = isPlain;
  }

  start(): void {
    this.#sum = 0;
    this.#magnitude = 0;
    this.#count = 0;
  }

  /** Adds the weights at the first `count` positions of a list. */
  add(positions: Int32Array, count: number): void {
    for (let k = 0; k < count; k++) this.addOne(positions[k]);
  }

  addOne(position: number): void {
    const w = this.#weights[this.#order === undefined ? position : this.#order[position]];
    this.#sum += w;
    if (this.#isPlain) return;
    this.#magnitude += Math.abs(w);
    const terms = this.#room();
    terms[this.#count++] = w;
  }

  /** Whether a point is core whose neighbours are at the first `count` positions of a list. */
  isEnoughOf(positions: Int32Array, count: number): boolean {
    this.start();
    this.add(positions, count);
    return this.isEnough();
  }

  isEnough(): boolean {
    const distance = this.#sum - this.#minPts;
    if (this.#isPlain) return distance >= 0;
    // Twice the bound, for the roundings of the magnitude.
    const bound = 2 * (this.#count + 1) * U * (this.#magnitude + this.#minPts);
    if (distance > bound) return true;
    if (distance < -bound) return false;
    return isSumEnough(this.#terms.subarray(0, this.#count), this.#minPts);
  }

  #room(): Float64Array {
    if (this.#terms.length === this.#count) {
      const larger = new Float64Array(2 * this.#count + 64);
      larger.set(this.#terms);
      this.#terms = larger;
    }
    return this.#terms;
  }
}

/**
 * Whether the exact sum, rounded once to float64, is at least minPts, from 1 to 2^52: whether it is at least minPts
 * less half the distance to the float64 below. A tie rounds to minPts, whose last bit is 0.
 */
export function isSumEnough(terms: ArrayLike<number>, minPts: number): boolean {
  const parts = new FloatParts();
  const isPowerOfTwo = minPts === 2 ** Math.round(Math.log2(minPts));
  const half = 2 ** (parts.exponent(minPts) - (isPowerOfTwo ? 2 : 1));
  let lowest = parts.exponent(half);
  for (let k = 0; k < terms.length; k++) if (terms[k] !== 0) lowest = Math.min(lowest, parts.exponent(terms[k]));
  let sum = parts.mantissa(half, lowest) - parts.mantissa(minPts, lowest);
  for (let k = 0; k < terms.length; k++) if (terms[k] !== 0) sum += parts.mantissa(terms[k], lowest);
  return sum >= 0n;
}
