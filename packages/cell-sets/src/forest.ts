import type {Radius} from '@epsball/clustering';
import type {CellIndex} from '@epsball/spatial-grid';
import type {PointForest} from '@epsball/union-find';

/** Input of the steps of a run. */
export interface SearchSpace extends Pick<Radius, 'eps' | 'eps2'> {
  readonly index: CellIndex;
  readonly forest: PointForest;
}
