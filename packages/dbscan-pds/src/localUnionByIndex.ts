// Plain loads and stores of `parent` are safe here: a range unites points of its own indices only, so no other thread touches
// their words in this wave, and merging is a later one (`WorkerPool` orders the two).
import {RANGES_LENGTH, type CellIndex} from '@epsball/spatial-grid';
import {unite, type PointForest} from '@epsball/union-find';
import type {SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';
import {PointUnion} from './pointUnion.ts';

/**
 * Local computation over the points whose original indices are in a range, the partition of the document: unites
 * neighbouring core points of the range, and lists the pairs whose earlier point, by position, is outside. Where the input is in no order, most
 * neighbours are outside.
 *
 * @source Patwary et al. 2012, Algorithm 3, lines 2 to 18
 */
export class LocalUnionByIndex {
  readonly #index: CellIndex;
  readonly #forest: PointForest;
  readonly #points: PointUnion;
  readonly #first: number;
  readonly #end: number;

  /**
   * @param first  first original index of the range; `end` behind its last
   * @param pairs  receives the pairs with other ranges
   */
  constructor(space: SearchSpace, first: number, end: number, pairs: PairList) {
    const {index, forest} = space;
    this.#index = index;
    this.#forest = forest;
    this.#points = new PointUnion(space, (neighbor, position) => {
      if (this.#owns(neighbor)) unite(forest.parent, neighbor, position);
      else pairs.add(position, neighbor);
    });
    this.#first = first;
    this.#end = end;
  }

  /** Unites all points of the range. Walks over all cells: O(n) beside the tests. */
  unite(): void {
    const {cellCount, cellStart} = this.#index;
    const {isCore} = this.#forest;
    const ranges = new Int32Array(RANGES_LENGTH);
    for (let cell = 0; cell < cellCount; cell++) {
      let last = -1;
      for (let position = cellStart[cell]; position < cellStart[cell + 1]; position++) {
        if (isCore[position] === 0 || !this.#owns(position)) continue;
        if (last < 0) last = 2 * this.#index.neighborRanges(cell, ranges);
        for (let r = 0; r < last && ranges[r] < position; r += 2) {
          this.#points.uniteWithAll(position, ranges[r], Math.min(ranges[r + 1], position));
        }
      }
    }
  }

  #owns(position: number): boolean {
    const i = this.#index.pointOrder[position];
    return i >= this.#first && i < this.#end;
  }
}
