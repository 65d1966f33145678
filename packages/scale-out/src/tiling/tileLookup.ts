import {pointBounds} from '@epsball/spatial-grid';
import type {PointSet} from '@epsball/clustering';
import type {Tiling} from './tiling.ts';

/** Cells of the grid at most, so that it fits a cache: twice as fast as 2^20 cells of 32 bits. */
const CELLS_MAX = 2 ** 18;
const CELLS_PER_POINT = 1 / 4;
/** Cells per axis at most: the bound of rounding below needs it. */
const SIDE_MAX = 2 ** 10;

const INT16_MAX = 2 ** 15 - 1;

/** Of a cell that several tiles may read. */
const SEVERAL = -1;

/**
 * A grid over points, whose cells know the tile that alone reads their points. Most points need no walk through the
 * tree of cuts.
 *
 * The index of x on an axis is the integer part of (x − min) · inverse. The product is off by less than 2^-50 of its
 * size, so x lies in its cell, up to a margin of 2^-40 of the extent and of the largest coordinate. Rounding is
 * monotone. So if the ends of a cell with the margin are on one side of a cut, and beyond its reach, all of its points
 * are.
 */
export class TileLookup {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #min: Float64Array;
  readonly #inverse: Float64Array;
  readonly #strides: Int32Array;
  readonly #tiles: Int16Array | Int32Array;

  /**
   * @param points  finite; not modified
   * @param reach   `reachOf(eps)`
   */
  constructor({cuts, tileCount}: Tiling, reach: number, points: PointSet) {
    const {coords, dim} = points;
    const {min, max} = pointBounds(points);
    const cellsMax = Math.max(1, Math.min(CELLS_MAX, (CELLS_PER_POINT * coords.length) / dim));
    const side = Math.min(SIDE_MAX, Math.floor(cellsMax ** (1 / dim)));
    this.#coords = coords;
    this.#dim = dim;
    this.#min = min;
    // A bit less than side / extent: the largest coordinate is in the last cell.
    const inverse = min.map((low, d) => (side / (max[d] - low)) * (1 - 1 / SIDE_MAX));
    this.#inverse = inverse.map((factor) => (Number.isFinite(factor) ? factor : 0));
    this.#strides = Int32Array.from(min, (_, d) => side ** d);
    this.#tiles = new (tileCount <= INT16_MAX ? Int16Array : Int32Array)(side ** dim).fill(SEVERAL);
    const margin = min.map((low, d) => (max[d] - low + Math.max(Math.abs(low), Math.abs(max[d]))) * 2 ** -40);
    const endOf = (d: number, c: number): number => min[d] + c / this.#inverse[d];
    const isBelow = (d: number, c: number, at: number): boolean => endOf(d, c + 1) + margin[d] - at < -reach;
    const isAbove = (d: number, c: number, at: number): boolean => endOf(d, c) - margin[d] - at > reach;
    const visit = (node: number, low: readonly number[], high: readonly number[]): void => {
      if (low.some((first, d) => first >= high[d])) return;
      if (node < 0) {
        this.#fill(~node, low, high);
        return;
      }
      const {axis, at, below, above} = cuts[node];
      let first = low[axis];
      while (first < high[axis] && isBelow(axis, first, at)) first++;
      let last = high[axis];
      while (last > first && isAbove(axis, last - 1, at)) last--;
      visit(below, low, high.with(axis, first));
      visit(above, low.with(axis, last), high);
    };
    const zeros = Array.from(min, () => 0);
    visit(
      cuts.length === 0 ? ~0 : 0,
      zeros,
      zeros.map(() => side),
    );
  }

  /** The tile that alone reads point i, or a number < 0 if several may. */
  tileOf(i: number): number {
    const coords = this.#coords;
    const dim = this.#dim;
    const min = this.#min;
    const inverse = this.#inverse;
    const strides = this.#strides;
    let cell = 0;
    for (let d = 0, k = i * dim; d < dim; d++, k++) cell += (((coords[k] - min[d]) * inverse[d]) | 0) * strides[d];
    return this.#tiles[cell];
  }

  /** Gives the cells of a box, low ≤ index < high, a tile. */
  #fill(tile: number, low: readonly number[], high: readonly number[]): void {
    const last = low.length - 1;
    const fillFrom = (d: number, start: number): void => {
      if (d === 0) {
        this.#tiles.fill(tile, start + low[0], start + high[0]);
        return;
      }
      for (let c = low[d]; c < high[d]; c++) fillFrom(d - 1, start + c * this.#strides[d]);
    };
    fillFrom(last, 0);
  }
}
