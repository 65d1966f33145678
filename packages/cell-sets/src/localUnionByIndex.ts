// Plain loads and stores of `parent` are safe here: a range unites only points of its own indices, so no other thread
// accesses their words in this stage. Merging is a later wave (`WorkerPool` orders the two).
import {unite} from '@epsball/union-find';
import type {SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';
import {PointUnion} from './pointUnion.ts';

/**
 * Local computation over a range of original indices, the partition of the paper. Lists the pairs whose point of lower
 * position is outside: without spatial order in the input, most.
 *
 * @param pairs   receives the pairs with other ranges
 * @source Patwary et al. 2012, Algorithm 3, lines 2 to 18
 */
export function uniteByIndex(space: SearchSpace, first: number, end: number, pairs: PairList): void {
  const {index, forest} = space;
  const {cellCount, cellStart, pointOrder} = index;
  const owns = (position: number): boolean => pointOrder[position] >= first && pointOrder[position] < end;
  const points = new PointUnion(space, (neighbor, position) => {
    if (owns(neighbor)) unite(forest.parent, neighbor, position);
    else pairs.add(position, neighbor);
  });
  const ranges = new Int32Array(index.rangesLength);
  for (let cell = 0; cell < cellCount; cell++) {
    let last = -1;
    for (let position = cellStart[cell]; position < cellStart[cell + 1]; position++) {
      if (forest.isCore[position] === 0 || !owns(position)) continue;
      if (last < 0) last = 2 * index.neighborRanges(cell, ranges);
      for (let r = 0; r < last && ranges[r] < position; r += 2) {
        points.uniteWithAll(position, ranges[r], Math.min(ranges[r + 1], position));
      }
    }
  }
}
