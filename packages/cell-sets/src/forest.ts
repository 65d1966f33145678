import type {Radius} from '@epsball/clustering';
import type {CellIndex} from '@epsball/spatial-grid';
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

/** Whether distances are Euclidean. Other metrics have no bins, no trees and no searches between cells. */
export function isEuclidean({metric = 'euclidean'}: Pick<Radius, 'metric'>): boolean {
  return metric === 'euclidean';
}
