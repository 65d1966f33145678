import {
  checkKnownOptions,
  InvalidParameterError,
  pointCount,
  UnsupportedDimensionError,
  type PartListener,
  type PointSet,
} from '@epsball/clustering';
import {pointBounds} from './bounds.ts';
import {buildDenseGrid} from './denseGrid.ts';
import {diagonalGeometry, gridGeometry, type GridGeometry} from './geometry.ts';
import {buildSparseGrid} from './sparseGrid.ts';
import {MAX_GRID_DIM, type UniformGrid} from './uniformGrid.ts';

/** Up to this many cells a dense grid is always cheap enough. */
const SMALL_CELL_TOTAL = 4096;

/** Maximum dense cells per point: 16 bytes of `cellStart` per point. */
const DENSE_CELLS_PER_POINT = 4;

/** The bounding box takes about this part of a build. */
const BOUNDS_PART = 0.1;

const OPTIONS = ['layout', 'cells', 'epsTime', 'onProgress'];

/** Maximum cells of a grid with Int32Array indices. */
const MAX_DENSE_CELLS = 2 ** 31 - 2;

export interface UniformGridOptions {
  /** 'auto': dense if the box has at most 4 cells per point (or 4096), else sparse. Default: 'auto'. */
  readonly layout?: 'auto' | 'dense' | 'sparse' | undefined;
  /**
   * 'eps': the side of a cell slightly exceeds eps. 'diagonal': the diagonal of a cell is slightly shorter than eps, if
   * there are such cells (`diagonalGeometry`), which `reach` > 1 shows. Default: 'eps'.
   */
  readonly cells?: 'eps' | 'diagonal' | undefined;
  /** The last axis is of time, where neighbours are within `epsTime`, finite, ≥ 0. Default: all axes are of space. */
  readonly epsTime?: number | undefined;
  /** Hears of the steps that are done, and of the points that are sorted in the last one. Default: nothing. */
  readonly onProgress?: PartListener | undefined;
}

/**
 * Sorts points into cells (geometry.ts).
 *
 * Memory of the grid in bytes per point, for dim axes of b-byte coordinates: dim·b + 4, plus at most 4 · cells / n ≤
 * 16 if dense, or at most 8 + 4·dim if sparse. 2-D float32: at most 28 dense, 28 sparse. The first access to `cellOf`
 * and to `positionOf` takes 4 bytes per point more each; the first search in a sparse grid 5 per cell and row.
 * The build takes dim·b more bytes per point, and 4 bytes per sparse cell.
 *
 * @param points  points that `validatePoints` accepts, dim ≤ 4; not modified, not kept
 * @param eps     finite, > 0
 * @throws        UnsupportedDimensionError  if dim > 4
 * @throws        InvalidParameterError  if the layout is 'dense' and the box has 2^31 cells or more
 * @complexity    dense O(n + cells); sparse O(n · digits), and O(occupied cells · rows) for the first search
 */
export function buildUniformGrid(points: PointSet, eps: number, options: UniformGridOptions = {}): UniformGrid {
  checkKnownOptions(options, OPTIONS, 'options', "an object such as {layout: 'sparse'}");
  const {dim} = points;
  const {onProgress} = options;
  if (dim > MAX_GRID_DIM) throw new UnsupportedDimensionError('a uniform grid', dim, MAX_GRID_DIM, []);
  onProgress?.(0);
  const {min, max} = pointBounds(points);
  onProgress?.(BOUNDS_PART);
  const geometry = layCells(min, max, eps, options);
  const layout = chooseLayout(geometry, pointCount(points), options.layout);
  return layout === 'sparse'
    ? buildSparseGrid(points, geometry, onProgress)
    : buildDenseGrid(points, geometry, onProgress);
}

export function layCells(
  min: ArrayLike<number>,
  max: ArrayLike<number>,
  eps: number,
  {cells, epsTime}: Pick<UniformGridOptions, 'cells' | 'epsTime'>,
): GridGeometry {
  const diagonal = cells === 'diagonal' ? diagonalGeometry(min, max, eps, epsTime) : undefined;
  return diagonal ?? gridGeometry(min, max, eps, epsTime);
}

/** @throws InvalidParameterError  if the layout is 'dense' and the box has 2^31 cells or more */
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
