import {InvalidParameterError, pointCount, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {pointBounds} from './bounds.ts';
import {buildDenseGrid} from './denseGrid.ts';
import {gridGeometry, type GridGeometry} from './geometry.ts';
import {buildSparseGrid} from './sparseGrid.ts';
import {MAX_GRID_DIM, type DenseUniformGrid, type SparseUniformGrid} from './uniformGrid.ts';

/** Below this many cells a dense grid costs nothing worth saving. */
const SMALL_CELL_TOTAL = 4096;

/** Most dense cells per point: 16 bytes of `cellStart` a point. */
const DENSE_CELLS_PER_POINT = 4;

/** Cells of an Int32Array-indexed grid. */
const MAX_DENSE_CELLS = 2 ** 31 - 2;

export interface UniformGridOptions {
  /** 'auto': dense where the box has at most 4 cells a point (or 4096), else sparse. */
  readonly layout?: 'auto' | 'dense' | 'sparse' | undefined;
}

/**
 * Sorts points into cells of side a little over eps (geometry.ts).
 *
 * Bytes a point that the grid keeps, for dim axes of b-byte coordinates: dim·b + 12, and for dense at most
 * 4 · cells / n ≤ 16, for sparse at most 4 + 4·dim + 5·3^(dim − 1). 2-D float32: at most 36 dense, 47 sparse.
 * Building takes dim·b bytes a point beyond these, and 4 bytes a sparse cell.
 *
 * @param points  points that `validatePoints` accepts, dim ≤ 4; not modified, not kept
 * @param eps     finite, > 0
 * @throws        UnsupportedDimensionError  if dim > 4
 * @throws        InvalidParameterError  if 'dense' is asked for a box of 2^31 cells or more
 * @complexity    dense O(n + cells); sparse O(n · digits + occupied cells · 3^(dim − 1))
 */
export function buildUniformGrid(
  points: PointSet,
  eps: number,
  options: UniformGridOptions = {},
): DenseUniformGrid | SparseUniformGrid {
  const {dim} = points;
  if (dim > MAX_GRID_DIM) throw new UnsupportedDimensionError('a uniform grid', dim, MAX_GRID_DIM, []);
  const {min, max} = pointBounds(points);
  const geometry = gridGeometry(min, max, eps);
  const layout = chooseLayout(geometry, pointCount(points), options.layout);
  return layout === 'sparse' ? buildSparseGrid(points, geometry) : buildDenseGrid(points, geometry);
}

/**
 * Settles the layout.
 *
 * @throws InvalidParameterError  if 'dense' is asked for a box of 2^31 cells or more
 */
export function chooseLayout(
  {cellTotal}: GridGeometry,
  n: number,
  wished: UniformGridOptions['layout'] = 'auto',
): 'dense' | 'sparse' {
  if (wished === 'sparse') return 'sparse';
  const denseLimit = Math.max(SMALL_CELL_TOTAL, DENSE_CELLS_PER_POINT * n);
  if (wished === 'auto' && cellTotal > Math.min(denseLimit, MAX_DENSE_CELLS)) return 'sparse';
  if (cellTotal > MAX_DENSE_CELLS) {
    throw new InvalidParameterError('layout', wished, `'sparse' for a box of ${cellTotal} cells`);
  }
  return 'dense';
}
