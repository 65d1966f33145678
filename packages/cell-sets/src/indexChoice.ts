import {
  InvalidParameterError,
  validatePointShape,
  validateRun,
  VARIANT_METRICS,
  type DbscanParams,
  type DbscanRunOptions,
  type PointSet,
  type VariantMetric,
} from '@epsball/clustering';
import {KD_DIM_MAX} from '@epsball/kd-tree';
import {MAX_GRID_DIM, type UniformGridOptions} from '@epsball/spatial-grid';

/** Most dimensions in which boxes exclude enough points to be the index of `auto`. */
const TREE_DIM_MAX = 64;

export type IndexChoice = 'auto' | 'grid' | 'tree' | 'none';

/** @throws InvalidParameterError  if `index` is not one of them */
export function checkIndex(index: IndexChoice = 'auto'): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'tree' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid', 'tree' or 'none'");
  }
}

export type CellChoice = NonNullable<UniformGridOptions['cells']>;

export type RunIndex = Exclude<IndexChoice, 'auto'>;

/**
 * Checks a run, and chooses its index.
 *
 * @param threads  whether threads build the grid: while they compute the bounding box, they find coordinates that are
 *                 not finite
 */
export function checkRun(
  {name, index: choice = 'auto'}: {readonly name: string; readonly index?: IndexChoice | undefined},
  points: PointSet,
  params: DbscanParams,
  options: DbscanRunOptions,
  threads: boolean,
): RunIndex {
  validatePointShape(points);
  const index = indexFor(choice, points.dim, params?.metric, params?.epsTime);
  validateRun(points, params, {
    variant: choice === 'auto' ? name : `${name} with index ${choice}`,
    maxDim: choice === 'grid' ? MAX_GRID_DIM : choice === 'tree' ? KD_DIM_MAX : Infinity,
    metrics: VARIANT_METRICS,
    takesWeights: true,
    takesTime: true,
    looksForNonFinite: threads && index === 'grid',
    options,
  });
  return index;
}

/** The index for points of `dim` axes. Trees are for Euclidean distances, without times. */
function indexFor(choice: IndexChoice, dim: number, metric: VariantMetric = 'euclidean', epsTime?: number): RunIndex {
  const takesTree = metric === 'euclidean' && epsTime === undefined;
  if (!takesTree && choice === 'tree') {
    const what = epsTime === undefined ? `the metric ${metric}` : 'epsTime';
    throw new InvalidParameterError('index', choice, `auto, grid or none with ${what}`);
  }
  if (choice !== 'auto') return choice;
  if (dim <= MAX_GRID_DIM) return 'grid';
  return takesTree && dim <= TREE_DIM_MAX ? 'tree' : 'none';
}
