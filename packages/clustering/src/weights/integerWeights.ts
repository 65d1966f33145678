import {grainOfWeights} from './weights.ts';

/** The largest i32: no sum of weights reaches it. */
const MAX_INT32 = 2 ** 31 - 1;

/** Weights as multiples of one power of two, for devices without float64. */
export interface IntegerWeights {
  /** n multiples, by index. Their magnitudes sum to less than 2^31 − 1. */
  readonly values: Int32Array;
  /** minPts in these units; 2^31 − 1, which no sum reaches, if it is more. */
  readonly threshold: number;
  /**
   * A partial sum of this or more makes a point core, whatever the other weights are: the threshold and the magnitudes
   * of all negative weights. 2^31 − 1 if it is more.
   */
  readonly stopAt: number;
}

/**
 * Converts weights whose sums are exact in int32.
 *
 * All weights are multiples of 2^-q. Every sum of some of them is an exact float64, so that comparing it with minPts is
 * comparing integers with minPts · 2^q.
 *
 * @param weights  finite; not modified
 * @returns        undefined if Σ|w| · 2^q is 2^31 − 1 or more
 * @complexity     O(n)
 */
export function integerWeights(weights: Float64Array, minPts: number): IntegerWeights | undefined {
  const {q, magnitude} = grainOfWeights(weights);
  const scale = 2 ** q;
  if (!(magnitude * scale < MAX_INT32)) return undefined;
  const values = new Int32Array(weights.length);
  let negative = 0;
  for (let i = 0; i < weights.length; i++) {
    values[i] = weights[i] * scale;
    if (values[i] < 0) negative -= values[i];
  }
  const threshold = Math.min(minPts * scale, MAX_INT32);
  return {values, threshold, stopAt: Math.min(threshold + negative, MAX_INT32)};
}

/** Which weights a variant takes: any, or those that `integerWeights` converts. */
export type WeightKind = 'any' | 'int32';

/** The kind of variants that these weights need at least. */
export function kindOfWeights(weights: Float64Array): WeightKind {
  const {q, magnitude} = grainOfWeights(weights);
  return magnitude * 2 ** q < MAX_INT32 ? 'int32' : 'any';
}

/** Why a device does not take weights of kind `any`. */
export const NOT_INT32: string =
  'sampleWeight: a GPU takes weights whose sums are exact in int32: multiples of one power of two, such as integers ' +
  'or quarters, that sum to less than 2^31 of its units';
