// Plain loads and stores of `parent` are safe here: a range unites only points of its own indices, so no other thread
// accesses their words in this stage. Merging is a later wave (`WorkerPool` orders the two).
import type {CellIndex} from '@epsball/spatial-grid';
import {unite, type PointForest} from '@epsball/union-find';
import type {SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';
import {PointUnion} from './pointUnion.ts';

/**
 * Local computation over a range of original indices, the partition of the paper. Lists the pairs whose point of lower
 * position is outside: without spatial order in the input, most.
 *
 * @source Patwary et al. 2012, Algorithm 3, lines 2 to 18
 */
export class LocalUnionByIndex {
  readonly #index: CellIndex;
  readonly #forest: PointForest;
  readonly #points: PointUnion;
  readonly #first: number;
  readonly #end: number;

  /** @param pairs  receives the pairs with other ranges */
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

  unite(): void {
    const {cellCount, cellStart} = this.#index;
    const {isCore} = this.#forest;
    const ranges = new Int32Array(this.#index.rangesLength);
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
