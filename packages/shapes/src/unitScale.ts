import {powersToOne} from '@epsball/clustering';

type Scaling = (x: number) => number;

/**
 * Scales by a power of two, as two factors, that brings numbers up to a largest magnitude into [−4, 4]: sums and
 * products of them neither overflow nor vanish. One factor alone overflows for subnormal numbers.
 *
 * @param largest  magnitude, finite, ≥ 0; 0 scales nothing
 * @returns        `toUnit`, exact unless x is smaller than the largest magnitude by a factor of 2^1000, and its inverse
 */
export function unitScale(largest: number): {readonly toUnit: Scaling; readonly fromUnit: Scaling} {
  const [a, b] = powersToOne(largest);
  return {toUnit: (x) => x * a * b, fromUnit: (x) => x / a / b};
}
