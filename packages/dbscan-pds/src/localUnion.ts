// Plain loads and stores of `parent` are safe here: a run unites positions of its own only, so no other thread touches its
// words in this wave, and merging, which does, is a later wave (`WorkerPool` orders the two).
import {RANGES_LENGTH, cellsToRanges, type CellIndex} from '@epsball/spatial-grid';
import {unite} from '@epsball/union-find';
import {CellUnion, LARGE_CELL} from './cellUnion.ts';
import type {SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';
import {PointUnion, type Unite} from './pointUnion.ts';

/** What a part leaves to merging: the pairs with earlier parts. */
export interface ForeignPairs {
  /** Of points: own position, foreign position. */
  readonly points: PairList;
  /** Of large cells: own cell, foreign cell. Whether that one is whole is its owner's to say. */
  readonly cells: PairList;
}

/**
 * Local computation of PDSDBSCAN-S over a run of cells: unites neighbouring core points of the run, and lists the pairs
 * whose other side is in an earlier run. Each pair is looked at once, from its later side.
 *
 * @source Patwary et al. 2012, Algorithm 3, lines 2 to 18: Stage local computation. Unlike there, all core points are known
 *         before, so borders wait (`assignLabels`), and a pair of neighbours that cannot join anything is not tested
 */
export class LocalUnion {
  readonly #index: CellIndex;
  readonly #isCore: Uint8Array;
  readonly #points: PointUnion;
  readonly #cellUnion: CellUnion;
  readonly #pairs: ForeignPairs;
  readonly #firstCell: number;
  readonly #cells = new Int32Array(RANGES_LENGTH);

  /**
   * @param firstCell  of the run
   * @param whole      as for `CellUnion`; written for the large cells of the run
   * @param pairs      receives the pairs with earlier runs
   */
  constructor(space: SearchSpace, firstCell: number, whole: Uint8Array, pairs: ForeignPairs) {
    const {index, forest} = space;
    const {parent} = forest;
    this.#index = index;
    this.#isCore = forest.isCore;
    const ownStart = index.cellStart[firstCell];
    const uniteOrList: Unite = (neighbor, position) => {
      if (neighbor < ownStart) pairs.points.add(position, neighbor);
      else unite(parent, neighbor, position);
    };
    this.#points = new PointUnion(space, uniteOrList);
    this.#cellUnion = new CellUnion(space, whole, (neighbor, position) => void unite(parent, neighbor, position));
    this.#pairs = pairs;
    this.#firstCell = firstCell;
  }

  /** Unites the points of some cells with their neighbours in these and in earlier cells; cells come in ascending order. */
  uniteCells(firstCell: number, endCell: number): void {
    const {cellStart} = this.#index;
    for (let cell = firstCell; cell < endCell; cell++) {
      const start = cellStart[cell];
      const end = cellStart[cell + 1];
      if (start === end) continue;
      if (end - start < LARGE_CELL) this.#uniteSmallCell(cell, start, end);
      else this.#uniteLargeCell(cell, start, end);
    }
  }

  #uniteSmallCell(cell: number, start: number, end: number): void {
    const isCore = this.#isCore;
    const ranges = this.#cells;
    const last = 2 * cellsToRanges(ranges, this.#index.neighborCells(cell, ranges), this.#index.cellStart);
    for (let position = start; position < end; position++) {
      if (isCore[position] === 0) continue;
      for (let r = 0; r < last && ranges[r] < position; r += 2) {
        this.#points.uniteWithAll(position, ranges[r], Math.min(ranges[r + 1], position));
      }
    }
  }

  #uniteLargeCell(cell: number, start: number, end: number): void {
    const {cellStart} = this.#index;
    const cells = this.#cells;
    const last = 2 * this.#index.neighborCells(cell, cells);
    this.#cellUnion.uniteInside(start, end);
    for (let r = 0; r < last && cells[r] < cell; r += 2) {
      for (let other = cells[r]; other < cells[r + 1] && other < cell; other++) {
        const from = cellStart[other];
        const to = cellStart[other + 1];
        if (other >= this.#firstCell) this.#cellUnion.uniteCells(start, end, from, to);
        else if (to - from >= LARGE_CELL) this.#pairs.cells.push(cell, other);
        else for (let position = start; position < end; position++) this.#points.uniteWithAll(position, from, to);
      }
    }
  }
}
