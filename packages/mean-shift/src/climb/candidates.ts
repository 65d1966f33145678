import type {PartListener, PointSet} from '@epsball/clustering';
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
  readonly sortedCoords: PointSet['coords'];
  /** Original index of each slot. Undefined: the slot itself. */
  readonly pointOrder?: Int32Array | undefined;
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

type Coords = PointSet['coords'];

/** Makes coordinates of the same type as others, for example in shared memory. */
export type MakeCoords = (like: Coords, length: number) => Coords;

const makeCoords: MakeCoords = (like, length) =>
  like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);

/** Several cells in a radius if the points fill many of them, so that fewer candidates are too far away. */
function cellsPerRadius(projected: PointSet, radius: number): number {
  const {coords, dim} = projected;
  if (dim > SMALL_CELLS_AXES) return 1;
  const {min, max} = pointBounds(projected);
  const {cellTotal} = gridGeometry(min, max, radius / SMALL_CELLS_PER_RADIUS);
  return cellTotal <= coords.length / dim ? SMALL_CELLS_PER_RADIUS : 1;
}

type BuiltGrid = Omit<CandidateCells, 'radius' | 'reach'> &
  Pick<CandidateIndex, 'sortedCoords'> & {readonly pointOrder: Int32Array};

/**
 * An index in two steps: the caller builds a grid of cells of `side` over `projected`, and `indexOf` makes the index of
 * it.
 *
 * @param radius  finite, > 0
 */
export function planCandidateIndex(
  points: PointSet,
  radius: number,
  make: MakeCoords = makeCoords,
): {readonly projected: PointSet; readonly side: number; readonly indexOf: (grid: BuiltGrid) => CandidateIndex} {
  const {coords, dim} = points;
  const n = coords.length / dim;
  const axes = gridAxes(dim);
  const projected = axes === dim ? points : {coords: make(coords, n * axes), dim: axes};
  if (axes < dim) {
    for (let i = 0; i < n; i++) for (let d = 0; d < axes; d++) projected.coords[i * axes + d] = coords[i * dim + d];
  }
  const reach = cellsPerRadius(projected, radius);
  const indexOf = ({geometry, layout, cellStart, cellCoords, pointOrder, ...grid}: BuiltGrid): CandidateIndex => {
    let {sortedCoords} = grid;
    if (axes < dim) {
      sortedCoords = make(coords, coords.length);
      for (let k = 0; k < n; k++)
        for (let d = 0; d < dim; d++) sortedCoords[k * dim + d] = coords[pointOrder[k] * dim + d];
    }
    const cells = {radius, reach, geometry, layout, cellStart, cellCoords};
    return {dim, n, sortedCoords, pointOrder, cells};
  };
  return {projected, side: radius / reach, indexOf};
}

/** An index in which every point is a candidate. */
export function wholeIndex({coords, dim}: PointSet): CandidateIndex {
  return {dim, n: coords.length / dim, sortedCoords: coords};
}

/** @param radius  > 0; Infinity: every point is a candidate, and the order is that of the points */
export function buildCandidateIndex(points: PointSet, radius: number, onProgress?: PartListener): CandidateIndex {
  if (radius === Infinity) return wholeIndex(points);
  const {projected, side, indexOf} = planCandidateIndex(points, radius);
  return indexOf(buildUniformGrid(projected, side, {onProgress}));
}
