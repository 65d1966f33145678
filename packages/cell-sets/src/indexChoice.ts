import {InvalidParameterError, type VariantMetric} from '@epsball/clustering';
import {KD_DIM_MAX} from '@epsball/kd-tree';
import {MAX_GRID_DIM, type UniformGridOptions} from '@epsball/spatial-grid';

export type IndexChoice = 'auto' | 'grid' | 'tree' | 'none';

/** @throws InvalidParameterError  if `index` is not one of them */
export function checkIndex(index: IndexChoice = 'auto'): void {
  if (index !== 'auto' && index !== 'grid' && index !== 'tree' && index !== 'none') {
    throw new InvalidParameterError('index', index, "'auto', 'grid', 'tree' or 'none'");
  }
}

/** Cells of the grid, as for `buildUniformGrid`. */
export type CellChoice = NonNullable<UniformGridOptions['cells']>;

export function variantName(name: string, index: IndexChoice): string {
  return index === 'auto' ? name : `${name} with index ${index}`;
}

export type RunIndex = Exclude<IndexChoice, 'auto'>;

/** The index for points of `dim` axes. Trees are for Euclidean distances. */
export function indexFor(choice: IndexChoice, dim: number, metric: VariantMetric = 'euclidean'): RunIndex {
  if (metric !== 'euclidean' && choice === 'tree') {
    throw new InvalidParameterError('index', choice, `auto, grid or none with the metric ${metric}`);
  }
  if (choice !== 'auto') return choice;
  if (metric !== 'euclidean' && dim > MAX_GRID_DIM) return 'none';
  return dim <= MAX_GRID_DIM ? 'grid' : dim <= KD_DIM_MAX ? 'tree' : 'none';
}

export function maxDimOf(choice: IndexChoice): number {
  return choice === 'grid' ? MAX_GRID_DIM : choice === 'tree' ? KD_DIM_MAX : Infinity;
}
