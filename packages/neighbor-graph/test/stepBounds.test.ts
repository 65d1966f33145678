import {describe, expect, it} from 'vitest';
import {certainPairs, cutList, cutRows, undecidedPairs} from '../src/steps.ts';

describe('bounds of steps', () => {
  const plane = {isGrid: false, dim: 2, speed: 'hardware', isExactOnly: false} as const;

  it('decrease with the time per pair', () => {
    expect(certainPairs(plane)).toBe(2 ** 34);
    expect(certainPairs({...plane, dim: 1})).toBe(2 ** 34);
    expect(certainPairs({...plane, dim: 64})).toBe(2 ** 29);
    expect(certainPairs({...plane, speed: 'software'})).toBe(2 ** 28);
    expect(undecidedPairs(plane)).toBeLessThan(certainPairs(plane));
    expect(undecidedPairs({...plane, isExactOnly: true})).toBe(2 ** 28);
  });

  it('divide rows into whole tiles, and lists into rows', () => {
    expect(cutRows({first: 10, count: 300}, 100, 20_000)).toEqual([
      {first: 10, count: 192},
      {first: 202, count: 108},
    ]);
    expect(cutRows({first: 0, count: 100}, 1e9, 1)).toEqual([
      {first: 0, count: 64},
      {first: 64, count: 36},
    ]);
    expect(cutList(5, 100, 250)).toEqual([
      {first: 0, count: 2},
      {first: 2, count: 2},
      {first: 4, count: 1},
    ]);
    expect(cutList(2, 1e9, 1)).toHaveLength(2);
    expect(cutList(0, 10, 100)).toEqual([]);
  });
});
