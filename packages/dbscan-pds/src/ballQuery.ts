import {squaredEps} from '@epsball/clustering';
import {rangeCount, rangeSearch, type CellIndex, type RangeCount, type RangeSearch} from '@epsball/spatial-grid';

/** Candidates that are tested at a time: what is found stays in the L1 cache. */
export const BLOCK = 512;

/** Candidates that are tested before a first look at how many are found, at least. */
const GLANCE = 32;

/** Candidates that are tested before a first look for a core point, which the first one often is; each further look takes twice as many. */
const CORE_GLANCE = 8;

/** Tests ranges of candidates against one point at a time. No state but scratch: one for each thread. */
export class BallQuery {
  /** What the last `collect` found. */
  readonly found: Int32Array = new Int32Array(BLOCK);
  readonly #coords: Float32Array | Float64Array;
  readonly #eps2: number;
  readonly #searchRange: RangeSearch;
  readonly #countRange: RangeCount;

  constructor({sortedCoords, dim}: CellIndex, eps: number) {
    this.#coords = sortedCoords;
    this.#eps2 = squaredEps(eps);
    this.#searchRange = rangeSearch(dim);
    this.#countRange = rangeCount(dim);
  }

  /**
   * Collects the positions in [start, end) within eps of a position.
   *
   * @param end  at most start + `BLOCK`
   * @returns    how many; they are in `found`
   */
  collect(position: number, start: number, end: number): number {
    return this.#searchRange(this.#coords, position, start, end, this.#eps2, this.found, 0);
  }

  /**
   * Whether at least `enough` positions in some ranges are within eps of a position.
   *
   * @param ranges  start and end of each, `length` values
   * @param total   positions in them
   */
  holds(enough: number, position: number, ranges: Int32Array, length: number, total: number): boolean {
    let missing = enough;
    let left = total;
    for (let r = 0; r < length && left >= missing; r += 2) {
      const end = ranges[r + 1];
      for (let from = ranges[r]; from < end;) {
        // In a cell of its own most are: a few more than are missing will do.
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
