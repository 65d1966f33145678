import {describe, expect, it} from 'vitest';
import {medianPhases, summarizeTimes} from '../src/statistics.ts';

describe('summarizeTimes', () => {
  it('gives the median, the smallest and the spread, and keeps the order of the repeats', () => {
    expect(summarizeTimes([30, 10, 20])).toEqual({allMs: [30, 10, 20], medianMs: 20, minMs: 10, spread: 0.5});
  });

  it('takes the mean of the two middle times of an even number', () => {
    expect(summarizeTimes([1, 2, 4, 100]).medianMs).toBe(3);
  });

  it('gives one repeat a spread of zero', () => {
    expect(summarizeTimes([7])).toEqual({allMs: [7], medianMs: 7, minMs: 7, spread: 0});
  });

  it('does not let one slow repeat among many widen the spread', () => {
    expect(summarizeTimes([10, 10, 10, 10, 10, 10, 10, 500]).spread).toBe(0);
  });

  it('refuses an empty list', () => {
    expect(() => summarizeTimes([])).toThrow(new RangeError('allMs.length = 0; expected at least one time'));
  });
});

describe('medianPhases', () => {
  it('takes the median of each phase', () => {
    expect(
      medianPhases([
        {index: 1, core: 9},
        {index: 3, core: 7},
        {index: 2, core: 8},
      ]),
    ).toEqual({index: 2, core: 8});
  });

  it('counts a phase that a run did not report as zero', () => {
    expect(medianPhases([{index: 4}, {index: 4, core: 6}, {index: 4}])).toEqual({index: 4, core: 0});
  });
});
