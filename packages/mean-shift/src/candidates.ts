import type {PointSet} from '@epsball/clustering';
import {buildUniformGrid, cellOnAxis, MAX_GRID_DIM, RANGES_LENGTH, type GridGeometry} from '@epsball/spatial-grid';

/**
 * Axes that the grid looks at where the points have more than it takes: a superset of the candidates will do, and each further
 * axis triples the rows of cells.
 */
const FILTER_AXES = 3;

/** Points in the order of their cells, and where the cells begin. In shared memory it may be sent to threads. */
export interface CandidateIndex {
  readonly dim: number;
  readonly n: number;
  /** Point-major, all axes, in cell order. */
  readonly sortedCoords: Float32Array | Float64Array;
  /** Original index of each position. */
  readonly pointOrder: Int32Array;
  /** Undefined where every point is a candidate. */
  readonly cells?: CandidateCells | undefined;
}

/** The cells of a grid over the first axes. */
export interface CandidateCells {
  readonly geometry: GridGeometry;
  readonly layout: 'dense' | 'sparse';
  readonly cellStart: Int32Array;
  /** Axis indices of the occupied cells, cell-major; empty where dense. */
  readonly cellCoords: Int32Array;
}

/** How many of the first axes a grid is laid on. */
export function gridAxes(dim: number): number {
  return dim <= MAX_GRID_DIM ? dim : FILTER_AXES;
}

/** The first `axes` coordinates of every point; the points themselves where they have no more. */
export function projectPoints({coords, dim}: PointSet, axes: number, into?: Float32Array | Float64Array): PointSet {
  if (axes === dim) return {coords, dim};
  const n = coords.length / dim;
  const projected = into ?? (coords instanceof Float32Array ? new Float32Array(n * axes) : new Float64Array(n * axes));
  for (let i = 0; i < n; i++) for (let d = 0; d < axes; d++) projected[i * axes + d] = coords[i * dim + d];
  return {coords: projected, dim: axes};
}

/** The points' coordinates, all axes, in an order. */
export function gatherCoords(
  {coords, dim}: PointSet,
  pointOrder: Int32Array,
  into: Float32Array | Float64Array,
): Float32Array | Float64Array {
  for (let k = 0; k < pointOrder.length; k++) {
    const from = pointOrder[k] * dim;
    for (let d = 0; d < dim; d++) into[k * dim + d] = coords[from + d];
  }
  return into;
}

/**
 * Sorts points for searches within `radius`.
 *
 * @param points  at least one; not modified
 * @param radius  > 0; infinite: every point is always a candidate, and none is moved
 * @complexity    as `buildUniformGrid`
 */
export function buildCandidateIndex(points: PointSet, radius: number): CandidateIndex {
  const {coords, dim} = points;
  const n = coords.length / dim;
  if (radius === Infinity) return {dim, n, sortedCoords: coords, pointOrder: Int32Array.from({length: n}, (_, i) => i)};
  const axes = gridAxes(dim);
  const grid = buildUniformGrid(projectPoints(points, axes), radius);
  const {geometry, layout, cellStart, pointOrder} = grid;
  const cellCoords = grid.layout === 'sparse' ? grid.cellCoords : new Int32Array(0);
  const sortedCoords =
    axes === dim ? grid.sortedCoords : gatherCoords(points, pointOrder, emptyLike(coords, coords.length));
  return {dim, n, sortedCoords, pointOrder, cells: {geometry, layout, cellStart, cellCoords}};
}

/** A new array of the same kind. */
function emptyLike(coords: Float32Array | Float64Array, length: number): Float32Array | Float64Array {
  return coords instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}

/**
 * The candidates of any position, on the grid or off it: a superset of the points within the radius. `NeighborQuery` of the grid
 * answers for points only, and a climb leaves its point with the first step.
 */
export class CandidateSearch {
  readonly index: CandidateIndex;
  /** Start and end (exclusive) of each range that `find` has found. */
  readonly ranges: Int32Array = new Int32Array(RANGES_LENGTH);
  readonly #cell: Float64Array;
  readonly #first: Int32Array;
  #count = 0;

  constructor(index: CandidateIndex) {
    this.index = index;
    const axes = index.cells?.geometry.dim ?? 0;
    this.#cell = new Float64Array(axes).fill(NaN);
    this.#first = new Int32Array(axes);
    if (index.cells === undefined) {
      this.ranges[1] = index.n;
      this.#count = 1;
    }
  }

  /**
   * Finds the candidates around a position.
   *
   * @param at  `dim` finite coordinates
   * @returns   number of ranges in `ranges`; those of the call before, where the cell is the same
   */
  find(at: Float64Array): number {
    const {cells} = this.index;
    if (cells === undefined) return this.#count;
    const {geometry} = cells;
    const cell = this.#cell;
    let isSame = true;
    for (let d = 0; d < geometry.dim; d++) {
      const own = cellOnAxis(geometry, d, at[d]);
      if (own === cell[d]) continue;
      cell[d] = own;
      isSame = false;
    }
    if (!isSame) this.#count = this.#findRows(cells);
    return this.#count;
  }

  /** Every row of three cells along axis 0 around the cell, as a range of positions; empty ones are left out. */
  #findRows(cells: CandidateCells): number {
    const {cellCounts, dim} = cells.geometry;
    const low = Math.max(0, this.#cell[0] - 1);
    const high = Math.min(cellCounts[0] - 1, this.#cell[0] + 1);
    if (low > high) return 0;
    const first = this.#first;
    const rows = 3 ** (dim - 1);
    let count = 0;
    for (let row = 0; row < rows; row++) {
      let isInside = true;
      for (let d = 1, r = row; d < dim; d++, r = Math.floor(r / 3)) {
        const own = this.#cell[d] + (r % 3) - 1;
        isInside &&= own >= 0 && own < cellCounts[d];
        first[d] = own;
      }
      if (!isInside) continue;
      const start = this.#startOf(cells, low);
      const end = this.#startOf(cells, high + 1);
      if (start === end) continue;
      this.ranges[2 * count] = start;
      this.ranges[2 * count + 1] = end;
      count++;
    }
    return count;
  }

  /** First position of the cells from axis index `c0` of the row `first` on. */
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

/** Whether the occupied cell at `word` comes before a cell: the last axis weighs most. */
function isBefore(cellCoords: Int32Array, word: number, cell: Int32Array): boolean {
  for (let d = cell.length - 1; d >= 0; d--) {
    const own = cellCoords[word + d];
    if (own !== cell[d]) return own < cell[d];
  }
  return false;
}
