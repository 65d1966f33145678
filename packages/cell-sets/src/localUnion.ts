// Plain loads and stores of `parent` are safe here: a run unites only its own positions, so no other thread accesses
// their words in this stage. Merging, which does, is a later wave (`WorkerPool` orders the two).
import {cellsToRanges, type CellIndex} from '@epsball/spatial-grid';
import {findRoot, unite} from '@epsball/union-find';
import {CellUnion} from './cellUnion.ts';
import {hasLargeCells, type SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';
import {LARGE_CELL, type Pieces} from './pieces.ts';
import {PointUnion, type Unite} from './pointUnion.ts';

/**
 * Local computation of PDSDBSCAN-S over a run of cells: unites neighbouring core points of the run, and lists the pairs
 * with a point in an earlier run. Each pair is tested once, from its later point.
 *
 * @source Patwary et al. 2012, Algorithm 3, lines 2 to 18: Stage local computation. Unlike there, all core points are
 *         known before. So border points follow later (`assignLabels`), and pairs whose points are already in one set
 *         are not tested
 */
export class LocalUnion {
  /** Number of searched pairs of a large cell of the run and one of an earlier run. */
  crossCellPairs = 0;
  readonly #index: CellIndex;
  readonly #isCore: Uint8Array;
  readonly #parent: Int32Array;
  readonly #areCellsWhole: boolean;
  readonly #hasLargeCells: boolean;
  readonly #points: PointUnion;
  readonly #ownCells: CellUnion;
  readonly #earlierCells: CellUnion;
  readonly #firstCell: number;
  readonly #cells: Int32Array;

  /** @param pairs  receives the pairs with earlier runs: own position, foreign position */
  constructor(space: SearchSpace, firstCell: number, pieces: Pieces, pairs: PairList) {
    const {index, forest} = space;
    const {parent} = forest;
    this.#index = index;
    this.#cells = new Int32Array(index.rangesLength);
    this.#isCore = forest.isCore;
    this.#parent = parent;
    this.#areCellsWhole = index.reach > 1;
    this.#hasLargeCells = hasLargeCells(space);
    this.#firstCell = firstCell;
    const ownStart = index.cellStart[firstCell];
    const uniteOwn: Unite = (neighbor, position) => void unite(parent, neighbor, position);
    const uniteOrList: Unite = (neighbor, position) => {
      if (neighbor < ownStart) pairs.add(position, neighbor);
      else unite(parent, neighbor, position);
    };
    this.#points = new PointUnion(space, uniteOrList);
    const areUnited = (a: number, b: number): boolean => findRoot(parent, a) === findRoot(parent, b);
    this.#ownCells = new CellUnion(space, pieces, uniteOwn, areUnited);
    // Points of earlier runs have lower positions. Before merging no set spans two runs.
    const list: Unite = (a, b) => pairs.add(Math.max(a, b), Math.min(a, b));
    this.#earlierCells = new CellUnion(space, pieces, list, () => false);
  }

  /** Unites some cells with their neighbours in these and in earlier cells. Call it in ascending order. */
  uniteCells(firstCell: number, endCell: number): void {
    const {cellStart} = this.#index;
    for (let cell = firstCell; cell < endCell; cell++) {
      const start = cellStart[cell];
      const end = cellStart[cell + 1];
      if (start === end) continue;
      if (end - start < LARGE_CELL || !this.#hasLargeCells) this.#uniteSmallCell(cell, start, end);
      else this.#uniteLargeCell(cell, start, end);
    }
  }

  #uniteSmallCell(cell: number, start: number, end: number): void {
    const isCore = this.#isCore;
    const ranges = this.#cells;
    const last = 2 * cellsToRanges(ranges, this.#index.neighborCells(cell, ranges), this.#index.cellStart);
    let core = -1;
    for (let position = start; position < end; position++) {
      if (isCore[position] === 0) continue;
      if (this.#areCellsWhole) {
        // `markCore` has done so in each piece.
        if (core >= 0) unite(this.#parent, core, position);
        core = position;
      }
      const bound = this.#areCellsWhole ? start : position;
      for (let r = 0; r < last && ranges[r] < bound; r += 2) {
        this.#points.uniteWithAll(position, ranges[r], Math.min(ranges[r + 1], bound));
      }
    }
  }

  #uniteLargeCell(cell: number, start: number, end: number): void {
    const {cellStart} = this.#index;
    const cells = this.#cells;
    const last = 2 * this.#index.neighborCells(cell, cells);
    this.#ownCells.joinPieces(start, end);
    for (let r = 0; r < last && cells[r] < cell; r += 2) {
      for (let other = cells[r]; other < cells[r + 1] && other < cell; other++) {
        const from = cellStart[other];
        const to = cellStart[other + 1];
        if (from === to) continue;
        if (other >= this.#firstCell) {
          this.#ownCells.uniteCells(start, end, from, to);
        } else {
          if (to - from >= LARGE_CELL) this.crossCellPairs++;
          this.#earlierCells.uniteCells(start, end, from, to);
        }
      }
    }
  }
}
