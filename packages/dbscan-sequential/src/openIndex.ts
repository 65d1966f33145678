import {indicesBelow, keptIndex, pointCount, type PartListener, type PointSet, type Radius} from '@epsball/clustering';
import {buildUniformGrid, NeighborQuery} from '@epsball/spatial-grid';
import {buildQuantileDirectory} from '@epsball/spatial-grid/quantile';
import {RangeQuery} from './rangeQuery.ts';
import type {RegionQuery} from './regionQuery.ts';
import type {PointPositions} from './seedList.ts';

/** Index for region queries. `none` tests all points. */
export type SequentialIndex = 'grid' | 'directory' | 'none';

/**
 * Shape and order of a directory. A directory suits 5 dimensions and more. In 1 to 4 dimensions the grid is faster, by
 * a factor of a hundred and more where the axes differ in scale or the points form a line.
 */
export interface DirectoryOptions {
  /**
   * Levels, one axis each; integer, 1 … 4. Points of fewer dimensions have as many levels as dimensions. Default: 3.
   */
  readonly levels?: number | undefined;
  /** Partitions of a node; integer ≥ 2, with fanout ^ levels ≤ 2^20. Default: 16. */
  readonly fanout?: number | undefined;
  /** Whether principal components order the points, in place of the first coordinates. Default: false. */
  readonly pca?: boolean | undefined;
}

/** Builds an index of validated points, for searches within a radius. */
export async function openIndex(
  index: SequentialIndex,
  points: PointSet,
  radius: Radius,
  directoryOptions: DirectoryOptions,
  onProgress?: PartListener,
): Promise<{readonly query: RegionQuery; readonly positions: PointPositions}> {
  if (index === 'grid') {
    const {eps, epsTime} = radius;
    const build = () => buildUniformGrid(points, eps, {epsTime, onProgress});
    const grid = keptIndex(points, 'sequential/grid', `${eps} ${epsTime}`, build);
    return {query: new NeighborQuery(grid, radius), positions: grid};
  }
  if (index === 'directory') {
    const {levels: wished, fanout, pca = false} = directoryOptions;
    // Times do not order a directory: eps says nothing of them.
    const levels = radius.epsTime === undefined ? wished : Math.min(wished ?? 3, points.dim - 1);
    // Imported on demand, because it loads a library of linear algebra. One principal axis a dimension.
    const axes = pca
      ? (await import('@epsball/spatial-grid/quantile/pca')).principalAxes(points, points.dim)
      : undefined;
    const directory = keptIndex(points, 'sequential/directory', `${levels} ${fanout} ${pca}`, () =>
      buildQuantileDirectory(points, {levels, fanout, axes}),
    );
    return {query: new RangeQuery(points, radius, directory), positions: directory};
  }
  const identity = indicesBelow(pointCount(points));
  return {query: new RangeQuery(points, radius), positions: {pointOrder: identity, positionOf: identity}};
}
