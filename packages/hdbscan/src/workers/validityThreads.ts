import {ProgressMeter} from '@epsball/clustering';
import {checkSendable, taskModule, usePool, type PoolOptions} from '@epsball/workers';
import type {ValidityEngine, ValidityPhase, ValidityRunOptions} from '../validity/engine.ts';
import {buildTree, stepsOnThreads} from './hdbscanWorkers.ts';
import type * as validityTasks from './validityTasks.ts';

const tasks = taskModule<typeof validityTasks>(import.meta.url, 'validityTasks');

/** A tenth of a second or so, after which a thread checks for an abort. */
const PAIRS_PER_CHUNK = 2 ** 24;

/** @throws InvalidParameterError  if `threads` is out of range or beside a pool */
export function validityThreads(threads: PoolOptions, total: number, options: ValidityRunOptions): ValidityEngine {
  const {pool, release} = usePool(threads);
  const {signal} = options;
  const meter = new ProgressMeter<ValidityPhase>(total, options.onProgress);
  return {
    isShared: true,
    pairs: PAIRS_PER_CHUNK,
    buffer: (bytes) => {
      checkSendable(bytes);
      return new SharedArrayBuffer(bytes);
    },
    run: async (name, phase, state, bounds, done) => {
      const onProgress = (chunks: number): void => meter.report(phase, done(chunks));
      await pool.wave(tasks, name, {phase, input: state, bounds, signal, onProgress});
      onProgress(bounds.length - 1);
    },
    buildTree: (points, onProgress) => buildTree(pool, points, {signal, onProgress}),
    steps: (state, onProgress) => stepsOnThreads(pool, state, {signal, onProgress}),
    release,
  };
}
