import {InvalidParameterError, toWeights} from '@epsball/clustering';

/**
 * Weights as sums of few parts: parts of one kind have exact float64 sums, in any order.
 *
 * All of a kind are multiples of a power of two, and less than 2^53 of it in all. What one kind leaves of a weight is
 * less than its power of two, and the next kind divides it. Weights of similar size have one kind or two.
 *
 * @param weights  finite, ≥ 0, of a sum below 2^1023; not modified
 * @returns        kinds of n parts, the largest first, at least one; owned by the caller
 * @complexity     O(n) a kind; at most 1 + 2100 / (53 − log2 n) kinds
 */
export function weightParts(weights: Float64Array): Float64Array[] {
  const rest = weights.slice();
  const kinds: Float64Array[] = [];
  // Twice the sum, for the roundings of the sum.
  let bound = 2 * rest.reduce((sum, w) => sum + w, 0);
  for (let isDivided = false; !isDivided;) {
    // The bound is at most 2^53 of these; 2^-1074 is the least float64.
    const unit = 2 ** Math.max(-1074, Math.floor(Math.log2(bound)) - 52);
    const parts = rest.map((w) => Math.floor(w / unit) * unit);
    for (let i = 0; i < rest.length; i++) rest[i] -= parts[i];
    kinds.push(parts);
    bound = rest.length * unit;
    isDivided = rest.every((w) => w === 0);
  }
  return kinds;
}

/**
 * @param weights  one a point
 * @returns        in float64
 * @throws InvalidParameterError  if there is not one weight a point, if one is not finite or below 0: names the first;
 *                                or if their sum is 2^1023 or more
 */
export function checkWeights(weights: ArrayLike<number>, n: number): Float64Array {
  const checked = toWeights(weights, n, 0);
  const sum = checked.reduce((total, w) => total + w, 0);
  if (sum < 2 ** 1023) return checked;
  throw new InvalidParameterError('sampleWeight', checked, 'weights of a sum below 2^1023');
}
