import {RANGES_LENGTH} from '@epsball/spatial-grid';
import {BallTest} from './ballTest.ts';
import type {SearchSpace} from './forest.ts';

/**
 * Marks the core points of the cells [firstCell, endCell) and makes every point there a set of its own.
 *
 * @complexity  O(candidates), fewer where `minPts` are found early
 * @source      Patwary et al. 2012, Algorithm 2: p(x) ← x; mark x as core
 */
export function markCore({index, eps, forest}: SearchSpace, minPts: number, firstCell: number, endCell: number): void {
  const {cellStart} = index;
  const {isCore, parent} = forest;
  const ball = new BallTest(index, eps);
  const ranges = new Int32Array(RANGES_LENGTH);
  for (let cell = firstCell; cell < endCell; cell++) {
    const start = cellStart[cell];
    const end = cellStart[cell + 1];
    if (start === end) continue;
    const last = 2 * index.neighborRanges(cell, ranges);
    putOwnRangeFirst(ranges, last, start);
    for (let position = start; position < end; position++) {
      let count = 0;
      for (let r = 0; r < last && count < minPts; r += 2) {
        count += ball.countUpTo(minPts - count, position, ranges[r], ranges[r + 1]);
      }
      isCore[position] = count >= minPts ? 1 : 0;
      parent[position] = position;
    }
  }
}

/** Most neighbours are in the same row: `minPts` are found there first. */
function putOwnRangeFirst(ranges: Int32Array, last: number, start: number): void {
  for (let r = 0; r < last; r += 2) {
    if (ranges[r] > start || ranges[r + 1] <= start) continue;
    const from = ranges[r];
    const to = ranges[r + 1];
    ranges[r] = ranges[0];
    ranges[r + 1] = ranges[1];
    ranges[0] = from;
    ranges[1] = to;
    return;
  }
}
