import type {Ball} from './coreTest.ts';
import type {PointStore} from './pointStore.ts';

/** Tells whether two cells have core points within eps of each other. */
export class CellEdges {
  readonly #store: PointStore;
  readonly #ball: Ball;
  /** Positions of core points of a cell that may have neighbours in the other. */
  #candidates: Int32Array = new Int32Array(64);

  constructor(store: PointStore, ball: Ball) {
    this.#store = store;
    this.#ball = ball;
  }

  /**
   * @complexity  O(a + b) for cells with a and b core points where they overlap eps widely or not at all. Adversary:
   *              O(a · b) for cells that run along each other at a distance just above eps
   */
  has(one: number, other: number): boolean {
    const {cores} = this.#store;
    const [few, many] = cores[one] <= cores[other] ? [one, other] : [other, one];
    const {start, cells, coords, dim} = this.#store;
    const limit = cells.geometry.limitInSides;
    const room = cores[many];
    if (this.#candidates.length < room) this.#candidates = new Int32Array(2 * room);
    let found = -1;
    for (let i = start[few]; i < start[few] + cores[few]; i++) {
      if (cells.gap(coords, i * dim, many) > limit) continue;
      // The points of the larger cell that are near the smaller one are looked for once.
      if (found < 0) found = this.#collect(many, few);
      for (let k = 0; k < found; k++) if (this.#ball.holds(coords, i * dim, this.#candidates[k])) return true;
    }
    return false;
  }

  #collect(cell: number, other: number): number {
    const {start, cores, cells, coords, dim} = this.#store;
    const limit = cells.geometry.limitInSides;
    let found = 0;
    for (let k = start[cell]; k < start[cell] + cores[cell]; k++) {
      if (cells.gap(coords, k * dim, other) <= limit) this.#candidates[found++] = k;
    }
    return found;
  }
}
