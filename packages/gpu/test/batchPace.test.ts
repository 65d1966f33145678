import {BatchPace, firstUnits} from '@epsball/gpu';
import {describe, expect, it} from 'vitest';

describe('BatchPace', () => {
  it('doubles while batches are fast, up to the maximum', () => {
    const pace = new BatchPace(4, 10, 0);
    expect(pace.next).toBe(4);
    pace.look(1);
    expect(pace.next).toBe(8);
    pace.look(2);
    expect(pace.next).toBe(10);
  });

  it('halves while batches are slow, down to 1', () => {
    const pace = new BatchPace(4, 10, 0);
    const sizes = [1000, 2000, 3000].map((ms) => {
      pace.look(ms);
      return pace.next;
    });
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('keeps its size between the two thresholds', () => {
    const pace = new BatchPace(4, 10, 0);
    pace.look(60);
    expect(pace.next).toBe(4);
  });
});

describe('firstUnits', () => {
  it('returns as many units as the budget allows, at least one, at most the maximum', () => {
    expect([1, 30, 1000].map((cost) => firstUnits(4, cost, 100))).toEqual([4, 3, 1]);
  });
});
