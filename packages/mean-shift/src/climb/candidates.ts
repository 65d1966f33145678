import type {PointSet} from '@epsball/clustering';
import {buildUniformGrid, gridGeometry, MAX_GRID_DIM, pointBounds, type GridGeometry} from '@epsball/spatial-grid';

/** A superset of the candidates is enough, and each further axis triples the rows of cells. */
const FILTER_AXES = 3;

/** Small cells follow the ball around a position more closely. In more dimensions they would have too many rows. */
const SMALL_CELLS_PER_RADIUS = 2;
const SMALL_CELLS_AXES = 3;

/** Up to so many points scikit-learn's k-d tree is one leaf and adds in the caller's order, which decides ties. */
const ONE_LEAF = 60;

/** Points in the order of their cells, and where the cells begin. In shared memory it can be sent to threads. */
export interface CandidateIndex {
  readonly dim: number;
  readonly n: number;
  /** Point-major, all axes, in cell order. */
  readonly sortedCoords: Float32Array | Float64Array;
  /** Original index of each slot. */
  readonly pointOrder: Int32Array;
  /** Undefined: every point is a candidate. */
  readonly cells?: CandidateCells | undefined;
}

export interface CandidateCells {
  readonly radius: number;
  readonly reach: number;
  readonly geometry: GridGeometry;
  readonly layout: 'dense' | 'sparse';
  readonly cellStart: Int32Array;
  /** Axis indices of the occupied cells, cell-major; empty if dense. */
  readonly cellCoords: Int32Array;
}

/** The radius for `buildCandidateIndex`. Infinity: sums add points in the caller's order. */
export function searchRadius(
  {kernel, radius}: {readonly kernel: 'gaussian' | 'flat'; readonly radius: number},
  n: number,
): number {
  return kernel === 'flat' && n <= ONE_LEAF ? Infinity : radius;
}

export function gridAxes(dim: number): number {
  return dim <= MAX_GRID_DIM ? dim : FILTER_AXES;
}

/** The first `axes` coordinates of every point; the points themselves if they have no more. */
export function projectPoints({coords, dim}: PointSet, axes: number, into?: Float32Array | Float64Array): PointSet {
  if (axes === dim) return {coords, dim};
  const n = coords.length / dim;
  const projected = into ?? (coords instanceof Float32Array ? new Float32Array(n * axes) : new Float64Array(n * axes));
  for (let i = 0; i < n; i++) for (let d = 0; d < axes; d++) projected[i * axes + d] = coords[i * dim + d];
  return {coords: projected, dim: axes};
}

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

/** Several if the points fill many cells, so that fewer candidates are too far away. */
export function cellsPerRadius(projected: PointSet, radius: number): number {
  const {coords, dim} = projected;
  if (dim > SMALL_CELLS_AXES) return 1;
  const {min, max} = pointBounds(projected);
  const {cellTotal} = gridGeometry(min, max, radius / SMALL_CELLS_PER_RADIUS);
  return cellTotal <= coords.length / dim ? SMALL_CELLS_PER_RADIUS : 1;
}

/** @param radius  > 0; Infinity: every point is a candidate, and the order is that of the points */
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

function emptyLike(coords: Float32Array | Float64Array, length: number): Float32Array | Float64Array {
  return coords instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
}
