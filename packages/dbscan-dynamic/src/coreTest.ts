import type {IntList} from './arrays.ts';
import type {PointStore} from './pointStore.ts';

/** Decides which points are core, from the points that come and go. */
export interface CoreTest {
  /** After a point was put; `slot` itself may have become core, too. Adds points that may have changed to a list. */
  added(slot: number, changed: IntList): void;
  /** After the point at `coords[at]` was taken out of a cell. */
  removed(cell: number, coords: Float64Array, at: number, weight: number, changed: IntList): void;
  /** After changes that were not told one by one. Adds all points. */
  changedAll(changed: IntList): void;
  /** Whether a point has enough neighbours now. */
  isEnough(slot: number): boolean;
}

/** Points within eps of points. */
export class Ball {
  readonly limit: number;
  readonly #store: PointStore;

  constructor(store: PointStore, limit: number) {
    this.#store = store;
    this.limit = limit;
  }

  /** Whether the point at position `k` is within eps of that at `x[at]`. */
  holds(x: Float64Array, at: number, k: number): boolean {
    const {coords, dim} = this.#store;
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const delta = x[at + d] - coords[k * dim + d];
      sum += delta * delta;
    }
    return sum <= this.limit;
  }

  /** Whether a core point of the cell is within eps of the point at `x[at]`. */
  meetsCore(x: Float64Array, at: number, cell: number): boolean {
    const {start, cores} = this.#store;
    const end = start[cell] + cores[cell];
    for (let k = start[cell]; k < end; k++) if (this.holds(x, at, k)) return true;
    return false;
  }

  /** Number of points of the cell within eps of the point at `x[at]`; counts no further than `enough`. */
  count(x: Float64Array, at: number, cell: number, enough: number): number {
    const {start, size, coords, dim} = this.#store;
    const {limit} = this;
    const end = (start[cell] + size[cell]) * dim;
    let found = 0;
    // The loop of `holds`, here without calls: most of the time of a large batch is spent in it.
    for (let k = start[cell] * dim; k < end && found < enough; k += dim) {
      let sum = 0;
      for (let d = 0; d < dim; d++) {
        const delta = x[at + d] - coords[k + d];
        sum += delta * delta;
      }
      if (sum <= limit) found++;
    }
    return found;
  }
}
