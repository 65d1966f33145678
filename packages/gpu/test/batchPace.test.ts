import {BatchPace, firstUnits} from '@epsball/gpu';
import {describe, expect, it} from 'vitest';

describe('BatchPace', () => {
  it('doubles while batches are quick, up to the most', () => {
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

  it('keeps its size in between', () => {
    const pace = new BatchPace(4, 10, 0);
    pace.look(60);
    expect(pace.next).toBe(4);
  });
});

describe('firstUnits', () => {
  it('takes as many as the budget pays for, at least one, and no more than most', () => {
    expect([1, 30, 1000].map((cost) => firstUnits(4, cost, 100))).toEqual([4, 3, 1]);
  });
});
