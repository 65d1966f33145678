import {findRoot, unite, type PointForest} from '@epsball/union-find';
import type {CellBins} from './cellBins.ts';
import type {SearchSpace} from './forest.ts';
import {PointUnion} from './pointUnion.ts';

/** Unites the core points of one cell, or of a piece of it. Accesses no other words of `parent`. */
export class InsideUnion {
  readonly #forest: PointForest;
  readonly #points: PointUnion;

  constructor(space: SearchSpace) {
    const {parent} = space.forest;
    this.#forest = space.forest;
    this.#points = new PointUnion(space, (neighbor, position) => void unite(parent, neighbor, position));
  }

  /** Unites the core points in [start, end), each a set of its own before. Returns whether they are in one set then. */
  uniteInside(start: number, end: number, bins: CellBins | undefined): boolean {
    const {isCore} = this.#forest;
    if (bins !== undefined && this.#haveOneRoot(bins.uniteNear(this.#forest))) return true;
    let core = start;
    while (core < end && isCore[core] === 0) core++;
    let isWhole = true;
    for (let position = core + 1; position < end; position++) {
      if (isCore[position] === 0) continue;
      if (!isWhole) this.#points.uniteWithAll(position, core, position);
      else if (!this.#points.uniteWithFirst(position, core, position)) isWhole = false;
    }
    // Later points may have connected earlier ones.
    return isWhole || this.#hasOneRoot(core, end);
  }

  #haveOneRoot(positions: Int32Array): boolean {
    let root = -1;
    for (const position of positions) {
      if (position < 0) continue;
      const other = findRoot(this.#forest.parent, position);
      if (root >= 0 && other !== root) return false;
      root = other;
    }
    return true;
  }

  #hasOneRoot(core: number, end: number): boolean {
    const {isCore, parent} = this.#forest;
    if (core === end) return true;
    const root = findRoot(parent, core);
    for (let position = core + 1; position < end; position++) {
      if (isCore[position] === 1 && findRoot(parent, position) !== root) return false;
    }
    return true;
  }
}
