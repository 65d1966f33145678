import {
  filled,
  keptIndex,
  NOISE,
  PhaseClock,
  pointCount,
  reportParts,
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
import {buildUniformGrid, MAX_GRID_DIM, NeighborQuery, type UniformGrid} from '@epsball/spatial-grid';

/** Cost of a point besides its distance tests, in distance tests. */
const POINT_COST = 32;
/** Cost between two pauses: about a millisecond. */
const SLICE = 2 ** 20;

interface Search {
  readonly grid: UniformGrid;
  readonly query: NeighborQuery;
  /** Flags by position. */
  readonly isCore: Uint8Array;
  /** Receives the neighbours of a point. */
  readonly found: Int32Array;
  readonly pacer: RunPacer<DbscanPhase>;
}

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
  const onProgress = reportParts('index', pointCount(points), options.onProgress);
  const grid = keptIndex(points, 'grid-bfs/grid', `${eps}`, () => buildUniformGrid(points, eps, {onProgress}));
  const {n, positionOf} = grid;
  const query = new NeighborQuery(grid, params);
  const isCore = new Uint8Array(n);
  const search = {grid, query, isCore, found: new Int32Array(n), pacer: new RunPacer<DbscanPhase>(n, options)};

  clock.enter('core');
  await markCore(search, params);

  clock.enter('clusters');
  const {labelOf, ...counters} = await expandClusters(search);
  const [labels, coreMask] = [new Int32Array(n), new Uint8Array(n)];
  for (let i = 0; i < n; i++) {
    labels[i] = labelOf[positionOf[i]];
    coreMask[i] = isCore[positionOf[i]];
  }
  return {labels, coreMask, clusterCount: counters.clusters, stats: {...clock.stop(), counters}};
}

/** Section 3.5, `computeIsCoreArr`. */
async function markCore(
  {grid, query, isCore, found, pacer}: Search,
  {minPts, sampleWeight}: DbscanParams,
): Promise<void> {
  const {n, pointOrder} = grid;
  const weights = sampleWeight && filled(new Float64Array(n), (p) => sampleWeight[pointOrder[p]]);
  const weightSum = weights && new WeightSum(weights, minPts);
  let pauseAt = SLICE;
  for (let position = 0; position < n; position++) {
    // Stop at minPts: only the threshold matters, and dense cells hold thousands of points. Weights may be negative, so
    // their sum needs all neighbours.
    const isEnough =
      weightSum === undefined
        ? query.neighbors(position, found, minPts) >= minPts
        : weightSum.isEnoughOf(found, query.neighbors(position, found));
    isCore[position] = isEnough ? 1 : 0;
    const cost = query.neighborTests + position * POINT_COST;
    if (cost < pauseAt) continue;
    pauseAt = cost + SLICE;
    await pacer.pause('core', position);
  }
  await pacer.pause('core', n);
}

/**
 * Section 3.6: each cluster starts at the unassigned core point with the smallest original index (`findNextCore`) and
 * claims the points reachable from it, level by level, with two frontiers that swap (`bfsExpand`). So clusters are
 * numbered by their smallest core point, and a border point gets its lowest label.
 */
async function expandClusters({grid, query, isCore, found, pacer}: Search) {
  const {n, positionOf} = grid;
  // By position. NOISE is the paper's NO_CLUSTER_LABEL.
  const labelOf = new Int32Array(n).fill(NOISE);
  const counters = {clusters: 0, levels: 0, maxFrontier: 0};
  let [frontier, nextFrontier] = [new Int32Array(n), new Int32Array(n)];
  let expanded = 0;
  let pauseAt = query.neighborTests + SLICE;
  for (const root of positionOf) {
    if (isCore[root] === 0 || labelOf[root] !== NOISE) continue;
    const cluster = counters.clusters++;
    labelOf[root] = cluster;
    frontier[0] = root;
    for (let size = 1, nextSize = 0; size > 0; size = nextSize, nextSize = 0) {
      counters.levels++;
      counters.maxFrontier = Math.max(counters.maxFrontier, size);
      for (let slot = 0; slot < size; slot++) {
        const count = query.neighbors(frontier[slot], found);
        for (let k = 0; k < count; k++) {
          const neighbor = found[k];
          if (labelOf[neighbor] !== NOISE) continue;
          labelOf[neighbor] = cluster;
          if (isCore[neighbor] === 1) nextFrontier[nextSize++] = neighbor;
        }
        expanded++;
        const cost = query.neighborTests + expanded * POINT_COST;
        if (cost < pauseAt) continue;
        pauseAt = cost + SLICE;
        await pacer.pause('clusters', expanded);
      }
      [frontier, nextFrontier] = [nextFrontier, frontier];
    }
  }
  return {labelOf, ...counters};
}
