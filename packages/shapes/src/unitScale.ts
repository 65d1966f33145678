import {powersToOne} from '@epsball/clustering';

/**
 * A power of two, as two factors, that brings numbers up to a largest magnitude into [−4, 4]: sums and products of
 * them neither overflow nor vanish. One factor alone overflows for subnormal numbers.
 */
export class UnitScale {
  readonly #down: readonly [number, number];

  /** @param largest  magnitude, finite, ≥ 0; 0 scales nothing */
  constructor(largest: number) {
    this.#down = powersToOne(largest);
  }

  /** x times the power: exact, unless x is smaller than the largest magnitude by a factor of 2^1000. */
  toUnit(x: number): number {
    return x * this.#down[0] * this.#down[1];
  }

  /** The inverse of `toUnit`, rounded once. */
  fromUnit(x: number): number {
    return x / this.#down[0] / this.#down[1];
  }
}
