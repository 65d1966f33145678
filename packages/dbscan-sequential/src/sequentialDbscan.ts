import {
  PhaseClock,
  pointCount,
  RunPacer,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {buildUniformGrid, MAX_GRID_DIM, NeighborQuery} from '@epsball/spatial-grid';
import {LinearQuery} from './linearQuery.ts';
import type {RegionQuery} from './regionQuery.ts';
import {SeedListDbscan, type PointPositions} from './seedList.ts';

export interface SequentialDbscanOptions {
  /**
   * What answers region queries. 'grid': a uniform grid, 1 to 4 dimensions. 'none': a test of all points, O(n²),
   * any dimension. 'auto': the grid where it can, else none.
   */
  readonly index?: 'auto' | 'grid' | 'none' | undefined;
}

/** Distance tests between two pauses: about a millisecond. */
const SLICE_TESTS = 2 ** 20;

/**
 * Classic DBSCAN with a seed list (Ester et al. 1996), one region query a point, on one thread: the baseline of every
 * speed-up. The core test and the expansion are one in it; both count as phase 'clusters'. Counters: `neighborTests`,
 * `regionQueries`.
 *
 * Host bytes a point beyond input and result, 2-D float32: grid 36 (dense) or 47 (sparse), expansion 12.
 * A run yields to the event loop every 50 ms, for abort and progress.
 *
 * @param options  the index; a grid where the dimensions allow one, unless named
 * @returns        owned by the caller; it holds nothing between runs
 * @complexity grid: O(n · k), k = points in the 3^dim cells around a point; none: O(n²)
 * @source     Ester et al. 1996, section 4.1
 */
export function createSequentialDbscan(options: SequentialDbscanOptions = {}): DbscanAlgorithm {
  const index = options.index ?? 'auto';
  const destroy = (): void => {};
  return {
    run: (points, params, runOptions) => run(index, points, params, runOptions),
    destroy,
    [Symbol.dispose]: destroy,
  };
}

async function run(
  index: 'auto' | 'grid' | 'none',
  points: PointSet,
  params: DbscanParams,
  options: DbscanRunOptions = {},
): Promise<DbscanResult> {
  const maxDim = index === 'grid' ? MAX_GRID_DIM : Infinity;
  validateRun(points, params, {variant: `sequential with index ${index}`, maxDim, signal: options.signal});
  const clock = new PhaseClock<DbscanPhase>();
  clock.enter('index');
  const {query, positions} = openIndex(index, points, params.eps);
  clock.enter('clusters');
  const seedList = new SeedListDbscan(query, positions, params.minPts);
  const pacer = new RunPacer(pointCount(points), options);
  while (!seedList.advance(SLICE_TESTS)) await pacer.pause('clusters', seedList.regionQueries);
  const labels = seedList.labelsInOrder();
  const {coreMask, clusterCount, regionQueries} = seedList;
  const counters = {neighborTests: query.neighborTests, regionQueries};
  return {labels, coreMask, clusterCount, stats: {...clock.stop(), counters}};
}

function openIndex(
  index: 'auto' | 'grid' | 'none',
  points: PointSet,
  eps: number,
): {query: RegionQuery; positions: PointPositions} {
  if (index === 'none' || points.dim > MAX_GRID_DIM) {
    const identity = Int32Array.from({length: pointCount(points)}, (_, i) => i);
    return {query: new LinearQuery(points, eps), positions: {pointOrder: identity, positionOf: identity}};
  }
  const grid = buildUniformGrid(points, eps);
  return {query: new NeighborQuery(grid, eps), positions: grid};
}
