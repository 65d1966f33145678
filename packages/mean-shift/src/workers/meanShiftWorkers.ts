import {
  checkKnownOptions,
  DestroyedError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  RunQueue,
  type PointSet,
} from '@epsball/clustering';
import {SharedGridBuilder} from '@epsball/spatial-grid/workers';
import {evenBounds, taskModule, WorkerPool} from '@epsball/workers';
import {
  buildCandidateIndex,
  cellsPerRadius,
  gatherCoords,
  gridAxes,
  projectPoints,
  searchRadius,
  type CandidateIndex,
} from '../climb/candidates.ts';
import {checkRun, type CheckedRun} from '../checkRun.ts';
import {runOnDuplicates} from '../modes/duplicates.ts';
import {describeTrajectories, labelTrajectories, type Trajectories} from '../modes/labelTrajectories.ts';
import type {MeanShiftAlgorithm, MeanShiftParams, MeanShiftPhase, MeanShiftResult, ShiftOptions} from '../algorithm.ts';
import type * as climbTasks from './climbTasks.ts';

const tasks = taskModule<typeof climbTasks>(import.meta.url, 'climbTasks');

/** Most trajectories in a chunk: a thread checks for more work and for an abort several times a second. */
const CHUNK_TRAJECTORIES = 32;

/** Approximate limit on pairs in a step of a chunk, if every point is a candidate. */
const CHUNK_PAIRS = 2 ** 14;

/** Chunks for each thread in a wave: enough to balance the load. The run reports between waves. */
const CHUNKS_PER_THREAD = 64;

export interface MeanShiftWorkersOptions {
  /** Worker threads, integer ≥ 1. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Threads to use instead; borrowed. Not together with `threads`. */
  readonly pool?: WorkerPool | undefined;
}

/**
 * Mean shift on worker threads, in float64: the threads build the grid and move the positions. The result is that of
 * `createMeanShiftSequential`, to the byte, with any number of threads. Threads start here and live until `destroy()`.
 * Runs of one algorithm come one after another. `shifted` lies on a `SharedArrayBuffer`, except at bandwidth 0, which
 * the calling thread computes.
 *
 * Additional counter: `threads`.
 *
 * @param options  threads
 * @returns        owned by the caller
 * @throws InvalidParameterError  if `threads` is out of range, or given together with a pool; if an option is unknown
 * @complexity as `createMeanShiftSequential`, divided by the threads; labels take one thread
 */
export function createMeanShiftWorkers(options: MeanShiftWorkersOptions = {}): MeanShiftAlgorithm {
  checkKnownOptions(options, ['threads', 'pool'], 'options', 'an object such as {threads: 4}');
  return new MeanShiftWorkers(options);
}

class MeanShiftWorkers implements MeanShiftAlgorithm {
  readonly #pool: WorkerPool;
  readonly #ownsPool: boolean;
  readonly #builder: SharedGridBuilder;
  /** All runs use the same memory. */
  readonly #queue = new RunQueue();
  #isDestroyed = false;

  constructor({threads, pool}: MeanShiftWorkersOptions) {
    if (pool !== undefined && threads !== undefined) {
      throw new InvalidParameterError('threads', threads, 'no value with `pool`, which has threads of its own');
    }
    this.#ownsPool = pool === undefined;
    this.#pool = pool ?? new WorkerPool({threads});
    this.#builder = new SharedGridBuilder(this.#pool);
  }

  run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    return this.#queue.add(() => this.#run(points, params, options));
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#builder.destroy();
    if (this.#ownsPool) this.#pool.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  async #run(points: PointSet, params: MeanShiftParams, options: ShiftOptions): Promise<MeanShiftResult> {
    if (this.#isDestroyed) {
      throw new DestroyedError('mean-shift');
    }
    const run = checkRun(points, params, options, {name: 'mean-shift', maxDim: Infinity});
    if (run.rules.bandwidth === 0) return this.#withThreads(await runOnDuplicates(points, run, options));
    const clock = new PhaseClock<MeanShiftPhase>();
    const trajectories = await this.#climbAll(points, run, options, clock);
    clock.enter('labels');
    const labelled = await labelTrajectories(points, trajectories, run, options.signal);
    const {iterations, counters} = describeTrajectories(points, trajectories, run);
    return this.#withThreads({shifted: trajectories.ends, iterations, ...labelled, stats: {...clock.stop(), counters}});
  }

  #withThreads({stats, ...result}: MeanShiftResult): MeanShiftResult {
    return {...result, stats: {...stats, counters: {...stats.counters, threads: this.#pool.threads}}};
  }

  async #climbAll(
    points: PointSet,
    {rules, seeds}: CheckedRun,
    options: ShiftOptions,
    clock: PhaseClock<MeanShiftPhase>,
  ): Promise<Trajectories> {
    const {dim} = points;
    const n = pointCount(points);
    const m = pointCount(seeds ?? points);
    const trajectories = {
      ends: new Float64Array(new SharedArrayBuffer(8 * m * dim)),
      weights: new Float64Array(new SharedArrayBuffer(8 * m)),
      steps: new Uint32Array(new SharedArrayBuffer(4 * m)),
    };
    if (n === 0) {
      trajectories.ends.set(seeds?.coords ?? []);
      return trajectories;
    }
    clock.enter('index');
    const shared = share(points);
    const index = await this.#buildIndex(shared, searchRadius(rules, n), options.signal);
    clock.enter('shift');
    const starts = seeds === undefined ? shared : share(seeds);
    const input = {index, rules, starts, hasSeeds: seeds !== undefined, trajectories};
    const perChunk = index.cells === undefined ? Math.ceil(CHUNK_PAIRS / n) : CHUNK_TRAJECTORIES;
    // Few trajectories are divided among the threads, too.
    const chunk = Math.max(1, Math.min(CHUNK_TRAJECTORIES, perChunk, Math.ceil(m / (4 * this.#pool.threads))));
    const perWave = chunk * CHUNKS_PER_THREAD * this.#pool.threads;
    for (let first = 0; first < m; first += perWave) {
      const count = Math.min(perWave, m - first);
      const bounds = evenBounds(count, Math.ceil(count / chunk)).map((bound) => first + bound);
      await this.#pool.wave(tasks, 'climbChunk', {phase: 'shift', input, bounds, signal: options.signal});
      options.onProgress?.({phase: 'shift', done: first + count, total: m});
    }
    return trajectories;
  }

  async #buildIndex(points: PointSet, radius: number, signal: AbortSignal | undefined): Promise<CandidateIndex> {
    const {coords, dim} = points;
    const n = pointCount(points);
    if (radius === Infinity) {
      const index = buildCandidateIndex(points, radius);
      return {...index, pointOrder: shareWords(index.pointOrder)};
    }
    const axes = gridAxes(dim);
    const projected = axes === dim ? points : projectPoints(points, axes, sharedLike(coords, n * axes));
    const reach = cellsPerRadius(projected, radius);
    const {grid} = await this.#builder.build(projected, radius / reach, {signal});
    const {geometry, layout, cellStart, cellCoords, pointOrder} = grid;
    const cells = {radius, reach, geometry, layout, cellStart, cellCoords};
    if (axes === dim) return {dim, n, sortedCoords: grid.sortedCoords, pointOrder, cells};
    return {dim, n, sortedCoords: gatherCoords(points, pointOrder, sharedLike(coords, n * dim)), pointOrder, cells};
  }
}

/** The points in shared memory: in place if they are shared, else a copy. */
function share({coords, dim}: PointSet): PointSet {
  if (coords.buffer instanceof SharedArrayBuffer) return {coords, dim};
  const copy = sharedLike(coords, coords.length);
  copy.set(coords);
  return {coords: copy, dim};
}

function sharedLike(coords: Float32Array | Float64Array, length: number): Float32Array | Float64Array {
  return coords instanceof Float32Array
    ? new Float32Array(new SharedArrayBuffer(4 * length))
    : new Float64Array(new SharedArrayBuffer(8 * length));
}

function shareWords(words: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(4 * words.length));
  copy.set(words);
  return copy;
}
