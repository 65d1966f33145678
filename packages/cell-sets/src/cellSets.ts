import {
  checkKnownOptions,
  grainOfWeights,
  haveExactSums,
  keptIndex,
  PhaseClock,
  pointCount,
  reportParts,
  RunPacer,
  untilDestroyed,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PartListener,
  type PointSet,
  type Radius,
} from '@epsball/clustering';
import {buildKdTree} from '@epsball/kd-tree';
import {buildUniformGrid, MAX_GRID_DIM, type CellIndex} from '@epsball/spatial-grid';
import {clearFirsts, findFirsts, markFirsts, rankFirsts, unite, type ClusterFirsts} from '@epsball/union-find';
import {assignLabels} from './clusterLabels.ts';
import {cellsFor, type PointWeights, type SearchSpace} from './forest.ts';
import {checkIndex, checkRun, type CellChoice, type IndexChoice, type RunIndex} from './indexChoice.ts';
import {isLeafIndex, listLeaves, openLeaves} from './leafIndex.ts';
import {LeafUnion} from './leafUnion.ts';
import {layLinear, openLinear} from './linearIndex.ts';
import {LocalUnion} from './localUnion.ts';
import {markCore} from './markCore.ts';
import {PairList} from './pairList.ts';

/** Options of both backends. */
export interface CellSetsOptions {
  /** Name of the variant, in messages. */
  readonly name: string;
  /**
   * Index that finds neighbours. 'grid': a uniform grid, 1 to 4 dimensions. 'none': tests all pairs, O(n²), any
   * dimension. 'tree': a k-d tree, 1 to 1536 dimensions. 'auto' (default): the grid in 1 to 4 dimensions, the tree up
   * to 64, otherwise none.
   */
  readonly index?: IndexChoice | undefined;
  /** Cells of the grid, as for `buildUniformGrid`. Default: 'eps'. */
  readonly cells?: CellChoice | undefined;
}

/** Candidates between two pauses: about a millisecond. */
const SLICE_CANDIDATES = 2 ** 20;

const SLICE_POINTS = 2 ** 12;

/**
 * Creates DBSCAN with disjoint sets on the calling thread: marks core points, unites neighbouring core points (Rem's
 * algorithm with splicing), then labels border points. A run yields to the event loop about every 25 ms, for abort and
 * progress.
 *
 * Host bytes per point beyond input and result, 2-D float32: grid 28 (dense) or 39 (sparse), forest and firsts 9.
 *
 * @returns    the algorithm, owned by the caller; it holds no memory between runs
 * @throws InvalidParameterError  if `index` is unknown
 * @complexity grid: O(n · k), k = points in the cells around a point, far less in dense regions; none: O(n²)
 * @source     Patwary et al. 2012, Algorithm 2
 */
export function createCellSets(options: CellSetsOptions): DbscanAlgorithm {
  checkKnownOptions(options, ['name', 'index', 'cells'], 'options', "an object such as {name: 'pds'}");
  checkIndex(options.index);
  return untilDestroyed(options.name, (points: PointSet, params: DbscanParams, runOptions?: DbscanRunOptions) =>
    run(options, points, params, runOptions),
  );
}

async function run(
  cellSets: CellSetsOptions,
  points: PointSet,
  params: DbscanParams,
  options: DbscanRunOptions = {},
): Promise<DbscanResult> {
  const choice = checkRun(cellSets, points, params, options, false);
  const {eps, eps2, epsTime, metric, minPts} = params;
  const n = pointCount(points);
  const clock = new PhaseClock<DbscanPhase>();
  const pacer = new RunPacer(n, options);
  clock.enter('index');
  const onProgress = reportParts('index', n, options.onProgress);
  const index = buildIndex(points, params, choice, {cells: cellsFor(params, cellSets.cells), onProgress});
  // The cells around a cell of a grid hold about as many points as the cell itself.
  const hasGrid = points.dim <= MAX_GRID_DIM && choice !== 'none';
  const slices = sliceCells(index, (size) => (hasGrid ? 4 * size * size : size * n));
  const forest = {isCore: new Uint8Array(n), parent: new Int32Array(n)};
  const space: SearchSpace = {index, eps, eps2, epsTime, metric, forest, weights: weightsOf(params)};
  const step = async (phase: DbscanPhase, work: (firstCell: number, endCell: number) => void): Promise<void> => {
    clock.enter(phase);
    for (let k = 0; k + 1 < slices.length; k++) {
      work(slices[k], slices[k + 1]);
      await pacer.pause(phase, index.cellStart[slices[k + 1]]);
    }
  };
  const {cellStart} = index;
  const result = {labels: new Int32Array(n), coreMask: new Uint8Array(n)};
  // Slices do not cut cells. The core mask is written last; until then its memory holds the state of pieces.
  const pieces = {cuts: Int32Array.of(0, n), state: result.coreMask};
  await step('core', (first, end) => markCore(space, minPts, cellStart[first], cellStart[end], pieces.state));
  // One part lists no pairs.
  const none = new PairList(new Int32Array(0), space.forest.parent);
  const {parent} = space.forest;
  const union = isLeafIndex(index)
    ? new LeafUnion(space, index, (a, b) => void unite(parent, a, b))
    : new LocalUnion(space, 0, pieces, none);
  await step('clusters', (firstCell, endCell) => union.uniteCells(firstCell, endCell));
  const {firsts, clusterCount} = numberClusters(space);
  await step('borders', (first, end) => assignLabels(space, firsts, result, cellStart[first], cellStart[end]));
  return {...result, clusterCount, stats: {...clock.stop(), counters: {crossPairs: 0, crossCellPairs: 0}}};
}

function weightsOf({sampleWeight: values}: DbscanParams): PointWeights | undefined {
  return values && {values, isPlain: haveExactSums(grainOfWeights(values))};
}

function buildIndex(
  points: PointSet,
  {eps, epsTime}: Radius,
  choice: RunIndex,
  {cells, onProgress}: {readonly cells: CellChoice | undefined; readonly onProgress: PartListener | undefined},
): CellIndex {
  if (choice === 'grid') {
    const build = () => buildUniformGrid(points, eps, {cells, epsTime, onProgress});
    return keptIndex(points, 'cell-sets/grid', `${eps} ${epsTime} ${cells}`, build);
  }
  if (choice === 'none') return openLinear(layLinear(points));
  return openLeaves(
    keptIndex(points, 'cell-sets/leaves', '', () => listLeaves(buildKdTree(points, {onProgress}))),
    eps,
  );
}

/** Ascending bounds of runs of cells that take about a millisecond each. */
function sliceCells({cellCount, cellStart}: CellIndex, candidatesOf: (size: number) => number): number[] {
  const bounds = [0];
  let start = 0;
  let candidates = 0;
  for (let cell = 0; cell < cellCount; cell++) {
    const size = cellStart[cell + 1] - cellStart[cell];
    candidates += candidatesOf(size);
    if (candidates < SLICE_CANDIDATES && cellStart[cell + 1] - start < SLICE_POINTS) continue;
    bounds.push(cell + 1);
    start = cellStart[cell + 1];
    candidates = 0;
  }
  bounds.push(cellCount);
  return bounds;
}

function numberClusters({index, forest}: SearchSpace): {firsts: ClusterFirsts; clusterCount: number} {
  const {n, pointOrder} = index;
  const words = Math.ceil(n / 32);
  const firsts = {first: new Int32Array(n), marks: new Int32Array(words), ranks: new Int32Array(words)};
  clearFirsts(firsts, 0, n);
  findFirsts(forest, firsts, pointOrder, 0, n);
  markFirsts(forest, firsts, 0, n);
  return {firsts, clusterCount: rankFirsts(firsts)};
}
