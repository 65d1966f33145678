import {checkKnownOptions} from '@epsball/clustering';
import {evenBounds, taskModule, usePool, type PoolOptions, type Wave} from '@epsball/workers';
import type {HdbscanAlgorithm, HdbscanPhase} from '../algorithm.ts';
import {createOnHost} from '../onHost.ts';
import type * as boruvkaTasks from './boruvkaTasks.ts';

const tasks = taskModule<typeof boruvkaTasks>(import.meta.url, 'boruvkaTasks');

/** Leaves in a chunk: a millisecond or so, after which a thread checks for an abort. */
const LEAVES_PER_CHUNK = 128;

export type HdbscanWorkersOptions = PoolOptions;

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
  const {pool, release} = usePool(options);
  return createOnHost({
    isShared: true,
    counters: {threads: pool.threads},
    destroy: release,
    stepsOf: (state, {signal, onProgress}) => {
      const {n} = state.tree;
      const bounds = evenBounds(state.leaves.length, Math.ceil(state.leaves.length / LEAVES_PER_CHUNK));
      const over = <Input>(phase: HdbscanPhase, input: Input): Wave<Input> => ({phase, input, bounds, signal});
      const search = async (name: 'insideChunk' | 'searchChunk', best: Float64Array): Promise<void> => {
        await pool.wave(tasks, name, over('tree', {state, best: best.length === n ? inSharedMemory(best) : best}));
      };
      return {
        cores: async (rank) => {
          const onChunks = (chunks: number): void =>
            onProgress?.({phase: 'core', done: Math.round((chunks / (bounds.length - 1)) * n), total: n});
          await pool.wave(tasks, 'coresChunk', {...over('core', {state, rank}), onProgress: onChunks});
        },
        inside: (best) => search('insideChunk', best),
        search: (best, done) => {
          onProgress?.({phase: 'tree', done, total: n});
          return search('searchChunk', best);
        },
      };
    },
  });
}

/** Weights of the first round: a copy for each thread would take 8 bytes a point and thread. */
function inSharedMemory(best: Float64Array): Float64Array {
  const shared = new Float64Array(new SharedArrayBuffer(best.byteLength));
  shared.set(best);
  return shared;
}
