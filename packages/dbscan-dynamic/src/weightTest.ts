import {WeightSum} from '@epsball/clustering';
import {withRoom, type IntList} from './arrays.ts';
import type {Ball, CoreTest} from './coreTest.ts';
import type {PointStore} from './pointStore.ts';

/**
 * The core test with weights: the exact sum of the weights within eps, rounded once, is at least `minPts`.
 *
 * Each point has a float64 sum, and the sum of the magnitudes of all rounding errors since it was counted. Where the
 * errors leave the answer open, the weights are added exactly. Errors are 0 for integers, quarters and the like.
 *
 * @complexity  a change visits all points within eps
 */
export class WeightTest implements CoreTest {
  readonly #store: PointStore;
  readonly #ball: Ball;
  readonly #minPts: number;
  /** By slot. */
  weights: Float64Array = new Float64Array(0);
  #sums: Float64Array = new Float64Array(0);
  #errors: Float64Array = new Float64Array(0);
  #exact: WeightSum;

  constructor(store: PointStore, ball: Ball, minPts: number) {
    this.#store = store;
    this.#ball = ball;
    this.#minPts = minPts;
    this.#exact = new WeightSum(this.weights, minPts, false);
  }

  /** Sets the weight of a point before it is added. */
  setWeight(slot: number, weight: number): void {
    if (slot >= this.weights.length) {
      this.weights = withRoom(this.weights, this.#store.slotEnd);
      this.#exact = new WeightSum(this.weights, this.#minPts, false);
    }
    this.weights[slot] = weight;
  }

  added(slot: number, changed: IntList): void {
    const {coords, positionOf, dim, slotEnd} = this.#store;
    this.#sums = withRoom(this.#sums, slotEnd);
    this.#errors = withRoom(this.#errors, slotEnd);
    this.#sums[slot] = 0;
    this.#errors[slot] = 0;
    const weight = this.weights[slot];
    this.#visit(this.#store.cellOf[slot], coords, positionOf[slot] * dim, (other) => {
      if (other !== slot) this.#addTo(other, weight);
      this.#addTo(slot, this.weights[other]);
      changed.push(other);
    });
  }

  removed(cell: number, coords: Float64Array, at: number, weight: number, changed: IntList): void {
    this.#visit(cell, coords, at, (other) => {
      this.#addTo(other, -weight);
      changed.push(other);
    });
  }

  changedAll(changed: IntList): void {
    this.#sums = withRoom(this.#sums, this.#store.slotEnd);
    this.#errors = withRoom(this.#errors, this.#store.slotEnd);
    this.#store.pushAll(changed);
    // A sum that is not known is added exactly when it is asked for.
    for (let k = 0; k < changed.length; k++) this.#errors[changed.values[k]] = Infinity;
  }

  isEnough(slot: number): boolean {
    const distance = this.#sums[slot] - this.#minPts;
    if (this.#errors[slot] === 0) return distance >= 0;
    // Twice the errors, for the roundings of their sum; and that of the sum, which is rounded once in the contract.
    const bound = 2 * this.#errors[slot] + 2 ** -51 * this.#minPts;
    if (distance > bound) return true;
    if (distance < -bound) return false;
    const {cellOf, coords, positionOf, dim} = this.#store;
    this.#exact.start();
    this.#sums[slot] = 0;
    this.#errors[slot] = 0;
    this.#visit(cellOf[slot], coords, positionOf[slot] * dim, (other) => {
      this.#exact.addOne(other);
      this.#addTo(slot, this.weights[other]);
    });
    return this.#exact.isEnough();
  }

  /** @source  Knuth, TAOCP 2, Section 4.2.2: the error of a sum is a float64 number, unless it overflows */
  #addTo(slot: number, weight: number): void {
    const before = this.#sums[slot];
    const sum = before + weight;
    const added = sum - before;
    this.#errors[slot] += Math.abs(before - (sum - added) + (weight - added));
    this.#sums[slot] = sum;
  }

  /** Calls with each point within eps of a point of a cell, those of the cell included. */
  #visit(cell: number, x: Float64Array, at: number, call: (slot: number) => void): void {
    const {cells, start, size, slotAt} = this.#store;
    const near = cells.collectNear(cell, x, at);
    for (let k = start[cell]; k < start[cell] + size[cell]; k++) call(slotAt[k]);
    for (let c = 0; c < near; c++) {
      const other = cells.near[c];
      const end = start[other] + size[other];
      for (let k = start[other]; k < end; k++) if (this.#ball.holds(x, at, k)) call(slotAt[k]);
    }
  }
}
