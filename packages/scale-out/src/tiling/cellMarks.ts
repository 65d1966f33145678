import {pointCount, type PointSet} from '@epsball/clustering';
import {MAX_GRID_DIM, type PointBounds} from '@epsball/spatial-grid';
import {reachOf} from './reach.ts';

/** Cell sides are this much longer than the reach. */
const SIDE_MARGIN = 2 ** -8;

/**
 * Cells at most; beyond it, sides grow. Then (x − min) · (1 / side) is off by less than 4 · 2^22 · 2^-53 < 2^-28.
 * Points within reach have true quotients at most 1 / (1 + 2^-8) < 1 − 2^-9 apart: their cells differ by at most one.
 */
const CELLS_MAX = 2 ** 22;
const CELLS_PER_POINT = 4;
const SIDE_GROWTH = 1.25;

/** The value of a cell without a mark. */
const NONE = 0;
/** Of a cell with marks of several values. */
const SEVERAL = -1;

/**
 * Marks of integers ≥ 0 on the cells of a grid of side ≥ eps: a filter that rejects most points without a marked point
 * within eps, and never rejects a point with one.
 */
export class CellMarks {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #min: Float64Array;
  /** 1 / side. */
  readonly #inverse: number;
  /** By axis: the distance of neighbouring cells. */
  readonly #strides: Int32Array;
  /** Distances from a cell to those around it, itself included. */
  readonly #around: Int32Array;
  /** A mark is stored as value + 1. Undefined if there is no such grid: then everything counts as marked. */
  readonly #marks: Int32Array | undefined;

  constructor(points: PointSet, {min, max}: PointBounds, eps: number) {
    const {coords, dim} = points;
    this.#coords = coords;
    this.#dim = dim;
    this.#min = min;
    const extents = Array.from(min, (low, d) => max[d] - low);
    const longest = Math.max(...extents);
    const isGrid = dim <= MAX_GRID_DIM && Number.isFinite(longest);
    const cellsMax = Math.min(CELLS_MAX, 3 ** dim + CELLS_PER_POINT * pointCount(points));
    let side = Math.max(reachOf(eps) * (1 + SIDE_MARGIN), longest / CELLS_MAX);
    // A cell more on each side: the cells around a point exist.
    const lengthOf = (extent: number): number => Math.floor(extent / side) + 3;
    const cellCount = (): number => extents.reduce((product, extent) => product * lengthOf(extent), 1);
    if (isGrid) while (cellCount() > cellsMax) side *= SIDE_GROWTH;
    this.#inverse = 1 / side;
    this.#strides = new Int32Array(dim);
    extents.reduce((stride, extent, d) => ((this.#strides[d] = stride), stride * lengthOf(extent)), 1);
    this.#around = isGrid ? aroundOf(this.#strides) : new Int32Array(0);
    if (isGrid && Number.isFinite(this.#inverse)) this.#marks = new Int32Array(cellCount());
  }

  /** Marks the cell of point i. */
  mark(i: number, value: number): void {
    const marks = this.#marks;
    if (marks === undefined) return;
    const cell = this.#cellOf(i);
    const before = marks[cell];
    if (before !== value + 1) marks[cell] = before === NONE ? value + 1 : SEVERAL;
  }

  /** Marks the cell of point i and the cells around it. */
  markAround(i: number): void {
    const marks = this.#marks;
    if (marks === undefined) return;
    const cell = this.#cellOf(i);
    const around = this.#around;
    for (let k = 0; k < around.length; k++) marks[cell + around[k]] = SEVERAL;
  }

  /** Whether the cell of point i may be marked. */
  has(i: number): boolean {
    return this.#marks === undefined || this.#marks[this.#cellOf(i)] !== NONE;
  }

  /** Whether the cell of point i or one around it may have a mark of another value. */
  hasOtherAround(i: number, value: number): boolean {
    const marks = this.#marks;
    if (marks === undefined) return true;
    const cell = this.#cellOf(i);
    const around = this.#around;
    for (let k = 0; k < around.length; k++) {
      const found = marks[cell + around[k]];
      if (found !== NONE && found !== value + 1) return true;
    }
    return false;
  }

  /** The products are ≥ 0, so truncation rounds them down. */
  #cellOf(i: number): number {
    const coords = this.#coords;
    const dim = this.#dim;
    const min = this.#min;
    const inverse = this.#inverse;
    const strides = this.#strides;
    let cell = 0;
    for (let d = 0, k = i * dim; d < dim; d++, k++) {
      cell += ((((coords[k] - min[d]) * inverse) | 0) + 1) * strides[d];
    }
    return cell;
  }
}

function aroundOf(strides: Int32Array): Int32Array {
  let around = [0];
  for (const stride of strides) around = around.flatMap((cell) => [cell - stride, cell, cell + stride]);
  return Int32Array.from(around);
}
