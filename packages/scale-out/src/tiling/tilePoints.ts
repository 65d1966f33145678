import type {DbscanResult, PointSet} from '@epsball/clustering';
import type {PointBounds} from '@epsball/spatial-grid';
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

/** Where the points of a tile lie. */
export interface Sides {
  /** By point: 1 = in the box. */
  readonly isOwned: Uint8Array;
  /** The points within reach of a face, or outside the box; ascending. */
  readonly nearFace: Int32Array;
  readonly bounds: PointBounds;
}
