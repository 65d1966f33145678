import {pointCount, type PointSet} from '@epsball/clustering';
import {buildQuantileDirectory, type PrincipalAxes} from '@epsball/quantile-directory';
import {buildUniformGrid, MAX_GRID_DIM, NeighborQuery} from '@epsball/spatial-grid';
import {DirectoryQuery} from './directoryQuery.ts';
import {LinearQuery} from './linearQuery.ts';
import type {RegionQuery} from './regionQuery.ts';
import type {PointPositions} from './seedList.ts';

/** What answers region queries. */
export type SequentialIndex = 'grid' | 'directory' | 'none';

/**
 * The shape of a directory, and what it is ordered by. A directory suits 5 dimensions and more. In 1 to 4 dimensions the
 * grid is faster, where the axes differ in scale or points form a line a hundred times and more.
 */
export interface DirectoryOptions {
  /** One axis each; integer, 1 … 4, taken down to the dimensions of the points. 3 unless given. */
  readonly levels?: number | undefined;
  /** Partitions of a node; integer ≥ 2, with at most 2^20 leaves in all. 16 unless given. */
  readonly fanout?: number | undefined;
  /** Whether the points are ordered by their principal components instead of the first coordinates. Distances stay. */
  readonly pca?: boolean | undefined;
}

export interface OpenIndex {
  readonly query: RegionQuery;
  readonly positions: PointPositions;
}

/** Builds an index of points that are checked, for searches within eps. */
export async function openIndex(
  index: SequentialIndex,
  points: PointSet,
  eps: number,
  directoryOptions: DirectoryOptions,
): Promise<OpenIndex> {
  if (index === 'grid') {
    const grid = buildUniformGrid(points, eps);
    return {query: new NeighborQuery(grid, eps), positions: grid};
  }
  if (index === 'directory') {
    const {levels, fanout, pca = false} = directoryOptions;
    const axes = pca ? await axesOf(points) : undefined;
    const directory = buildQuantileDirectory(points, {levels, fanout, axes});
    return {query: new DirectoryQuery(directory, eps), positions: directory};
  }
  const identity = Int32Array.from({length: pointCount(points)}, (_, i) => i);
  return {query: new LinearQuery(points, eps), positions: {pointOrder: identity, positionOf: identity}};
}

/** The index where none is named: a grid where the dimensions allow one, else a directory. */
export function automaticIndex(dim: number): SequentialIndex {
  return dim <= MAX_GRID_DIM ? 'grid' : 'directory';
}

/** As many axes as any directory of these points has levels. The decomposition is loaded by those who ask for it only. */
async function axesOf(points: PointSet): Promise<PrincipalAxes> {
  const {principalAxes} = await import('@epsball/quantile-directory/pca');
  return principalAxes(points, points.dim);
}
