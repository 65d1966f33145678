import {RunPacer, type PartListener, type PointSet, type ProgressListener, type RunOptions} from '@epsball/clustering';
import {buildKdTree, type KdTree} from '@epsball/kd-tree';
import type {RoundSteps} from '../tree/boruvka.ts';
import type {BoruvkaState} from '../tree/boruvkaState.ts';
import {stepsOnThread} from '../tree/stepsOnThread.ts';
import {coresChunk, sortChunk, treesChunk} from '../workers/validityTasks.ts';
import type {ClusterState} from './clusterState.ts';

/** The phases that `validity` reports. */
export type ValidityPhase = 'core' | 'tree' | 'separation';

export type ValidityRunOptions = RunOptions<ValidityPhase>;

type TaskName = 'sortChunk' | 'coresChunk' | 'treesChunk';

const TASKS: Readonly<Record<TaskName, (state: ClusterState, start: number, end: number) => void>> = {
  sortChunk,
  coresChunk,
  treesChunk,
};

/** Where the tasks of `validity` run. */
export interface ValidityEngine {
  readonly isShared: boolean;
  /** Pairs that one chunk looks at. */
  readonly pairs: number;
  readonly buffer: (bytes: number) => ArrayBufferLike;
  /**
   * Runs a task on all chunks.
   *
   * @param done  points that are done after a number of chunks, for progress
   */
  readonly run: (
    name: TaskName,
    phase: ValidityPhase,
    state: ClusterState,
    bounds: readonly number[],
    done: (chunks: number) => number,
  ) => Promise<void>;
  readonly buildTree: (points: PointSet, onProgress: PartListener) => Promise<KdTree>;
  readonly steps: (state: BoruvkaState, onProgress: ProgressListener) => RoundSteps;
  readonly release: () => void;
}

/** Half a millisecond or so. */
const PAIRS_PER_SLICE = 2 ** 16;

/** The calling thread, which stops between slices. */
export function onCallingThread(total: number, options: ValidityRunOptions): ValidityEngine {
  const pacer = new RunPacer<ValidityPhase>(total, options);
  return {
    isShared: false,
    pairs: PAIRS_PER_SLICE,
    buffer: (bytes) => new ArrayBuffer(bytes),
    run: async (name, phase, state, bounds, done) => {
      for (let k = 0; k + 1 < bounds.length; k++) {
        TASKS[name](state, bounds[k], bounds[k + 1]);
        await pacer.pause(phase, done(k + 1));
      }
    },
    buildTree: async (points, onProgress) => buildKdTree(points, {onProgress}),
    steps: (state, onProgress) => stepsOnThread(state, {signal: options.signal, onProgress}),
    release: () => undefined,
  };
}
