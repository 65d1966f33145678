import {describe, expect, it} from 'vitest';
import {BatchPace} from '../src/gpu/batchPace.ts';

describe('BatchPace', () => {
  it('doubles while batches are quick, up to the most', () => {
    const pace = new BatchPace(4, 10);
    expect(pace.next).toBe(4);
    pace.look(performance.now() + 1);
    expect(pace.next).toBe(8);
    pace.look(performance.now() + 2);
    expect(pace.next).toBe(10);
  });

  it('halves while batches are slow, down to 1', () => {
    const pace = new BatchPace(4, 10);
    const start = performance.now();
    const sizes = [1000, 2000, 3000].map((ms) => {
      pace.look(start + ms);
      return pace.next;
    });
    expect(sizes).toEqual([2, 1, 1]);
  });

  it('stays where it is in between', () => {
    const pace = new BatchPace(4, 10);
    const start = performance.now();
    pace.look(start + 60);
    expect(pace.next).toBe(4);
  });
});
