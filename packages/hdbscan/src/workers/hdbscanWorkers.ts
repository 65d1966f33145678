import {
  checkKnownOptions,
  DestroyedError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  RunQueue,
  type PointSet,
} from '@epsball/clustering';
import {buildKdTree, KD_DIM_MAX} from '@epsball/kd-tree';
import {evenBounds, taskModule, WorkerPool} from '@epsball/workers';
import type {HdbscanAlgorithm, HdbscanParams, HdbscanPhase, HdbscanResult, HdbscanRunOptions} from '../algorithm.ts';
import {describeTree} from '../hierarchy/describeTree.ts';
import {withoutCores} from '../hierarchy/withoutCores.ts';
import {placesOf} from '../places.ts';
import {spanningTree, type RoundSteps} from '../tree/boruvka.ts';
import {createState, layCores, type BoruvkaState} from '../tree/boruvkaState.ts';
import {checkRun} from '../validate.ts';
import type * as boruvkaTasks from './boruvkaTasks.ts';

const tasks = taskModule<typeof boruvkaTasks>(import.meta.url, 'boruvkaTasks');

/** Leaves in a chunk: a millisecond or so, after which a thread checks for an abort. */
const LEAVES_PER_CHUNK = 128;

export interface HdbscanWorkersOptions {
  /** Worker threads, integer ≥ 1. Default: one per processor. */
  readonly threads?: number | undefined;
  /** Threads to use instead; borrowed. Not together with `threads`. */
  readonly pool?: WorkerPool | undefined;
}

/**
 * HDBSCAN* on worker threads: core distances and the search of each round are waves over the leaves of a k-d tree in
 * shared memory. The calling thread builds the tree, joins components and condenses the hierarchy. The result is that
 * of `createHdbscanSequential`, to the byte, with any number of threads. Threads start here and live until `destroy()`.
 * Runs of one algorithm come one after another.
 *
 * Additional counter: `threads`.
 *
 * @param options  threads
 * @returns        owned by the caller
 * @throws InvalidParameterError  if an option is unknown, or `threads` is out of range or beside a pool
 */
export function createHdbscanWorkers(options: HdbscanWorkersOptions = {}): HdbscanAlgorithm {
  checkKnownOptions(options, ['threads', 'pool'], 'options', 'an object such as {threads: 4}');
  return new HdbscanWorkers(options);
}

class HdbscanWorkers implements HdbscanAlgorithm {
  readonly #pool: WorkerPool;
  readonly #ownsPool: boolean;
  readonly #queue = new RunQueue();
  #isDestroyed = false;

  constructor({threads, pool}: HdbscanWorkersOptions) {
    if (pool !== undefined && threads !== undefined) {
      throw new InvalidParameterError('threads', threads, 'no value with `pool`, which has threads of its own');
    }
    this.#ownsPool = pool === undefined;
    this.#pool = pool ?? new WorkerPool({threads});
  }

  run(points: PointSet, params?: HdbscanParams, options: HdbscanRunOptions = {}): Promise<HdbscanResult> {
    return this.#queue.add(() => this.#run(points, params, options));
  }

  destroy(): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    if (this.#ownsPool) this.#pool.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  async #run(points: PointSet, params: HdbscanParams | undefined, options: HdbscanRunOptions): Promise<HdbscanResult> {
    if (this.#isDestroyed) throw new DestroyedError('hdbscan');
    const checked = checkRun(points, params, options, KD_DIM_MAX);
    const clock = new PhaseClock<HdbscanPhase>();
    clock.enter('index');
    const places = placesOf(points, checked);
    const n = pointCount(places.points);
    if (checked.rank > n) return withoutCores(places, checked, clock);
    const {signal, onProgress} = options;
    const tree = buildKdTree(places.points, {isShared: true});
    const state = createState(tree, true);
    const bounds = evenBounds(state.leaves.length, Math.ceil(state.leaves.length / LEAVES_PER_CHUNK));
    clock.enter('core');
    await this.#pool.wave(tasks, 'coresChunk', {
      phase: 'core',
      input: {state, rank: checked.rank},
      bounds,
      signal,
      onProgress: (chunks) => onProgress?.({phase: 'core', done: Math.round((chunks / bounds.length) * n), total: n}),
    });
    layCores(state);
    clock.enter('tree');
    const edges = await spanningTree(state, this.#steps(bounds, options, n));
    clock.enter('hierarchy');
    const {pointOrder} = tree;
    const result = describeTree({core: state.core, edges, isSorted: false, pointOrder}, places, checked);
    const counters = {
      rounds: edges.rounds,
      clusters: result.condensedTree.size.length,
      threads: this.#pool.threads,
    };
    return {...result, stats: {...clock.stop(), counters}};
  }

  #steps(bounds: readonly number[], {signal, onProgress}: HdbscanRunOptions, n: number): RoundSteps {
    const wave = async (
      name: 'insideChunk' | 'searchChunk',
      state: BoruvkaState,
      best: Float64Array,
    ): Promise<void> => {
      const input = {state, best: best.length === n ? inSharedMemory(best) : best};
      await this.#pool.wave(tasks, name, {phase: 'tree', input, bounds, signal});
    };
    return {
      inside: (state, best) => wave('insideChunk', state, best),
      search: (state, best, done) => {
        onProgress?.({phase: 'tree', done, total: n});
        return wave('searchChunk', state, best);
      },
    };
  }
}

/** Weights of the first round: a copy for each thread would take 8 bytes a point and thread. */
function inSharedMemory(best: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(best.byteLength));
  shared.set(best);
  return shared;
}
