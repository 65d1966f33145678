import {
  InvalidParameterError,
  PhaseClock,
  pointCount,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {createLocks} from '@epsball/union-find';
import {numberClusters} from '@epsball/union-find/workers';
import {taskModule, WorkerPool} from '@epsball/workers';
import {checkIndex, type IndexChoice} from '../indexChoice.ts';
import type * as pdsTasks from './pdsTasks.ts';
import type {LocalPart, PartPairs} from './pdsTasks.ts';
import {RunMemory, type PreparedRun} from './runMemory.ts';

const tasks = taskModule<typeof pdsTasks>(import.meta.url, 'pdsTasks');

export interface PdsWorkersOptions {
  /** Worker threads, integer ≥ 1. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Threads to use instead; borrowed. Not together with `threads`. */
  readonly pool?: WorkerPool | undefined;
  /** How pairs of two threads are united: by compare-and-swap, or by the document's UNIONUSINGLOCK. */
  readonly union?: 'lock-free' | 'lock' | undefined;
  /**
   * What a thread owns: runs of neighbouring cells, so that few pairs are between threads; or a range of original indices, as in
   * the document.
   */
  readonly partition?: 'cells' | 'index' | undefined;
  /** As for `createPdsSequential`. */
  readonly index?: IndexChoice | undefined;
  /** What a thread takes at a time has no fewer points, integer ≥ 1. Default: as many as are worth handing out, some 2000. */
  readonly pointsPerChunk?: number | undefined;
}

/**
 * PDSDBSCAN-S on worker threads: index, core points, local unions, merging and labels are waves over all of them. Threads start
 * here and live until `destroy()`. Runs of one algorithm come one after another. Points on a `SharedArrayBuffer` are used where they are, others are copied there first.
 * Labels and core mask lie on a `SharedArrayBuffer`.
 *
 * Counters: `threads`, `crossPairs` (pairs between parts), `localMs` and `mergeMs` (wall), and of each thread
 * of the pool `localMsOfThread1` and `mergeMsOfThread1` upwards: one numbering, 0 where a thread had no part.
 *
 * Host bytes a point beyond input and result, 2-D float32: index and forest 24, cells at most 16, core flags and marks 1.25, and 8 where
 * the points are copied. All are kept for the next run.
 *
 * @param options  threads, and how they share the work
 * @returns        owned by the caller
 * @throws InvalidParameterError  if an option is out of range
 * @complexity as `createPdsSequential`, divided by the threads
 * @source     Patwary et al. 2012, Algorithm 3
 */
export function createPdsWorkers(options: PdsWorkersOptions = {}): DbscanAlgorithm {
  return new PdsWorkers(options);
}

class PdsWorkers implements DbscanAlgorithm {
  readonly #options: PdsWorkersOptions;
  readonly #pool: WorkerPool;
  readonly #memory: RunMemory;
  readonly #locks: Int32Array | undefined;
  /** Settles when the last run that was asked for has ended. */
  #lastRun: Promise<unknown> = Promise.resolve();
  #isDestroyed = false;

  constructor(options: PdsWorkersOptions) {
    const {union = 'lock-free', partition = 'cells', pool, threads, pointsPerChunk} = options;
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
    if (pool !== undefined && threads !== undefined) {
      throw new InvalidParameterError('threads', threads, 'none beside `pool`, which has its own');
    }
    this.#options = options;
    this.#pool = pool ?? new WorkerPool({threads});
    this.#memory = new RunMemory(this.#pool, pointsPerChunk);
    this.#locks = union === 'lock' ? createLocks() : undefined;
  }

  run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    // One after another, failed ones too: all use the same memory.
    const start = (): Promise<DbscanResult> => this.#run(points, params, options);
    const run = this.#lastRun.then(start, start);
    this.#lastRun = run;
    return run;
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#memory.destroy();
    if (this.#options.pool === undefined) this.#pool.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  async #run(points: PointSet, params: DbscanParams, options: DbscanRunOptions): Promise<DbscanResult> {
    if (this.#isDestroyed) throw new InvalidParameterError('pds', 'destroyed', 'an algorithm that is not destroyed');
    const {signal} = options;
    const {index = 'auto'} = this.#options;
    const hasGrid = index !== 'none' && points.dim <= MAX_GRID_DIM;
    const maxDim = index === 'grid' ? MAX_GRID_DIM : Infinity;
    // With a grid the threads look for coordinates that are not finite while they find the box.
    const checked = hasGrid && hasWholePoints(points) ? {...points, coords: points.coords.subarray(0, 0)} : points;
    validateRun(checked, params, {variant: `pds with index ${index}`, maxDim, signal});
    const clock = new PhaseClock<DbscanPhase>();
    const enter = (phase: DbscanPhase, done = 0): void => {
      clock.enter(phase);
      options.onProgress?.({phase, done, total: pointCount(points)});
    };
    enter('index');
    const prepared = await this.#memory.prepare(points, params.eps, hasGrid, signal);
    const {space, firsts, result, cellBounds, positionBounds} = prepared;
    enter('core');
    const core = {phase: 'core', bounds: cellBounds, signal};
    await this.#pool.wave(tasks, 'markCore', {...core, input: {space, minPts: params.minPts, firsts}});
    enter('clusters');
    const counters = await this.#uniteAll(prepared, signal);
    const numbering = {phase: 'clusters', bounds: positionBounds, signal};
    const {forest} = space;
    const {pointOrder} = prepared;
    const clusterCount = await numberClusters(this.#pool, {...numbering, input: {forest, firsts, pointOrder}});
    enter('borders');
    const borders = {phase: 'borders', bounds: cellBounds, signal};
    await this.#pool.wave(tasks, 'assignLabels', {...borders, input: {space, firsts, result}});
    return {...result, clusterCount, stats: {...clock.stop(), counters}};
  }

  /** Local computation, then merging; returns what the document reports of them. */
  async #uniteAll(prepared: PreparedRun, signal: AbortSignal | undefined): Promise<Record<string, number>> {
    const {space, cellBounds, positionBounds, indexBounds, result} = prepared;
    const isAlone = this.#pool.threads === 1;
    // With one thread both partitions are the same: one part.
    const byIndex = this.#options.partition === 'index' && !isAlone;
    // Labels and core mask are written last; until then their memory serves the unions.
    const input = {space, pairWords: result.labels, whole: result.coreMask, isAlone};
    const startedAt = performance.now();
    const local = await this.#pool.wave(tasks, byIndex ? 'uniteIndices' : 'uniteCells', {
      phase: 'clusters',
      bounds: byIndex ? indexBounds : cellBounds,
      input,
      signal,
    });
    const localMs = performance.now() - startedAt;
    const crossPairs = local.results.reduce((sum, {points, cells}) => sum + (points.length + cells.length) / 2, 0);
    const start = byIndex ? indexBounds : positionBounds;
    const merge =
      crossPairs === 0
        ? {ms: 0, threadMs: local.threadMs.map(() => 0)}
        : await this.#merge(input, local.results, start, signal);
    return {
      threads: this.#pool.threads,
      crossPairs,
      localMs,
      mergeMs: merge.ms,
      ...byThread('localMs', local.threadMs),
      ...byThread('mergeMs', merge.threadMs),
    };
  }

  async #merge(
    input: LocalPart,
    parts: readonly PartPairs[],
    start: readonly number[],
    signal: AbortSignal | undefined,
  ): Promise<Merge> {
    const startedAt = performance.now();
    const {threadMs} = await this.#pool.wave(tasks, 'mergePairs', {
      phase: 'clusters',
      bounds: Array.from({length: parts.length + 1}, (_, k) => k),
      input: {...input, start, parts, locks: this.#locks},
      signal,
    });
    return {ms: performance.now() - startedAt, threadMs};
  }
}

/** How long merging took. */
interface Merge {
  readonly ms: number;
  readonly threadMs: readonly number[];
}

/** Whether only the values of the coordinates are left to check. */
function hasWholePoints({coords, dim}: PointSet): boolean {
  const isArray = coords instanceof Float32Array || coords instanceof Float64Array;
  return isArray && Number.isInteger(dim) && dim >= 1 && coords.length % dim === 0 && coords.length / dim <= 0x7fffffff;
}

/** Milliseconds of each thread, by its number in the pool, from 1. */
function byThread(name: string, threadMs: readonly number[]): Record<string, number> {
  return Object.fromEntries(threadMs.map((ms, k) => [`${name}OfThread${k + 1}`, ms]));
}
