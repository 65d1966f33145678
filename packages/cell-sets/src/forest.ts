import type {CellIndex} from '@epsball/spatial-grid';
import type {PointForest} from '@epsball/union-find';

/** Input of the steps of a run. */
export interface SearchSpace {
  readonly index: CellIndex;
  readonly eps: number;
  readonly forest: PointForest;
}
