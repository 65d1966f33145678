import {GAP_ERROR} from './cellGeometry.ts';
import type {Ball} from './coreTest.ts';
import type {PointStore} from './pointStore.ts';

/** Pairs of points that are tried first, of each cell: most pairs of dense cells are found among them. */
const TRIED = 4;

/** Tells whether two cells have core points within eps of each other. */
export class CellEdges {
  readonly #store: PointStore;
  readonly #ball: Ball;
  readonly #corner: Float64Array;
  /** Positions of core points of a cell that may have neighbours in the other. */
  #candidates: Int32Array = new Int32Array(64);

  constructor(store: PointStore, ball: Ball) {
    this.#store = store;
    this.#ball = ball;
    this.#corner = new Float64Array(store.dim);
  }

  /**
   * @complexity  O(a + b) for cells with a and b core points where they overlap eps widely or not at all. Adversary:
   *              O(a · b) for cells that run along each other at a distance just above eps
   */
  has(one: number, other: number): boolean {
    const {cores, start, cells, coords, dim} = this.#store;
    const [few, many] = cores[one] <= cores[other] ? [one, other] : [other, one];
    const [startFew, startMany] = [start[few], start[many]];
    const [triedFew, triedMany] = [Math.min(TRIED, cores[few]), Math.min(TRIED, cores[many])];
    for (let i = 0; i < triedFew; i++) {
      for (let k = 0; k < triedMany; k++)
        if (this.#ball.holds(coords, (startFew + i) * dim, startMany + k)) return true;
    }
    cells.corner(few, this.#corner);
    const found = this.#collect(many);
    if (found === 0) return false;
    cells.corner(many, this.#corner);
    for (let i = startFew; i < startFew + cores[few]; i++) {
      if (!this.#isNear(i)) continue;
      for (let k = 0; k < found; k++) if (this.#ball.holds(coords, i * dim, this.#candidates[k])) return true;
    }
    return false;
  }

  /** The core points of a cell that are near the corner's cell. */
  #collect(cell: number): number {
    const {start, cores} = this.#store;
    if (this.#candidates.length < cores[cell]) this.#candidates = new Int32Array(2 * cores[cell]);
    let found = 0;
    for (let k = start[cell]; k < start[cell] + cores[cell]; k++) if (this.#isNear(k)) this.#candidates[found++] = k;
    return found;
  }

  #isNear(position: number): boolean {
    const {coords, dim, cells} = this.#store;
    const {invSide, limitInSides} = cells.geometry;
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const inside = coords[position * dim + d] * invSide - this.#corner[d];
      const gap = (inside < 0 ? -inside : inside - 1) - GAP_ERROR;
      if (gap > 0) sum += gap * gap;
    }
    return sum <= limitInSides;
  }
}
