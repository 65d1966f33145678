import {
  keptIndex,
  PhaseClock,
  RunPacer,
  untilDestroyed,
  validateRun,
  WeightSum,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {buildUniformGrid, MAX_GRID_DIM, NeighborQuery} from '@epsball/spatial-grid';
import {ClusterExpansion, POINT_COST} from './clusterExpansion.ts';

/** Distance tests between two pauses: about a millisecond. */
const SLICE_TESTS = 2 ** 20;

/**
 * GPU-DBSCAN on one thread, step by step: the serial counterpart in Figure 2 of the paper. Bounds, binning, sort by
 * cell and cell extents (phase `index`), core test (`core`), one breadth-first search per cluster (`clusters`).
 * Counters: `clusters`, `levels`, `maxFrontier`.
 *
 * Takes 1 to 4 dimensions. Host memory per point besides input and result, 2-D float32: grid 36 bytes (dense) or 47
 * (sparse), labels 4, frontiers 8, core flags 1, found 4 (used up to the largest neighbourhood only). A run yields to
 * the event loop every 25 ms, for abort and progress.
 *
 * @returns  an algorithm owned by the caller; it holds no memory between runs
 * @complexity  O(n · k), k = points in the 3^dim cells around a point
 * @source  Milanesi, GPU-DBSCAN (2025–26), section 3
 */
export function createGridBfsSequential(): DbscanAlgorithm {
  return untilDestroyed('grid-bfs', run);
}

async function run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
  validateRun(points, params, {variant: 'grid-bfs', maxDim: MAX_GRID_DIM, takesWeights: true, options});
  const clock = new PhaseClock<DbscanPhase>();
  clock.enter('index');
  const {eps} = params;
  const grid = keptIndex(points, 'grid-bfs/grid', `${eps}`, () => buildUniformGrid(points, eps));
  const pacer = new RunPacer(grid.n, options);

  clock.enter('core');
  const query = new NeighborQuery(grid, params);
  const isCore = new Uint8Array(grid.n);
  const found = new Int32Array(grid.n);
  const {sampleWeight} = params;
  const weightSum =
    sampleWeight &&
    new WeightSum(
      Float64Array.from(grid.pointOrder, (i) => sampleWeight[i]),
      params.minPts,
    );
  for (let position = 0; position < grid.n;) {
    position = markCore(query, params.minPts, position, isCore, found, weightSum);
    await pacer.pause('core', position);
  }

  clock.enter('clusters');
  const expansion = new ClusterExpansion(grid, query, isCore, found);
  while (!expansion.advance(SLICE_TESTS)) await pacer.pause('clusters', expansion.expanded);

  const labels = expansion.labelsInOrder();
  const coreMask = new Uint8Array(grid.n);
  const {positionOf} = grid;
  for (let i = 0; i < grid.n; i++) coreMask[i] = isCore[positionOf[i]];
  const {clusterCount, levels, maxFrontier} = expansion;
  const counters = {clusters: clusterCount, levels, maxFrontier};
  return {labels, coreMask, clusterCount, stats: {...clock.stop(), counters}};
}

/**
 * Section 3.5, `computeIsCoreArr`: marks core points from position `first` on, for one slice of work.
 *
 * @param found      scratch memory of n elements
 * @param weightSum  the weights by position, if there are any
 * @returns       the first position that is not done
 */
function markCore(
  query: NeighborQuery,
  minPts: number,
  first: number,
  isCore: Uint8Array,
  found: Int32Array,
  weightSum: WeightSum | undefined,
): number {
  const stopAt = query.neighborTests + SLICE_TESTS;
  let position = first;
  while (position < isCore.length && query.neighborTests + (position - first) * POINT_COST < stopAt) {
    // Stop at minPts: only the threshold matters, and dense cells hold thousands of points. Weights may be negative, so
    // their sum needs all neighbours.
    const isEnough =
      weightSum === undefined
        ? query.neighbors(position, found, minPts) >= minPts
        : weightSum.isEnoughOf(found, query.neighbors(position, found));
    isCore[position] = isEnough ? 1 : 0;
    position++;
  }
  return position;
}
