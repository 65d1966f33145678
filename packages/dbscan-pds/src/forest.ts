import type {CellIndex} from '@epsball/spatial-grid';

/** What a run knows of its points, by position in the index. */
export interface PointForest {
  /** 1 = core point. */
  readonly isCore: Uint8Array;
  /** Disjoint sets of the core points: parent[p] <= p. Others stay alone. */
  readonly parent: Int32Array;
}

/** Everything that the steps of a run read. */
export interface SearchSpace {
  readonly index: CellIndex;
  readonly eps: number;
  readonly forest: PointForest;
}
