import {RANGES_LENGTH} from '@epsball/spatial-grid';
import type {CandidateCells, CandidateIndex} from './candidates.ts';

/** Covers the error of a position in cells, at most 2^-21 (`gridGeometry`), and what is computed from it. */
const SLACK = 2 ** -18;

/** Squares of shorter distances vanish in float64, so such points are within every radius. */
const VANISHES = 2 ** -536;

/** The candidates of any position, also outside the grid: a superset of the points within the radius. */
export class CandidateSearch {
  readonly index: CandidateIndex;
  /** Start and end (exclusive) of each range that `find` has found. */
  readonly ranges: Int32Array = new Int32Array(RANGES_LENGTH);
  readonly #inCells: Float64Array;
  readonly #cell: Float64Array;
  /** The squared distance to each of the 2 · reach + 1 cells on each axis; infinite beyond the grid. */
  readonly #gaps2: Float64Array;
  /** Axis indices of the first cell of a row. */
  readonly #first: Int32Array;
  #count = 1;

  constructor(index: CandidateIndex) {
    this.index = index;
    const axes = index.cells?.geometry.dim ?? 0;
    this.#inCells = new Float64Array(axes);
    this.#cell = new Float64Array(axes).fill(NaN);
    this.#gaps2 = new Float64Array(axes * (2 * (index.cells?.reach ?? 0) + 1));
    this.#first = new Int32Array(axes);
    // Without cells all points are one range.
    this.ranges[1] = index.n;
  }

  /** Every row of cells along axis 0, as far as it is within the radius, as a range of slots. Returns how many. */
  find(at: Float64Array): number {
    const {cells} = this.index;
    if (cells === undefined) return this.#count;
    const {geometry, radius, reach} = cells;
    const {dim} = geometry;
    const steps = 2 * reach + 1;
    const rows = steps ** (dim - 1);
    // With cells as wide as the radius the rows depend on the cell only, and most steps stay in it.
    if (this.#measureGaps(cells, at) && reach === 1) return this.#count;
    let count = 0;
    for (let row = 0; row < rows; row++) {
      let left2 = radius * radius;
      for (let d = 1, r = row; d < dim; d++, r = Math.floor(r / steps)) {
        const step = r % steps;
        this.#first[d] = this.#cell[d] + step - reach;
        left2 -= this.#gaps2[d * steps + step];
      }
      if (left2 >= 0) count = this.#addRow(cells, Math.sqrt(left2) + VANISHES, count);
    }
    this.#count = count;
    return count;
  }

  /** Measures the distances to the cells around. Returns whether the position is in the cell of the last one. */
  #measureGaps({geometry, reach}: CandidateCells, at: Float64Array): boolean {
    const {dim, origin, invSide, cellCounts} = geometry;
    const steps = 2 * reach + 1;
    let isSame = true;
    for (let d = 0; d < dim; d++) {
      const inCells = (at[d] - origin[d]) * invSide[d];
      const cell = Math.floor(inCells);
      isSame &&= cell === this.#cell[d];
      this.#inCells[d] = reach > 1 ? inCells : cell + 0.5;
      this.#cell[d] = cell;
      for (let step = 0; step < steps; step++) {
        const own = cell + step - reach;
        const cellsApart = Math.max(0, own - inCells - SLACK, inCells - own - 1 - SLACK);
        const gap = reach === 1 || cellsApart === 0 ? 0 : cellsApart / invSide[d];
        this.#gaps2[d * steps + step] = own < 0 || own >= cellCounts[d] ? Infinity : gap * gap;
      }
    }
    return isSame;
  }

  /** Adds the row's cells within `half` of the position after `count` ranges. Returns the new number of ranges. */
  #addRow(cells: CandidateCells, half: number, count: number): number {
    const {invSide, cellCounts} = cells.geometry;
    const width = cells.reach > 1 ? half * invSide[0] + SLACK : 1;
    const low = Math.max(0, Math.floor(this.#inCells[0] - width));
    const high = Math.min(cellCounts[0] - 1, Math.floor(this.#inCells[0] + width));
    if (low > high) return count;
    const start = this.#startOf(cells, low);
    const end = this.#startOf(cells, high + 1);
    if (start === end) return count;
    this.ranges[2 * count] = start;
    this.ranges[2 * count + 1] = end;
    return count + 1;
  }

  /** First slot of the cells from axis index `c0` of the row `first` on. */
  #startOf({geometry, layout, cellStart, cellCoords}: CandidateCells, c0: number): number {
    const {dim, cellCounts} = geometry;
    const first = this.#first;
    if (layout === 'dense') {
      let cell = 0;
      for (let d = dim - 1; d > 0; d--) cell = (cell + first[d]) * cellCounts[d - 1];
      return cellStart[cell + c0];
    }
    first[0] = c0;
    let low = 0;
    let high = cellStart.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isBefore(cellCoords, middle * dim, first)) low = middle + 1;
      else high = middle;
    }
    return cellStart[low];
  }
}

/** Whether the occupied cell at `word` comes before a cell, ordered by the last axis first. */
function isBefore(cellCoords: Int32Array, word: number, cell: Int32Array): boolean {
  for (let d = cell.length - 1; d >= 0; d--) {
    const own = cellCoords[word + d];
    if (own !== cell[d]) return own < cell[d];
  }
  return false;
}
