import type {PointSet} from '@epsball/clustering';
import {buildUniformGrid, gridGeometry, MAX_GRID_DIM, pointBounds, type GridGeometry} from '@epsball/spatial-grid';

/**
 * Axes that the grid looks at where the points have more than it takes: a superset of the candidates will do, and each further
 * axis triples the rows of cells.
 */
const FILTER_AXES = 3;

/** Small cells follow the ball around a position more closely; in more dimensions there would be too many rows of them. */
const SMALL_CELLS_PER_RADIUS = 2;
const SMALL_CELLS_AXES = 3;

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
  /** Of the search. */
  readonly radius: number;
  /** How many cells the radius spans. */
  readonly reach: number;
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
 * How many cells a radius shall span: several where the points fill so many, so that less lies in them that is too far away.
 *
 * @param projected  the points on the axes of the grid; at least one
 */
export function cellsPerRadius(projected: PointSet, radius: number): number {
  const {coords, dim} = projected;
  if (dim > SMALL_CELLS_AXES) return 1;
  const {min, max} = pointBounds(projected);
  const {cellTotal} = gridGeometry(min, max, radius / SMALL_CELLS_PER_RADIUS);
  return cellTotal <= coords.length / dim ? SMALL_CELLS_PER_RADIUS : 1;
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
  const projected = projectPoints(points, axes);
  const reach = cellsPerRadius(projected, radius);
  const grid = buildUniformGrid(projected, radius / reach);
  const {geometry, layout, cellStart, pointOrder} = grid;
  const cellCoords = grid.layout === 'sparse' ? grid.cellCoords : new Int32Array(0);
  const sortedCoords =
    axes === dim ? grid.sortedCoords : gatherCoords(points, pointOrder, emptyLike(coords, coords.length));
  return {dim, n, sortedCoords, pointOrder, cells: {radius, reach, geometry, layout, cellStart, cellCoords}};
}

/** A new array of the same kind. */
function emptyLike(coords: Float32Array | Float64Array, length: number): Float32Array | Float64Array {
  return coords instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}
