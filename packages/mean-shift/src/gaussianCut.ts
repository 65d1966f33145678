import {InvalidParameterError} from '@epsball/clustering';

/**
 * Bounds the distance, in bandwidths, between one step with the cut kernel and the same step with the whole Gaussian.
 *
 * Let c be the cut, h the bandwidth, and let IN and OUT be the points within c·h of the position p and beyond. With d =
 * x − p, the cut step is s = Σ_IN w·d / W_IN and the whole one t = (Σ_IN w·d + Σ_OUT w·d) / W. So t − s = (Σ_OUT w·d −
 * W_OUT · s) / W. In OUT w ≤ exp(−c²/2), and w·‖d‖ = h · r · exp(−r²/2) with r = ‖d‖/h ≥ c falls as r grows, for c ≥ 1;
 * and ‖s‖ ≤ c·h. Hence
 *
 *     ‖t − s‖ ≤ 2 · c · exp(−c²/2) · |OUT| / W · h, and W ≥ W_IN.
 *
 * @param cut      c, in bandwidths, ≥ 1
 * @param outside  points beyond the cut; n is an upper bound
 * @param weight   W_IN, the sum of weights within the cut, > 0; at least 1 at a point of the data
 * @throws InvalidParameterError  if `cut` is less than 1, or `weight` not > 0
 */
export function gaussianCutBound(cut: number, outside: number, weight: number): number {
  if (!(cut >= 1)) throw new InvalidParameterError('cut', cut, 'a number ≥ 1');
  if (!(weight > 0)) throw new InvalidParameterError('weight', weight, 'a number > 0');
  return (2 * cut * Math.exp((-cut * cut) / 2) * outside) / weight;
}
