import {withRoom, type IntList} from './arrays.ts';
import type {Ball, CoreTest} from './coreTest.ts';
import type {PointStore} from './pointStore.ts';

/**
 * The core test without weights.
 *
 * A cell of `minPts` points is core as a whole. In smaller cells each point has a number of neighbours, which is exact,
 * or a lower bound, which may be below 0: a count stops at 2 · minPts. Twice the number is kept, plus 1 for a lower
 * bound. Both stay true if a neighbour adds or takes one. A bound below minPts is counted again, at most once in minPts
 * changes near the point. Cells keep their numbers until they have 2 · minPts points, so that a cell at the border is
 * not counted again at each change.
 *
 * @complexity  a change visits the cells around its point, and at most 2 · minPts points in each of them; a count ends
 *              early where points are dense
 * @source      Gan and Tao 2017, Section 5, for cells that are core as a whole
 */
export class CountTest implements CoreTest {
  readonly #store: PointStore;
  readonly #ball: Ball;
  readonly #minPts: number;
  /** By cell: 1 if its points have numbers. */
  #isCounted: Uint8Array = new Uint8Array(0);

  constructor(store: PointStore, ball: Ball, minPts: number) {
    this.#store = store;
    this.#ball = ball;
    this.#minPts = minPts;
  }

  added(slot: number, changed: IntList): void {
    const store = this.#store;
    const cell = store.cellOf[slot];
    const position = store.positionOf[slot];
    const at = position * store.dim;
    this.#isCounted = withRoom(this.#isCounted, store.cells.end);
    const size = store.size[cell];
    if (size === 1) this.#isCounted[cell] = 1;
    if (size >= 2 * this.#minPts) this.#isCounted[cell] = 0;
    const near = store.cells.collectNear(cell, store.coords, at);
    for (let k = 0; k < near; k++) this.#step(store.cells.near[k], store.coords, at, 1, changed);
    if (this.#isCounted[cell] === 1) {
      this.#stepAll(cell, 1, changed);
      this.#count(position, near);
    }
    if (size === this.#minPts) this.#pushAll(cell, changed);
    else changed.push(slot);
  }

  removed(cell: number, coords: Float64Array, at: number, _weight: number, changed: IntList): void {
    const {cells, size} = this.#store;
    const near = cells.collectNear(cell, coords, at);
    for (let k = 0; k < near; k++) this.#step(cells.near[k], coords, at, -1, changed);
    if (this.#isCounted[cell] === 1) this.#stepAll(cell, -1, changed);
    if (size[cell] === this.#minPts - 1) this.#pushAll(cell, changed);
  }

  changedAll(changed: IntList): void {
    this.#isCounted = withRoom(this.#isCounted, this.#store.cells.end);
    this.#isCounted.fill(0);
    this.#store.pushAll(changed);
  }

  isEnough(slot: number): boolean {
    const store = this.#store;
    const cell = store.cellOf[slot];
    if (store.size[cell] >= this.#minPts) return true;
    if (this.#isCounted[cell] === 0) {
      this.#isCounted[cell] = 1;
      const end = store.start[cell] + store.size[cell];
      const near = store.cells.collectAround(cell);
      for (let k = store.start[cell]; k < end; k++) this.#count(k, near);
    }
    const position = store.positionOf[slot];
    const count = store.counts[position];
    // An odd count is a lower bound.
    if (count >> 1 < this.#minPts && (count & 1) === 1) {
      this.#count(position, store.cells.collectNear(cell, store.coords, position * store.dim));
    }
    return store.counts[position] >> 1 >= this.#minPts;
  }

  /** Adds a neighbour to the points of another cell within eps of a point, or takes one. */
  #step(cell: number, x: Float64Array, at: number, by: 1 | -1, changed: IntList): void {
    if (this.#isCounted[cell] === 0) return;
    const {start, size} = this.#store;
    const end = start[cell] + size[cell];
    for (let k = start[cell]; k < end; k++) if (this.#ball.holds(x, at, k)) this.#stepOne(k, by, changed);
  }

  #stepAll(cell: number, by: 1 | -1, changed: IntList): void {
    const {start, size} = this.#store;
    const end = start[cell] + size[cell];
    for (let k = start[cell]; k < end; k++) this.#stepOne(k, by, changed);
  }

  #stepOne(position: number, by: 1 | -1, changed: IntList): void {
    const {counts, slotAt} = this.#store;
    const count = (counts[position] += 2 * by);
    if (count >> 1 === (by === 1 ? this.#minPts : this.#minPts - 1)) changed.push(slotAt[position]);
  }

  #pushAll(cell: number, changed: IntList): void {
    const {start, size, slotAt} = this.#store;
    for (let k = start[cell]; k < start[cell] + size[cell]; k++) changed.push(slotAt[k]);
  }

  /** Counts the neighbours of a point in its cell and in the first `near` of `cells.near`. */
  #count(position: number, near: number): void {
    const {cells, coords, slotAt, cellOf, size, dim, counts} = this.#store;
    const most = 2 * this.#minPts;
    let found = size[cellOf[slotAt[position]]];
    for (let k = 0; k < near && found < most; k++) {
      found += this.#ball.count(coords, position * dim, cells.near[k], most - found);
    }
    counts[position] = 2 * found + (found >= most ? 1 : 0);
  }
}
