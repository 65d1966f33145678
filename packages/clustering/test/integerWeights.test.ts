import {describe, expect, it} from 'vitest';
import {integerWeights, kindOfWeights} from '@epsball/clustering';

describe('integerWeights', () => {
  it('counts in the largest power of two that divides all weights, and scales minPts alike', () => {
    const {values, threshold, stopAt} = integerWeights(Float64Array.of(1, 0.25, -1.5, 0), 2) ?? {};
    expect(values).toEqual(Int32Array.of(4, 1, -6, 0));
    expect(threshold).toBe(8);
    // Weights that follow may take away 6.
    expect(stopAt).toBe(14);
  });

  it('refuses sums that int32 does not hold', () => {
    const most = 2 ** 31 - 2;
    expect(integerWeights(Float64Array.of(most), 1)?.values[0]).toBe(most);
    expect(integerWeights(Float64Array.of(most, 1), 1)).toBeUndefined();
    expect(integerWeights(Float64Array.of(most, -1), 1)).toBeUndefined();
    expect(integerWeights(Float64Array.of(0.1), 1)).toBeUndefined();
    expect(integerWeights(Float64Array.of(1e300, 5e-324), 1)).toBeUndefined();
    expect(kindOfWeights(Float64Array.of(most, 1))).toBe('any');
    expect(kindOfWeights(Float64Array.of(most))).toBe('int32');
  });

  it('takes a minPts that no sum reaches', () => {
    const {threshold, stopAt} = integerWeights(Float64Array.of(2 ** -900), 5) ?? {};
    expect([threshold, stopAt]).toEqual([2 ** 31 - 1, 2 ** 31 - 1]);
  });
});
