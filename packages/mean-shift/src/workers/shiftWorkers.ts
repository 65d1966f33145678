import {
  checkKnownOptions,
  DestroyedError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  RunQueue,
  type PointSet,
} from '@epsball/clustering';
import {evenBounds, taskModule, WorkerPool} from '@epsball/workers';
import type {MeanShiftPhase, ShiftAlgorithm, ShiftOptions, ShiftParams, ShiftResult} from '../algorithm.ts';
import {fillState, keepMoving, shiftRule, type ShiftRule, type ShiftState} from '../shift/shiftState.ts';
import {validateShift} from '../shift/validateShift.ts';
import type * as shiftTasks from './shiftTasks.ts';

const tasks = taskModule<typeof shiftTasks>(import.meta.url, 'shiftTasks');

/** Approximate limit on pairs in a chunk: some 50 ms, after which a thread checks whether the run is aborted. */
const CHUNK_PAIRS = 2 ** 22;

/** Most chunks for each thread in a wave: a second or two, after which the run reports. */
const CHUNKS_PER_THREAD = 32;

export interface ShiftWorkersOptions {
  /** Worker threads, integer ≥ 1. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Threads to use instead; borrowed. Not together with `threads`. */
  readonly pool?: WorkerPool | undefined;
}

/**
 * The shift on worker threads, in float64: the source's OpenMP version. Positions are divided into chunks of equal size
 * beforehand, as in the source, one for each thread, or several if one would take long; threads claim them in turn. The
 * result is that of `createShiftSequential`, to the byte, with any number of threads. Threads start here and live until
 * `destroy()`. Runs of one algorithm come one after another.
 *
 * Additional counters: `threads`, and for each thread `shiftMsOfThread1` upwards, 0 if it had no chunk.
 *
 * Host bytes a point beyond input and result: 8 · dim + 5; 5 if the points are float64 on a `SharedArrayBuffer`. The
 * result lies on a `SharedArrayBuffer`.
 *
 * @param options  threads
 * @returns        owned by the caller
 * @throws InvalidParameterError  if `threads` is out of range, or given together with a pool; if an option is unknown
 * @complexity as `createShiftSequential`, divided by the threads
 * @source     Agnolucci 2020, Algorithms 3 and 4
 */
export function createShiftWorkers(options: ShiftWorkersOptions = {}): ShiftAlgorithm {
  checkKnownOptions(options, ['threads', 'pool'], 'options', 'an object such as {threads: 4}');
  return new ShiftWorkers(options);
}

class ShiftWorkers implements ShiftAlgorithm {
  readonly #pool: WorkerPool;
  readonly #ownsPool: boolean;
  readonly #queue = new RunQueue();
  #isDestroyed = false;

  constructor({threads, pool}: ShiftWorkersOptions) {
    if (pool !== undefined && threads !== undefined) {
      throw new InvalidParameterError('threads', threads, 'no value with `pool`, which has threads of its own');
    }
    this.#ownsPool = pool === undefined;
    this.#pool = pool ?? new WorkerPool({threads});
  }

  shift(points: PointSet, params: ShiftParams, options: ShiftOptions = {}): Promise<ShiftResult> {
    return this.#queue.add(() => this.#shift(points, params, options));
  }

  destroy(): void {
    this.#isDestroyed = true;
    if (this.#ownsPool) this.#pool.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  async #shift(points: PointSet, params: ShiftParams, options: ShiftOptions): Promise<ShiftResult> {
    if (this.#isDestroyed) {
      throw new DestroyedError('mean-shift');
    }
    const checked = validateShift(points, params, options, {name: 'mean-shift', maxDim: Infinity});
    const rule = shiftRule(checked);
    const clock = new PhaseClock<MeanShiftPhase>();
    clock.enter('shift');
    const starts = options.seeds ?? points;
    const m = pointCount(starts);
    const state = shareState(points, starts);
    const threadMs = Array.from({length: this.#pool.threads}, () => 0);
    // Without points seeds do not move.
    let moving = points.coords.length === 0 ? 0 : m;
    let iterations = 0;
    let shifts = 0;
    let arrived = 0;
    for (; iterations < checked.maxIterations && moving > 0; iterations++) {
      const done = m * iterations + m - moving;
      const report = (slots: number): void =>
        options.onProgress?.({phase: 'shift', done: done + slots, total: m * checked.maxIterations});
      await this.#shiftOnce({state, rule, moving, threadMs, signal: options.signal, report});
      shifts += moving;
      const kept = keepMoving(state, moving);
      arrived += moving - kept;
      moving = kept;
    }
    const ofThreads = Object.fromEntries(threadMs.map((ms, k) => [`shiftMsOfThread${k + 1}`, ms]));
    const counters = {arrived, shifts, threads: this.#pool.threads, ...ofThreads};
    return {shifted: state.positions, iterations, stats: {...clock.stop(), counters}};
  }

  /** One iteration, as one wave, or as several if one would take long without progress. */
  async #shiftOnce({state, rule, moving, threadMs, signal, report}: Iteration): Promise<void> {
    const {threads} = this.#pool;
    const slotsPerChunk = Math.max(1, Math.floor((CHUNK_PAIRS * state.dim) / Math.max(1, state.coords.length)));
    const slotsPerWave = Math.max(slotsPerChunk * CHUNKS_PER_THREAD * threads, threads);
    for (let first = 0; first < moving; first += slotsPerWave) {
      const slots = Math.min(slotsPerWave, moving - first);
      const chunksPerThread = Math.ceil(slots / (slotsPerChunk * threads));
      const bounds = evenBounds(slots, chunksPerThread * threads).map((bound) => first + bound);
      const wave = {phase: 'shift', input: {state, rule}, bounds, signal};
      const outcome = await this.#pool.wave(tasks, 'shiftChunk', wave);
      outcome.threadMs.forEach((ms, k) => (threadMs[k] += ms));
      report(first + slots);
    }
  }
}

interface Iteration {
  readonly state: ShiftState;
  readonly rule: ShiftRule;
  /** Slots in use. */
  readonly moving: number;
  /** Milliseconds by thread, added to. */
  readonly threadMs: number[];
  readonly signal: AbortSignal | undefined;
  /** Called with the number of slots done. */
  readonly report: (slots: number) => void;
}

/** The state in shared memory. Points that are float64 there already are used in place. */
function shareState(points: PointSet, starts: PointSet): ShiftState {
  const {coords, dim} = points;
  const m = pointCount(starts);
  const isShared = coords instanceof Float64Array && coords.buffer instanceof SharedArrayBuffer;
  const state: ShiftState = {
    dim,
    coords: isShared ? coords : new Float64Array(new SharedArrayBuffer(8 * coords.length)),
    positions: new Float64Array(new SharedArrayBuffer(8 * starts.coords.length)),
    moving: new Int32Array(new SharedArrayBuffer(4 * m)),
    hasMoved: new Uint8Array(new SharedArrayBuffer(m)),
  };
  if (!isShared) state.coords.set(coords);
  fillState(state, starts);
  return state;
}
