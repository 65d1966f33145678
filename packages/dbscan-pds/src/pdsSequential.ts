import {
  DestroyedError,
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
import {buildUniformGrid, MAX_GRID_DIM, type CellIndex} from '@epsball/spatial-grid';
import {clearFirsts, findFirsts, markFirsts, rankFirsts, type ClusterFirsts} from '@epsball/union-find';
import {assignLabels} from './clusterLabels.ts';
import type {SearchSpace} from './forest.ts';
import {checkIndex, type IndexChoice} from './indexChoice.ts';
import {fillLinear, linearLengths, openLinear} from './linearIndex.ts';
import {LocalUnion} from './localUnion.ts';
import {markCore} from './markCore.ts';
import {PairList} from './pairList.ts';

export interface PdsOptions {
  /**
   * What finds neighbours. 'grid': a uniform grid, 1 to 4 dimensions. 'none': a test of all pairs, O(n²), any
   * dimension. 'auto': the grid where it can, else none.
   */
  readonly index?: IndexChoice | undefined;
}

/** Candidates between two pauses, about: a millisecond. */
const SLICE_CANDIDATES = 2 ** 20;

/** Points between two pauses at most. */
const SLICE_POINTS = 2 ** 12;

/**
 * DSDBSCAN on the calling thread: core points first, then unions of neighbouring core points (Rem's algorithm with splicing),
 * then borders. PDSDBSCAN-S with one part. A run yields to the event loop every 50 ms or so, for abort and progress.
 *
 * Host bytes a point beyond input and result, 2-D float32: grid 36 (dense) or 47 (sparse), forest and firsts 9.
 *
 * @param options  the index; a grid where the dimensions allow one, unless named
 * @returns        owned by the caller; it holds nothing between runs
 * @throws InvalidParameterError  if there is no such index
 * @complexity grid: O(n · k), k = points in the 3^dim cells around a point, far less in dense places; none: O(n²)
 * @source     Patwary et al. 2012, Algorithm 2
 */
export function createPdsSequential(options: PdsOptions = {}): DbscanAlgorithm {
  const {index = 'auto'} = options;
  checkIndex(index);
  let isDestroyed = false;
  const destroy = (): void => {
    isDestroyed = true;
  };
  return {
    run: async (points, params, runOptions) => {
      if (isDestroyed) throw new DestroyedError('pds');
      return run(index, points, params, runOptions);
    },
    destroy,
    [Symbol.dispose]: destroy,
  };
}

async function run(
  wished: IndexChoice,
  points: PointSet,
  params: DbscanParams,
  options: DbscanRunOptions = {},
): Promise<DbscanResult> {
  const maxDim = wished === 'grid' ? MAX_GRID_DIM : Infinity;
  validateRun(points, params, {variant: `pds with index ${wished}`, maxDim, signal: options.signal});
  const {eps, minPts} = params;
  const n = pointCount(points);
  const clock = new PhaseClock<DbscanPhase>();
  const pacer = new RunPacer(n, options);
  clock.enter('index');
  const hasGrid = wished !== 'none' && points.dim <= MAX_GRID_DIM;
  const index = hasGrid ? buildUniformGrid(points, eps) : linearIndex(points);
  // Around a cell are about as many points on all sides.
  const slices = sliceCells(index, (size) => (hasGrid ? 4 * size * size : size * n));
  const space: SearchSpace = {index, eps, forest: {isCore: new Uint8Array(n), parent: new Int32Array(n)}};
  /** Runs one step over all slices. */
  const step = async (phase: DbscanPhase, work: (firstCell: number, endCell: number) => void): Promise<void> => {
    clock.enter(phase);
    for (let k = 0; k + 1 < slices.length; k++) {
      work(slices[k], slices[k + 1]);
      await pacer.pause(phase, index.cellStart[slices[k + 1]]);
    }
  };
  const {cellStart} = index;
  const result = {labels: new Int32Array(n), coreMask: new Uint8Array(n)};
  // Slices cut no cell. The core mask is written last; until then it says which cells are whole.
  const pieces = {cuts: Int32Array.of(0, n), state: result.coreMask};
  await step('core', (first, end) => markCore(space, minPts, cellStart[first], cellStart[end], pieces.state));
  // One part: no pairs with others.
  const none = new PairList(new Int32Array(0), space.forest.parent);
  const union = new LocalUnion(space, 0, pieces, none);
  await step('clusters', (firstCell, endCell) => union.uniteCells(firstCell, endCell));
  const {firsts, clusterCount} = numberClusters(space);
  await step('borders', (first, end) => assignLabels(space, firsts, result, cellStart[first], cellStart[end]));
  return {...result, clusterCount, stats: {...clock.stop(), counters: {crossPairs: 0, crossCellPairs: 0}}};
}

function linearIndex(points: PointSet): CellIndex {
  const n = pointCount(points);
  const lengths = linearLengths(n);
  const arrays = {
    points,
    n,
    pointOrder: new Int32Array(lengths.pointOrder),
    cellStart: new Int32Array(lengths.cellStart),
  };
  fillLinear(arrays);
  return openLinear(arrays);
}

/** Runs of cells that take about a millisecond each: bounds, ascending. */
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
