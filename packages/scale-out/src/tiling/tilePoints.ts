import type {DbscanResult, PointSet} from '@epsball/clustering';
import type {TileBox} from './tiling.ts';

/** The points that a tile reads: those in its box, and its halo. */
export interface TilePoints {
  readonly box: TileBox;
  readonly points: PointSet;
  /** Global row of each point, ascending; integers below 2^53. */
  readonly rows: Float64Array;
}

/** The labels of `dbscan()` for the points of a tile. */
export type LocalLabels = Pick<DbscanResult, 'labels' | 'coreMask' | 'clusterCount'>;

export interface Sides {
  /** 1 = in the box. */
  readonly isOwned: Uint8Array;
  /** 1 = in the box and within reach of a face, or outside the box. */
  readonly isNearFace: Uint8Array;
}
