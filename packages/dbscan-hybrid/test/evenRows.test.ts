import {describe, expect, it} from 'vitest';
import {evenRows} from '../src/edgeWaves.ts';

/** Starts of rows with these lengths, counted on from `base` modulo 2^32. */
function startsOf(lengths: readonly number[], base: number): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  starts[0] = base;
  lengths.forEach((length, row) => (starts[row + 1] = starts[row] + length));
  return starts;
}

describe('evenRows', () => {
  it('cuts where about as many edges are on either side, also where the sums pass 2^32', () => {
    for (const base of [0, 2 ** 32 - 7]) {
      const rowStart = startsOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], base);
      const bounds = evenRows(rowStart, {firstRow: 0, rowCount: 10, edgeCount: 45}, 3);
      expect(bounds).toEqual([0, 6, 9, 10]);
    }
  });

  it('keeps to the rows of the chunk', () => {
    const rowStart = startsOf([5, 5, 5, 5, 5, 5], 100);
    expect(evenRows(rowStart, {firstRow: 2, rowCount: 3, edgeCount: 15}, 3)).toEqual([2, 3, 4, 5]);
    expect(evenRows(rowStart, {firstRow: 2, rowCount: 3, edgeCount: 15}, 1)).toEqual([2, 5]);
  });

  it('never cuts a row, however many parts are asked for', () => {
    const rowStart = startsOf([0, 100, 0, 0], 0);
    const bounds = evenRows(rowStart, {firstRow: 0, rowCount: 4, edgeCount: 100}, 4);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
    expect([bounds[0], bounds.at(-1)]).toEqual([0, 4]);
  });
});
