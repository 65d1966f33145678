import {findRoot} from '@epsball/union-find';
import {CellBins} from './cellBins.ts';
import type {SearchSpace} from './forest.ts';
import {PointUnion, type Unite} from './pointUnion.ts';

/** Cells of fewer points are not worth a look whether they are whole. */
export const LARGE_CELL = 8;

/**
 * Unites the core points of two cells.
 *
 * A cell is whole once its core points are in one set. Between a whole cell and a point, or another whole cell, one pair of
 * neighbours says everything, and none is looked for where the two are in one set already.
 */
export class CellUnion {
  readonly #isCore: Uint8Array;
  readonly #parent: Int32Array;
  readonly #whole: Uint8Array;
  readonly #points: PointUnion;
  readonly #bins: CellBins;
  readonly #unite: Unite;

  /** @param whole  by first position of a large cell: 1 = whole */
  constructor(space: SearchSpace, whole: Uint8Array, unite: Unite) {
    this.#isCore = space.forest.isCore;
    this.#parent = space.forest.parent;
    this.#whole = whole;
    this.#points = new PointUnion(space, unite);
    this.#bins = new CellBins(space.index, space.eps);
    this.#unite = unite;
  }

  /** Unites the points of a large cell, [start, end), with each other, and notes whether that makes it whole. */
  uniteInside(start: number, end: number): void {
    const isCore = this.#isCore;
    const firsts = this.#bins.uniteNear(start, end, isCore, this.#unite);
    if (firsts !== undefined && this.#haveOneRoot(firsts)) {
      this.#whole[start] = 1;
      return;
    }
    const core = this.#firstCore(start, end);
    let isWhole = true;
    for (let position = core + 1; position < end; position++) {
      if (isCore[position] === 0) continue;
      if (!isWhole) this.#points.uniteWithAll(position, core, position);
      else if (!this.#points.uniteWithFirst(position, core, position)) isWhole = false;
    }
    // Later points may have joined what was apart.
    this.#whole[start] = isWhole || this.#hasOneRoot(core, end) ? 1 : 0;
  }

  /** Unites the points of two cells, [start, end) and [from, to). Small cells are never whole. */
  uniteCells(start: number, end: number, from: number, to: number): void {
    const isWhole = end - start >= LARGE_CELL && this.#whole[start] === 1;
    const isOtherWhole = to - from >= LARGE_CELL && this.#whole[from] === 1;
    if (isWhole && isOtherWhole) this.#uniteWhole(start, end, from, to);
    else if (isWhole) this.#uniteWithWhole(from, to, start, end);
    else if (isOtherWhole) this.#uniteWithWhole(start, end, from, to);
    else for (let position = start; position < end; position++) this.#points.uniteWithAll(position, from, to);
  }

  /** Two whole cells: the first pair of neighbours is enough. */
  #uniteWhole(start: number, end: number, from: number, to: number): void {
    const core = this.#firstCore(start, end);
    const otherCore = this.#firstCore(from, to);
    if (core === end || otherCore === to || this.#areUnited(core, otherCore)) return;
    for (let position = core; position < end; position++) {
      if (this.#isCore[position] === 0) continue;
      if (this.#points.uniteWithFirst(position, otherCore, to)) return;
    }
  }

  /** The points of a cell, [start, end), and a whole cell, [from, to): one neighbour a point is enough. */
  #uniteWithWhole(start: number, end: number, from: number, to: number): void {
    const core = this.#firstCore(from, to);
    if (core === to) return;
    for (let position = start; position < end; position++) {
      if (this.#isCore[position] === 0 || this.#areUnited(position, core)) continue;
      this.#points.uniteWithFirst(position, core, to);
    }
  }

  /** The first core point in [start, end), or `end`. */
  #firstCore(start: number, end: number): number {
    let position = start;
    while (position < end && this.#isCore[position] === 0) position++;
    return position;
  }

  #areUnited(a: number, b: number): boolean {
    return findRoot(this.#parent, a) === findRoot(this.#parent, b);
  }

  /** Whether these positions, of which −1 are none, are in one set. */
  #haveOneRoot(positions: Int32Array): boolean {
    let one = -1;
    for (const position of positions) {
      if (position < 0) continue;
      if (one >= 0 && !this.#areUnited(one, position)) return false;
      one = position;
    }
    return true;
  }

  #hasOneRoot(core: number, end: number): boolean {
    for (let position = core + 1; position < end; position++) {
      if (this.#isCore[position] === 1 && !this.#areUnited(position, core)) return false;
    }
    return true;
  }
}
