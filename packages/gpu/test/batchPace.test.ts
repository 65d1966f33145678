import {BatchPace, firstUnits} from '@epsball/gpu';
import {describe, expect, it} from 'vitest';

describe('BatchPace', () => {
  it('doubles while batches are quick, up to the most', () => {
    const pace = new BatchPace(4, 10, 0);
    const sizes = [1, 2, 3].map((ms) => {
      const size = pace.take();
      pace.look(ms);
      return size;
    });
    expect(sizes).toEqual([4, 8, 10]);
  });

  it('doubles before the first look', () => {
    const pace = new BatchPace(4, 100, 0);
    expect([pace.take(), pace.take(), pace.take()]).toEqual([4, 8, 16]);
    pace.look(1);
    expect(pace.take()).toBe(32);
  });

  it('halves while batches are slow, down to 1', () => {
    const pace = new BatchPace(4, 10, 0);
    const sizes = [1000, 2000, 3000].map((ms) => {
      pace.take();
      pace.look(ms);
      return pace.take();
    });
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('keeps the last size in between', () => {
    const pace = new BatchPace(4, 10, 0);
    pace.take();
    pace.look(60);
    expect([pace.take(), pace.take()]).toEqual([4, 4]);
  });
});

describe('firstUnits', () => {
  it('takes as many as the budget pays for, at least one, and no more than most', () => {
    expect([1, 30, 1000].map((cost) => firstUnits(4, cost, 100))).toEqual([4, 3, 1]);
  });
});
