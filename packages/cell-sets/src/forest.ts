import type {Radius} from '@epsball/clustering';
import type {CellIndex, UniformGridOptions} from '@epsball/spatial-grid';
import type {PointForest} from '@epsball/union-find';

/** Input of the steps of a run. */
export interface SearchSpace extends Radius {
  readonly index: CellIndex;
  readonly forest: PointForest;
  readonly weights?: PointWeights | undefined;
}

/** Weights by original index, and whether float64 sums of them are exact. */
export interface PointWeights {
  readonly values: Float64Array;
  readonly isPlain: boolean;
}

/**
 * Whether the neighbourhood is a Euclidean ball. Others, such as those of other metrics, and with times, have no bins,
 * no trees and no searches between cells.
 */
export function isBall({metric = 'euclidean', epsTime}: Pick<Radius, 'metric' | 'epsTime'>): boolean {
  return metric === 'euclidean' && epsTime === undefined;
}

/** The cells of a grid: those whose points are all neighbours are for Euclidean distances. */
export function cellsFor(
  {metric = 'euclidean'}: Pick<Radius, 'metric'>,
  wished: UniformGridOptions['cells'],
): UniformGridOptions['cells'] {
  return metric === 'euclidean' ? wished : undefined;
}

/** Whether `CellUnion` takes large cells: they may be whole, and it can tell. */
export function hasLargeCells({index, ...radius}: SearchSpace): boolean {
  return isBall(radius) || index.reach > 1;
}
