import {
  checkKnownOptions,
  pointCount,
  reportParts,
  RunQueue,
  type PhaseClock,
  type PointSet,
} from '@epsball/clustering';
import {SharedGridBuilder, type SharedGridOptions} from '@epsball/spatial-grid/workers';
import {evenBounds, taskModule, usePool, type PoolOptions, type WorkerPool} from '@epsball/workers';
import type {MeanShiftAlgorithm, MeanShiftPhase, ShiftAlgorithm, ShiftOptions} from '../algorithm.ts';
import type {CheckedClimb} from '../checkRun.ts';
import {
  planCandidateIndex,
  searchRadius,
  wholeIndex,
  type CandidateIndex,
  type MakeCoords,
} from '../climb/candidates.ts';
import {HostMeanShift, type Climbers} from '../hostMeanShift.ts';
import type {Trajectories} from '../climb/climber.ts';
import type * as climbTasks from './climbTasks.ts';

const tasks = taskModule<typeof climbTasks>(import.meta.url, 'climbTasks');

/** Most trajectories in a chunk: a thread checks for more work and for an abort several times a second. */
const CHUNK_TRAJECTORIES = 32;

/** Approximate limit on pairs in a step of a chunk, if every point is a candidate. */
const CHUNK_PAIRS = 2 ** 14;

/** The same in all steps of a chunk, and of the chunks of a thread in a wave, if trajectories make all their steps. */
const WHOLE_CHUNK_PAIRS = 2 ** 22;
const WAVE_PAIRS = 2 ** 25;

/** Chunks for each thread in a wave: enough to balance the load. The run reports between waves. */
const CHUNKS_PER_THREAD = 64;

export type MeanShiftWorkersOptions = PoolOptions;

/**
 * Mean shift on worker threads, in float64: the threads build the grid and move the positions. The result is that of
 * `createMeanShiftSequential`, to the byte, with any number of threads. Threads start here and live until `destroy()`.
 * Runs of one algorithm move positions one after another. `shifted` lies on a `SharedArrayBuffer`, except at bandwidth
 * 0, which the calling thread computes.
 *
 * Additional counter: `threads`.
 *
 * @param options  threads
 * @returns        owned by the caller
 * @throws InvalidParameterError  if `threads` is out of range, or given together with a pool; if an option is unknown
 * @complexity as `createMeanShiftSequential`, divided by the threads; labels take one thread
 */
export function createMeanShiftWorkers(options: MeanShiftWorkersOptions = {}): MeanShiftAlgorithm {
  return new HostMeanShift(new WorkerThreads(options));
}

/**
 * The shift alone, the source's OpenMP version: as `createMeanShiftWorkers`, with the result of
 * `createShiftSequential`. Positions are divided into chunks beforehand, as in the source; threads claim them in turn.
 * Host bytes a point beyond input and result: 16, and the points if they are not on a `SharedArrayBuffer`.
 *
 * @complexity as `createShiftSequential`, divided by the threads
 * @source     Agnolucci 2020, Algorithms 3 and 4
 */
export function createShiftWorkers(options: MeanShiftWorkersOptions = {}): ShiftAlgorithm {
  return new HostMeanShift(new WorkerThreads(options));
}

class WorkerThreads implements Climbers {
  readonly counters: Readonly<Record<string, number>>;
  readonly #pool: WorkerPool;
  readonly #release: () => void;
  readonly #builder: SharedGridBuilder;
  /** All runs use the same memory. */
  readonly #queue = new RunQueue();

  constructor(options: MeanShiftWorkersOptions) {
    checkKnownOptions(options, ['threads', 'pool'], 'options', 'an object such as {threads: 4}');
    const {pool, release} = usePool(options);
    this.#pool = pool;
    this.#release = release;
    this.#builder = new SharedGridBuilder(pool);
    this.counters = {threads: pool.threads};
  }

  climb(
    points: PointSet,
    checked: CheckedClimb,
    options: ShiftOptions,
    clock: PhaseClock<MeanShiftPhase>,
  ): Promise<Trajectories> {
    return this.#queue.add(() => this.#climb(points, checked, options, clock), options.signal);
  }

  async #climb(
    points: PointSet,
    {rules, seeds}: CheckedClimb,
    {signal, onProgress}: ShiftOptions,
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
    const indexed = reportParts<MeanShiftPhase>('index', m, onProgress);
    const index = await this.#buildIndex(shared, searchRadius(rules, n), {signal, onProgress: indexed});
    clock.enter('shift');
    const starts = seeds === undefined ? shared : share(seeds);
    const input = {index, rules, starts, hasSeeds: seeds !== undefined, trajectories};
    const {threads} = this.#pool;
    const isWhole = rules.minStep === 0;
    const pairs = isWhole ? n * rules.maxSteps : n;
    const ofPairs = Math.ceil((isWhole ? WHOLE_CHUNK_PAIRS : CHUNK_PAIRS) / pairs);
    const perChunk = index.cells === undefined ? ofPairs : CHUNK_TRAJECTORIES;
    const most = isWhole ? Math.ceil(WAVE_PAIRS / pairs) * threads : Infinity;
    // Few trajectories are divided among the threads, too.
    const chunk = Math.max(1, Math.min(CHUNK_TRAJECTORIES, perChunk, Math.ceil(Math.min(m, most) / (4 * threads))));
    const perWave = Math.min(most, chunk * CHUNKS_PER_THREAD * threads);
    for (let first = 0; first < m; first += perWave) {
      const count = Math.min(perWave, m - first);
      const bounds = evenBounds(count, Math.ceil(count / chunk)).map((bound) => first + bound);
      await this.#pool.wave(tasks, 'climbChunk', {phase: 'shift', input, bounds, signal});
      onProgress?.({phase: 'shift', done: first + count, total: m});
    }
    return trajectories;
  }

  async #buildIndex(points: PointSet, radius: number, options: SharedGridOptions): Promise<CandidateIndex> {
    if (radius === Infinity) return wholeIndex(points);
    const {projected, side, indexOf} = planCandidateIndex(points, radius, sharedLike);
    const {grid} = await this.#builder.build(projected, side, options);
    return indexOf(grid);
  }

  destroy(): void {
    this.#builder.destroy();
    this.#release();
  }
}

/** The points in shared memory: in place if they are shared, else a copy. */
function share({coords, dim}: PointSet): PointSet {
  if (coords.buffer instanceof SharedArrayBuffer) return {coords, dim};
  const copy = sharedLike(coords, coords.length);
  copy.set(coords);
  return {coords: copy, dim};
}

const sharedLike: MakeCoords = (like, length) => {
  const memory = new SharedArrayBuffer(length * like.BYTES_PER_ELEMENT);
  return like instanceof Float32Array ? new Float32Array(memory) : new Float64Array(memory);
};
