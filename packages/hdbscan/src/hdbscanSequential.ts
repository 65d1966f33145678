import type {HdbscanAlgorithm} from './algorithm.ts';
import {HdbscanOnHost} from './onHost.ts';
import {stepsOnThread} from './tree/stepsOnThread.ts';

/**
 * HDBSCAN* on the calling thread, in float64, 1 to 1536 dimensions: a k-d tree, core distances by it, Borůvka's
 * algorithm over its leaves.
 *
 * Host bytes a point beyond input and result: 16 · dim + 80.
 *
 * @returns     owned by the caller
 * @complexity  O(n · log² n) for few dimensions and clustered points; O(n² · dim · log n) at worst
 */
export function createHdbscanSequential(): HdbscanAlgorithm {
  return new HdbscanOnHost({
    counters: {},
    destroy: () => {},
    stepsOf: stepsOnThread,
  });
}
