import {RANGES_LENGTH, cellsToRanges, type CellIndex} from '@epsball/spatial-grid';
import {findRoot, unite} from '@epsball/union-find';
import {BallTest, BLOCK} from './ballTest.ts';
import type {SearchSpace} from './forest.ts';
import type {PairList} from './pairList.ts';

/** Cells of fewer points are not worth a look whether they are whole. */
const LARGE_CELL = 8;

/** Not known to be whole. */
const NOT_WHOLE = -1;

/**
 * Local computation of PDSDBSCAN-S over a run of cells: unites neighbouring core points of the run, and lists the pairs
 * whose other point is in an earlier run. Each pair is looked at once, from its later point.
 *
 * A cell is whole once its core points are in one set. Between a whole cell and a point, or another whole cell, one pair of
 * neighbours says everything, and none is looked for where the two are in one set already.
 *
 * @source Patwary et al. 2012, Algorithm 3, lines 2 to 18: Stage local computation. Unlike there, all core points are known
 *         before, so borders wait (`assignLabels`), and a pair of neighbours that cannot join anything is not tested
 */
export class LocalUnion {
  readonly #index: CellIndex;
  readonly #isCore: Uint8Array;
  readonly #parent: Int32Array;
  readonly #ball: BallTest;
  readonly #pairs: PairList;
  readonly #firstCell: number;
  /** First position of the run. */
  readonly #ownStart: number;
  /** By cell of the run: a core point of a whole cell, else `NOT_WHOLE`. */
  readonly #wholeBy: Int32Array;
  readonly #cells = new Int32Array(RANGES_LENGTH);

  /** @param pairs  receives the pairs with earlier runs */
  constructor({index, eps, forest}: SearchSpace, firstCell: number, endCell: number, pairs: PairList) {
    this.#index = index;
    this.#isCore = forest.isCore;
    this.#parent = forest.parent;
    this.#ball = new BallTest(index, eps);
    this.#pairs = pairs;
    this.#firstCell = firstCell;
    this.#ownStart = index.cellStart[firstCell];
    this.#wholeBy = new Int32Array(endCell - firstCell).fill(NOT_WHOLE);
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
        this.#unitePoint(position, ranges[r], Math.min(ranges[r + 1], position));
      }
    }
  }

  #uniteLargeCell(cell: number, start: number, end: number): void {
    const {cellStart} = this.#index;
    const cells = this.#cells;
    const last = 2 * this.#index.neighborCells(cell, cells);
    const core = this.#uniteInside(start, end);
    this.#wholeBy[cell - this.#firstCell] = core;
    for (let r = 0; r < last && cells[r] < cell; r += 2) {
      for (let other = cells[r]; other < cells[r + 1] && other < cell; other++) {
        const from = cellStart[other];
        const to = cellStart[other + 1];
        if (from === to) continue;
        const otherCore = other < this.#firstCell ? NOT_WHOLE : this.#wholeBy[other - this.#firstCell];
        if (core !== NOT_WHOLE && otherCore !== NOT_WHOLE) this.#uniteWholeCells(core, start, end, otherCore, from, to);
        else if (core !== NOT_WHOLE) this.#uniteWithWhole(from, to, core, start, end);
        else if (otherCore !== NOT_WHOLE) this.#uniteWithWhole(start, end, otherCore, from, to);
        else for (let position = start; position < end; position++) this.#unitePoint(position, from, to);
      }
    }
  }

  /** Unites the points of a cell with each other; returns a core point where that makes the cell whole. */
  #uniteInside(start: number, end: number): number {
    const isCore = this.#isCore;
    const parent = this.#parent;
    let core = NOT_WHOLE;
    let isWhole = true;
    for (let position = start; position < end; position++) {
      if (isCore[position] === 0) continue;
      if (core === NOT_WHOLE) core = position;
      else if (!isWhole) this.#unitePoint(position, start, position);
      else {
        const neighbor = this.#ball.firstCore(position, start, position, isCore);
        if (neighbor >= 0) unite(parent, neighbor, position);
        else isWhole = false;
      }
    }
    if (core === NOT_WHOLE || isWhole) return core;
    // Later points may have joined what was apart.
    const root = findRoot(parent, core);
    for (let position = core; position < end; position++) {
      if (isCore[position] === 1 && findRoot(parent, position) !== root) return NOT_WHOLE;
    }
    return core;
  }

  /** Two whole cells of the run: the first pair of neighbours is enough. */
  #uniteWholeCells(core: number, start: number, end: number, otherCore: number, from: number, to: number): void {
    const parent = this.#parent;
    if (findRoot(parent, core) === findRoot(parent, otherCore)) return;
    for (let position = start; position < end; position++) {
      if (this.#isCore[position] === 0) continue;
      const neighbor = this.#ball.firstCore(position, from, to, this.#isCore);
      if (neighbor < 0) continue;
      unite(parent, neighbor, position);
      return;
    }
  }

  /** The points of a cell, [start, end), and a whole cell, [from, to): one neighbour a point is enough. */
  #uniteWithWhole(start: number, end: number, core: number, from: number, to: number): void {
    const parent = this.#parent;
    const isForeign = start < this.#ownStart;
    for (let position = start; position < end; position++) {
      if (this.#isCore[position] === 0) continue;
      if (!isForeign && findRoot(parent, position) === findRoot(parent, core)) continue;
      const neighbor = this.#ball.firstCore(position, from, to, this.#isCore);
      if (neighbor < 0) continue;
      if (isForeign) this.#pairs.add(neighbor, position);
      else unite(parent, neighbor, position);
    }
  }

  /** A point of the run and all of its neighbours in [from, to). */
  #unitePoint(position: number, from: number, to: number): void {
    const isCore = this.#isCore;
    const parent = this.#parent;
    if (isCore[position] === 0) return;
    const {found} = this.#ball;
    const isForeign = from < this.#ownStart;
    for (let block = from; block < to; block += BLOCK) {
      const count = this.#ball.collect(position, block, Math.min(block + BLOCK, to));
      for (let k = 0; k < count; k++) {
        const neighbor = found[k];
        if (isCore[neighbor] === 0) continue;
        if (!isForeign || neighbor >= this.#ownStart) {
          if (parent[neighbor] !== parent[position]) unite(parent, neighbor, position);
        } else {
          this.#pairs.add(position, neighbor);
        }
      }
    }
  }
}
