import {
  checkKnownOptions,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  reportParts,
  RunPacer,
  untilDestroyed,
  validateRun,
  VARIANT_METRICS,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {directoryShape} from '@epsball/spatial-grid/quantile';
import {openIndex, type DirectoryOptions, type SequentialIndex} from './openIndex.ts';
import {SeedListDbscan} from './seedList.ts';

export interface SequentialDbscanOptions {
  /**
   * Index for region queries. 'grid': a uniform grid, 1 to 4 dimensions. 'directory': a directory by quantiles, the
   * index of CUDA-DClust*, any dimension. 'none': tests all points, O(n²), any dimension. Default: 'auto', the grid in
   * 1 to 4 dimensions and the directory beyond.
   */
  readonly index?: 'auto' | SequentialIndex | undefined;
  /** Shape and order of the directory. The labels do not depend on it. */
  readonly directory?: DirectoryOptions | undefined;
}

const INDEXES: readonly string[] = ['auto', 'grid', 'directory', 'none'];

/** Distance tests between two pauses: about a millisecond. */
const SLICE_TESTS = 2 ** 20;

/**
 * Classic DBSCAN with a seed list (Ester et al. 1996) on one thread, with one region query a point. The baseline of
 * every speed-up. The core test is part of the expansion, and both count as phase 'clusters'. Counters:
 * `neighborTests`, `regionQueries`.
 *
 * Host bytes a point beyond input and result, 2-D float32: grid 36 (dense) or 47 (sparse), directory 16 (36 during the
 * build), expansion 12. A run yields to the event loop every 25 ms, for abort and progress.
 *
 * @param options  index and shape of the directory
 * @returns        owned by the caller; it holds no memory between runs
 * @throws InvalidParameterError  if the index is unknown, or the directory has too many levels or leaves
 * @complexity grid: O(n · k), k = points in the 3^dim cells around a point; directory: k = points in the leaves that
 *             the ball reaches; none: O(n²)
 * @source     Ester et al. 1996, section 4.1; the directory: Böhm et al. 2009, section 6
 */
export function createSequentialDbscan(options: SequentialDbscanOptions = {}): DbscanAlgorithm {
  checkKnownOptions(options, ['index', 'directory'], 'options', "an object such as {index: 'grid'}");
  const {index = 'auto', directory = {}} = options;
  if (!INDEXES.includes(index)) throw new InvalidParameterError('index', index, `one of ${INDEXES.join(', ')}`);
  // Runs never have more levels than `directory.levels`, so a shape that is valid here is valid in every run.
  directoryShape(Infinity, directory);
  return untilDestroyed('sequential', (points: PointSet, params: DbscanParams, runOptions?: DbscanRunOptions) =>
    run({index, directory}, points, params, runOptions),
  );
}

async function run(
  {index: requested, directory}: {readonly index: 'auto' | SequentialIndex; readonly directory: DirectoryOptions},
  points: PointSet,
  params: DbscanParams,
  options: DbscanRunOptions = {},
): Promise<DbscanResult> {
  const maxDim = requested === 'grid' ? MAX_GRID_DIM : Infinity;
  validateRun(points, params, {
    variant: `sequential with index ${requested}`,
    maxDim,
    metrics: VARIANT_METRICS,
    takesWeights: true,
    takesTime: true,
    options,
  });
  if (params.epsTime !== undefined && directory.pca === true) {
    throw new InvalidParameterError('pca', true, 'false with epsTime: principal components mix space and time');
  }
  const automatic = points.dim <= MAX_GRID_DIM ? 'grid' : 'directory';
  const index = requested === 'auto' ? automatic : requested;
  const clock = new PhaseClock<DbscanPhase>();
  clock.enter('index');
  const reported = reportParts('index', pointCount(points), options.onProgress);
  const {query, positions} = await openIndex(index, points, params, directory, reported);
  clock.enter('clusters');
  const seedList = new SeedListDbscan(query, positions, params.minPts, params.sampleWeight);
  const pacer = new RunPacer(pointCount(points), options);
  while (!seedList.advance(SLICE_TESTS)) await pacer.pause('clusters', seedList.regionQueries);
  const labels = seedList.labelsInOrder();
  const {coreMask, clusterCount, regionQueries} = seedList;
  const counters = {neighborTests: query.neighborTests, regionQueries};
  return {labels, coreMask, clusterCount, stats: {...clock.stop(), counters}};
}
