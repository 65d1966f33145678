import {expect, it} from 'vitest';
import {createCrossPairs, mergeBounds} from '../src/workers/crossPairs.ts';

it('merges the pairs of several parts in one chunk if they list few', () => {
  const pairs = [5, 0, 3, 8, 0, 0, 1, 20, 2];
  const cross = createCrossPairs(
    Array.from({length: pairs.length + 1}, (_, part) => part),
    new Int32Array(0),
  );
  pairs.forEach((count, part) => (cross.counts[2 * part] = 2 * count));
  expect(mergeBounds(cross, 8)).toEqual([0, 3, 4, 8, 9]);
  expect(mergeBounds(cross, 1)).toEqual([0, 1, 3, 4, 7, 8, 9]);
  expect(mergeBounds(cross, 1000)).toEqual([0, 9]);
});
