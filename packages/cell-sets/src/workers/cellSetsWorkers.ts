import {
  checkKnownOptions,
  DestroyedError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  RunQueue,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {createLocks} from '@epsball/union-find';
import {taskModule, usePool, type PoolOptions, type WorkerPool} from '@epsball/workers';
import type {CellSetsOptions} from '../cellSets.ts';
import {cellsFor} from '../forest.ts';
import {checkIndex, checkRun} from '../indexChoice.ts';
import {countPairs, createCrossPairs, mergeBounds, type CrossPairs, type SpilledPairs} from './crossPairs.ts';
import type * as cellSetTasks from './cellSetTasks.ts';
import {RunMemory, type PreparedRun} from './runMemory.ts';
import {RunProgress} from './runProgress.ts';

const tasks = taskModule<typeof cellSetTasks>(import.meta.url, 'cellSetTasks');

/** Minimum of pairs in a chunk: fewer are united before another thread wakes up. */
const PAIRS_PER_CHUNK = 4096;

export interface CellSetsWorkersOptions extends CellSetsOptions, PoolOptions {
  /**
   * How threads unite points that other threads unite, too: by compare-and-swap (default), or by the paper's
   * UNIONUSINGLOCK. These are pairs between parts, and all pairs over a tree with `partition: 'cells'`.
   */
  readonly union?: 'lock-free' | 'lock' | undefined;
  /**
   * The parts. 'cells' (default): runs of neighbouring cells, with few pairs between parts. 'index': ranges of original
   * indices, as in the paper.
   */
  readonly partition?: 'cells' | 'index' | undefined;
  /** Minimum of points in a chunk, integer ≥ 1. Default: about 2000. */
  readonly pointsPerChunk?: number | undefined;
}

/**
 * Creates PDSDBSCAN-S on worker threads: index, core points, local unions, merging and labels are waves over all
 * threads. The threads live until `destroy()`. Concurrent runs queue. Points on a `SharedArrayBuffer` are used in
 * place, others are copied to one first. Labels and core mask lie on a `SharedArrayBuffer`.
 *
 * Counters: `threads`; `crossPairs`, the pairs of points that parts leave to merging; `crossCellPairs`, the pairs of
 * large cells of different parts that were searched for such pairs; `localMs` and `mergeMs`, the wall time of the
 * paper's two stages; and for each thread of the pool `localMsOfThread1`, `mergeMsOfThread1` and so on, 0 for a
 * thread without work. Local computation is the core test, the unions inside parts, and every search for pairs.
 * Merging is the unions of cross pairs. Over a tree with `partition: 'cells'` local computation unites the points of
 * different parts, too, and nothing is left to merging.
 *
 * Host bytes per point beyond input and result, 2-D float32: index and forest 24, cells at most 16, core flags and
 * marks 1.25, and 8 if the points are copied. A sparse grid has a table of up to 1 GiB: 5 bytes for each occupied cell
 * and row of cells around it, 15, 45 and 135 bytes a cell in 2-D, 3-D and 4-D, with diagonal cells 25, 125 and 1715.
 * All are kept for the next run.
 *
 * @param options  threads, and how they share the work
 * @returns        the algorithm, owned by the caller
 * @throws InvalidParameterError  if an option is out of range
 * @complexity as `createCellSets`, divided by the threads
 * @source     Patwary et al. 2012, Algorithm 3
 */
export function createCellSetsWorkers(options: CellSetsWorkersOptions): DbscanAlgorithm {
  checkKnownOptions(
    options,
    ['name', 'index', 'cells', 'threads', 'pool', 'union', 'partition', 'pointsPerChunk'],
    'options',
    "an object such as {name: 'pds'}",
  );
  return new CellSetsWorkers(options);
}

class CellSetsWorkers implements DbscanAlgorithm {
  readonly #options: CellSetsWorkersOptions;
  readonly #pool: WorkerPool;
  readonly #release: () => void;
  readonly #memory: RunMemory;
  readonly #locks: Int32Array | undefined;
  /** Runs one after another: all use the same memory. */
  readonly #runs = new RunQueue();
  #isDestroyed = false;

  constructor(options: CellSetsWorkersOptions) {
    const {union = 'lock-free', partition = 'cells', pointsPerChunk} = options;
    if (union !== 'lock-free' && union !== 'lock') {
      throw new InvalidParameterError('union', union, "'lock-free' or 'lock'");
    }
    if (partition !== 'cells' && partition !== 'index') {
      throw new InvalidParameterError('partition', partition, "'cells' or 'index'");
    }
    checkIndex(options.index);
    if (pointsPerChunk !== undefined && (!Number.isInteger(pointsPerChunk) || pointsPerChunk < 1)) {
      throw new InvalidParameterError('pointsPerChunk', pointsPerChunk, 'an integer ≥ 1');
    }
    const {pool, release} = usePool(options);
    this.#options = options;
    this.#pool = pool;
    this.#release = release;
    this.#memory = new RunMemory(this.#pool, pointsPerChunk);
    this.#locks = union === 'lock' ? createLocks() : undefined;
  }

  run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    return this.#runs.add(() => this.#run(points, params, options), options.signal);
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#memory.destroy();
    this.#release();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  async #run(points: PointSet, params: DbscanParams, options: DbscanRunOptions): Promise<DbscanResult> {
    if (this.#isDestroyed) throw new DestroyedError(this.#options.name);
    const {signal} = options;
    const choice = checkRun(this.#options, points, params, options, true);
    const clock = new PhaseClock<DbscanPhase>();
    const progress = new RunProgress(pointCount(points), options.onProgress);
    const enter = (phase: DbscanPhase): void => {
      clock.enter(phase);
      progress.enter(phase);
    };
    enter('index');
    const cells = cellsFor(params, this.#options.cells);
    const indexing = {signal, cells, onProgress: options.onProgress && progress.reach};
    const prepared = await this.#memory.prepare(points, params, choice, indexing);
    enter('core');
    const local = await this.#computeLocally(prepared, params.minPts, progress, signal);
    clock.enter('clusters', local.uniteMs);
    progress.enter('clusters');
    const joined = await this.#join(prepared, local, progress, signal);
    clock.enter('borders', joined.labelMs);
    progress.enter('borders');
    progress.end();
    const counters = {
      threads: this.#pool.threads,
      ...local.pairs,
      localMs: local.wallMs,
      mergeMs: joined.mergeMs,
      ...ofThreads('local', local.threadMs),
      ...ofThreads('merge', joined.mergeThreadMs),
    };
    const {result} = prepared;
    return {...result, clusterCount: joined.clusterCount, stats: {...clock.stop(), counters}};
  }

  /** With one thread both partitions are one part. */
  get #isByIndex(): boolean {
    return this.#options.partition === 'index' && this.#pool.threads > 1;
  }

  /** The core test, and unions inside parts: one wave of two steps. */
  async #computeLocally(
    {space, firsts, pieces, result, ranges, cellBounds, positionBounds, indexBounds}: PreparedRun,
    minPts: number,
    progress: RunProgress,
    signal: AbortSignal | undefined,
  ): Promise<Local> {
    const isByCells = !this.#isByIndex;
    const bounds = isByCells ? cellBounds : indexBounds;
    // Labels are written last. Until then their memory holds the lists of pairs.
    const cross = createCrossPairs(isByCells ? positionBounds : indexBounds, result.labels);
    const isAlone = this.#pool.threads === 1;
    // A thread that died in an earlier run may have left a lock held.
    this.#locks?.fill(0);
    const {ended} = this.#pool.steps(tasks, {
      input: {space, minPts, firsts, cross, locks: this.#locks, pieces, isByCells, isAlone},
      steps: [
        {phase: 'core', name: 'markCore', bounds: ranges},
        {phase: 'clusters', name: isByCells ? 'uniteCells' : 'uniteIndices', bounds},
      ],
      signal,
      onProgress: progress.ofSteps([
        ['core', ranges.length - 1],
        ['clusters', bounds.length - 1],
      ]),
    });
    const {results, threadMs, wallMs} = await ended;
    const spilled = results[1].filter((list): list is SpilledPairs => list !== undefined);
    return {
      cross,
      spilled,
      pairs: countPairs(cross),
      uniteMs: wallMs[1],
      wallMs: wallMs[0] + wallMs[1],
      threadMs: threadMs[0].map((ms, k) => ms + threadMs[1][k]),
    };
  }

  /** Merging, if there are pairs, then numbers and labels: one wave. */
  async #join(
    {space, firsts, result, ranges, wideRanges, pointOrder}: PreparedRun,
    {cross, spilled, pairs}: Local,
    progress: RunProgress,
    signal: AbortSignal | undefined,
  ) {
    const hasPairs = pairs.crossPairs > 0;
    const merging = mergeBounds(cross, this.#options.pointsPerChunk ?? PAIRS_PER_CHUNK);
    const phase = 'clusters';
    const steps = [
      ...(hasPairs ? [{phase, name: 'mergePairs' as const, bounds: merging}] : []),
      {phase, name: 'findFirsts' as const, bounds: wideRanges},
      {phase, name: 'markFirsts' as const, bounds: wideRanges},
      {phase, name: 'rankFirsts' as const, bounds: [0, 1]},
      {phase: 'borders' as const, name: 'assignLabels' as const, bounds: ranges},
    ];
    const input = {space, cross, spilled, locks: this.#locks, pointOrder, firsts, result};
    const chunksOf = ({phase: of, bounds}: (typeof steps)[number]): [DbscanPhase | undefined, number] => [
      of === 'borders' ? of : undefined,
      bounds.length - 1,
    ];
    const {ended} = this.#pool.steps(tasks, {
      input,
      steps,
      signal,
      onProgress: progress.ofSteps(steps.map(chunksOf)),
    });
    const {results, threadMs, wallMs} = await ended;
    const last = steps.length - 1;
    return {
      clusterCount: Number(results[last - 1][0]),
      mergeMs: hasPairs ? wallMs[0] : 0,
      mergeThreadMs: hasPairs ? threadMs[0] : threadMs[0].map(() => 0),
      labelMs: wallMs[last],
    };
  }
}

function ofThreads(stage: 'local' | 'merge', threadMs: readonly number[]): Record<string, number> {
  return Object.fromEntries(threadMs.map((ms, k) => [`${stage}MsOfThread${k + 1}`, ms]));
}

interface Local {
  readonly cross: CrossPairs;
  readonly spilled: readonly SpilledPairs[];
  readonly pairs: {readonly crossPairs: number; readonly crossCellPairs: number};
  readonly uniteMs: number;
  readonly wallMs: number;
  readonly threadMs: readonly number[];
}
