import {describe, expect, it} from 'vitest';
import {collapseDuplicates, grainOfWeights, haveExactSums, toWeights, WeightSum} from '@epsball/clustering';
import {dbscanOracle} from '../src/definition.ts';
import {isSumEnough} from '../src/weights/weightSum.ts';

/** Whether a sum decides as `isSumEnough` for these terms, in this order. */
function decides(terms: readonly number[], minPts: number): boolean {
  const sum = new WeightSum(Float64Array.from(terms), minPts);
  return sum.isEnoughOf(
    Int32Array.from(terms, (_, k) => k),
    terms.length,
  );
}

describe('toWeights', () => {
  it('takes any numbers, and names what is wrong', () => {
    const weights = Float64Array.of(1, -2);
    expect(toWeights(weights, 2)).toBe(weights);
    expect(toWeights(Float32Array.of(0.1), 1)).toEqual(Float64Array.of(Math.fround(0.1)));
    expect(() => toWeights([1], 2)).toThrow('sampleWeight.length = 1; expected 2, one weight a point');
    expect(() => toWeights([1, NaN], 2)).toThrow('sampleWeight[1] = NaN; expected a finite number');
    expect(() => toWeights('12' as never, 2)).toThrow('expected an array with one weight a point');
  });
});

describe('grainOfWeights', () => {
  it('finds the smallest power of two that divides all weights', () => {
    expect(grainOfWeights([1, 2, -3])).toEqual({q: 0, magnitude: 6});
    expect(grainOfWeights([0.25, 8, 0])).toEqual({q: 2, magnitude: 8.25});
    expect(grainOfWeights([2 ** 60]).q).toBe(0);
    expect(grainOfWeights([5e-324]).q).toBe(1074);
    expect(grainOfWeights([1 + 2 ** -52]).q).toBe(52);
    expect(grainOfWeights([0.75 * 2 ** -30]).q).toBe(32);
    expect(haveExactSums(grainOfWeights([2 ** 52, 2 ** 51]))).toBe(true);
    expect(haveExactSums(grainOfWeights([2 ** 52, 2 ** 52]))).toBe(false);
    expect(haveExactSums(grainOfWeights([0.1]))).toBe(true);
    expect(haveExactSums(grainOfWeights([0.1, -0.1]))).toBe(true);
    expect(haveExactSums(grainOfWeights([0.1, 1000]))).toBe(false);
  });
});

describe('WeightSum', () => {
  it('rounds the exact sum once, in any order', () => {
    const tenths = Array.from({length: 10}, () => 0.1);
    expect(tenths.reduce((a, b) => a + b, 0)).toBeLessThan(1);
    expect(decides(tenths, 1)).toBe(true);
    expect(decides([1, 1e100, 1, -1e100], 2)).toBe(true);
    expect(decides([1e308, 1e308, -1e308, -1e308, 5], 5)).toBe(true);
    expect(decides([1e308, 1e308, -1e308, -1e308, 5], 6)).toBe(false);
    expect(decides([], 1)).toBe(false);
  });

  it('rounds ties to even, below a power of two and between', () => {
    // Half the distance to the float64 below 1 is 2^-54, below 5 it is 2^-51.
    expect(isSumEnough([1, -(2 ** -54)], 1)).toBe(true);
    expect(isSumEnough([1, -(2 ** -54), -(2 ** -90)], 1)).toBe(false);
    expect(isSumEnough([5, -(2 ** -51)], 5)).toBe(true);
    expect(isSumEnough([5, -(2 ** -51), -5e-324], 5)).toBe(false);
    expect(isSumEnough([4, -(2 ** -52)], 4)).toBe(true);
    expect(isSumEnough([4, -(2 ** -52), -5e-324], 4)).toBe(false);
  });

  it('decides alike for many sums near the bound', () => {
    let state = 1;
    const next = (): number => (state = Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    for (let run = 0; run < 500; run++) {
      const terms = Array.from({length: 1 + (next() % 12)}, () => ((next() % 25) - 5) / 10);
      const minPts = 1 + (next() % 4);
      const exact = terms.reduce((sum, term) => sum + Math.round(term * 10), 0) / 10;
      const expected = isSumEnough(terms, minPts);
      expect(decides(terms, minPts)).toBe(expected);
      expect(decides(terms.toReversed(), minPts)).toBe(expected);
      if (Math.abs(exact - minPts) > 0.05) expect(expected).toBe(exact > minPts);
    }
  });
});

describe('collapseDuplicates', () => {
  it('keeps the labels, with counts and with weights of any sign', () => {
    let state = 7;
    const next = (below: number): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % below;
    for (let run = 0; run < 60; run++) {
      const coords = Float32Array.from({length: 80}, () => next(7) - 3 || -0);
      const points = {coords, dim: 2};
      const weights = run % 2 === 0 ? undefined : Float64Array.from({length: 40}, () => next(9) / 4 - 0.5);
      const params = {eps: 1, minPts: 4};
      const whole = dbscanOracle(points, {...params, sampleWeight: weights});
      const {points: distinct, sampleWeight, groupOf} = collapseDuplicates(points, weights);
      const collapsed = dbscanOracle(distinct, {...params, sampleWeight});
      expect(distinct.coords.length).toBeLessThan(80);
      expect(Int32Array.from(groupOf, (group) => collapsed.labels[group])).toEqual(whole.labels);
    }
  });

  it('keeps points apart where sums are not exact', () => {
    const points = {coords: Float64Array.of(1, 1), dim: 1};
    expect(collapseDuplicates(points, [0.1, 1000]).points).toBe(points);
  });
});
