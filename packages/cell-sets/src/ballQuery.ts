import {limitOf, type Radius} from '@epsball/clustering';
import {rangeCount, rangeSearch, type CellIndex, type RangeCount, type RangeSearch} from '@epsball/spatial-grid';

/** Candidates tested at a time: the neighbours found stay in the L1 cache. */
export const BLOCK = 512;

/** Minimum of candidates tested before the count is checked. */
const GLANCE = 32;

/** Candidates tested before the first search for a core point among them; each further block has twice as many. */
const CORE_GLANCE = 8;

/** Tests ranges of candidates against one point at a time. Keeps scratch memory only; each thread has its own. */
export class BallQuery {
  readonly found: Int32Array = new Int32Array(BLOCK);
  readonly #coords: Float32Array | Float64Array;
  readonly #eps2: number;
  readonly #searchRange: RangeSearch;
  readonly #countRange: RangeCount;

  constructor({sortedCoords, dim}: CellIndex, radius: Radius) {
    this.#coords = sortedCoords;
    this.#eps2 = limitOf(radius);
    this.#searchRange = rangeSearch(dim, radius.metric, radius.epsTime);
    this.#countRange = rangeCount(dim, radius.metric, radius.epsTime);
  }

  /** Collects up to `BLOCK` positions of [start, end) within eps of a position in `found`. Returns their number. */
  collect(position: number, start: number, end: number): number {
    return this.#searchRange(this.#coords, position, start, end, this.#eps2, this.found, 0);
  }

  /**
   * Whether at least `enough` of the `total` positions in the ranges, `length` values, are within eps of a position.
   */
  holds(enough: number, position: number, ranges: Int32Array, length: number, total: number): boolean {
    let missing = enough;
    let left = total;
    for (let r = 0; r < length && left >= missing; r += 2) {
      const end = ranges[r + 1];
      for (let from = ranges[r]; from < end;) {
        // In the point's own cell most candidates are neighbours: a few more than are missing suffice.
        const to = Math.min(from + Math.min(Math.max(missing + (missing >> 2), GLANCE), BLOCK), end);
        missing -= this.#countRange(this.#coords, position, from, to, this.#eps2);
        if (missing <= 0) return true;
        left -= to - from;
        if (left < missing) return false;
        from = to;
      }
    }
    return false;
  }

  /** The first core point in [start, end) within eps of a position, or −1. */
  firstCore(position: number, start: number, end: number, isCore: Uint8Array): number {
    const {found} = this;
    let length = CORE_GLANCE;
    for (let from = start; from < end;) {
      const to = Math.min(from + length, end);
      const count = this.collect(position, from, to);
      for (let k = 0; k < count; k++) if (isCore[found[k]] === 1) return found[k];
      from = to;
      length = Math.min(2 * length, BLOCK);
    }
    return -1;
  }
}
