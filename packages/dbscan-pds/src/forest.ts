import type {CellIndex} from '@epsball/spatial-grid';
import type {PointForest} from '@epsball/union-find';

/** Everything that the steps of a run read. */
export interface SearchSpace {
  readonly index: CellIndex;
  readonly eps: number;
  readonly forest: PointForest;
}
