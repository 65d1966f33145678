// Plain loads and stores of `parent` are safe here: a range unites points of its own indices only, so no other thread touches
// their words in this wave, and merging is a later one (`WorkerPool` orders the two).
import {RANGES_LENGTH, type CellIndex} from '@epsball/spatial-grid';
import {unite, type PointForest} from '@epsball/union-find';
import {BallTest, BLOCK} from './ballTest.ts';
import type {SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';

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
  readonly #ball: BallTest;
  readonly #pairs: PairList;
  readonly #first: number;
  readonly #end: number;

  /**
   * @param first  first original index of the range; `end` behind its last
   * @param pairs  receives the pairs with other ranges
   */
  constructor({index, eps, forest}: SearchSpace, first: number, end: number, pairs: PairList) {
    this.#index = index;
    this.#forest = forest;
    this.#ball = new BallTest(index, eps);
    this.#pairs = pairs;
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
          this.#unitePoint(position, ranges[r], Math.min(ranges[r + 1], position));
        }
      }
    }
  }

  #unitePoint(position: number, from: number, to: number): void {
    const {isCore, parent} = this.#forest;
    const {found} = this.#ball;
    for (let block = from; block < to; block += BLOCK) {
      const count = this.#ball.collect(position, block, Math.min(block + BLOCK, to));
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        if (isCore[neighbor] === 0) continue;
        if (!this.#owns(neighbor)) this.#pairs.add(position, neighbor);
        else if (parent[neighbor] !== parent[position]) unite(parent, neighbor, position);
      }
    }
  }

  #owns(position: number): boolean {
    const i = this.#index.pointOrder[position];
    return i >= this.#first && i < this.#end;
  }
}
