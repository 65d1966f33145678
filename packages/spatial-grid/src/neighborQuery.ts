import {limitOf, type Radius} from '@epsball/clustering';
import type {RangeSearch} from './range.ts';
import {rangeSearch} from './rangeSearch.ts';
import {RANGES_LENGTH, type UniformGrid} from './uniformGrid.ts';

/** Finds neighbours through a grid: tests the points in the 3^dim cells around a point. */
export class NeighborQuery {
  /** Number of distance tests so far. */
  neighborTests = 0;
  readonly #cellOf: Int32Array;
  readonly #coords: Float32Array | Float64Array;
  readonly #grid: UniformGrid;
  readonly #eps2: number;
  readonly #searchRange: RangeSearch;
  readonly #ranges = new Int32Array(RANGES_LENGTH);
  // Consecutive queries often have the same cell: its ranges are looked up once.
  #cell = -1;
  #rangeCount = 0;

  /** @param radius  its eps is at most that of the grid, and so is its `epsTime` */
  constructor(grid: UniformGrid, radius: Radius) {
    this.#grid = grid;
    this.#cellOf = grid.cellOf;
    this.#coords = grid.sortedCoords;
    this.#eps2 = limitOf(radius);
    this.#searchRange = rangeSearch(grid.dim, radius.metric, radius.epsTime);
  }

  /**
   * The closed eps-ball around a point, including the point.
   *
   * @param position  the point's position in the grid
   * @param found     receives the neighbours' positions; n values are always enough
   * @param enough    stop after this number of neighbours; the result may then be incomplete. Default: all
   * @returns         number of positions found
   * @complexity      O(points in the 3^dim cells), no allocation
   */
  neighbors(position: number, found: Int32Array, enough: number = 2 ** 31): number {
    const ranges = this.#ranges;
    const coords = this.#coords;
    const eps2 = this.#eps2;
    const searchRange = this.#searchRange;
    const cell = this.#cellOf[position];
    if (cell !== this.#cell) {
      this.#cell = cell;
      this.#rangeCount = this.#grid.neighborRanges(cell, ranges);
    }
    const last = 2 * this.#rangeCount;
    let count = 0;
    let tests = 0;
    for (let r = 0; r < last && count < enough; r += 2) {
      const start = ranges[r];
      const end = ranges[r + 1];
      tests += end - start;
      count = searchRange(coords, position, start, end, eps2, found, count);
    }
    this.neighborTests += tests;
    return count;
  }
}
