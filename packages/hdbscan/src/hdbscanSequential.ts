import {RunPacer} from '@epsball/clustering';
import type {HdbscanAlgorithm, HdbscanPhase} from './algorithm.ts';
import {createOnHost} from './onHost.ts';
import {findCores, searchInside, searchLeaves} from './tree/leafSearch.ts';

/** Leaves between two checks of the clock. */
const LEAVES_PER_PAUSE = 64;
/** Core distances of a higher rank take longer, and get as many leaves fewer. */
const RANK_OF_PAUSE = 64;

/**
 * HDBSCAN* on the calling thread, in float64, 1 to 64 dimensions: a k-d tree, core distances by it, Borůvka's algorithm
 * over its leaves.
 *
 * Host bytes a point beyond input and result: 16 · dim + 80.
 *
 * @returns     owned by the caller
 * @complexity  O(n · log² n) for few dimensions and clustered points
 */
export function createHdbscanSequential(): HdbscanAlgorithm {
  return createOnHost({
    counters: {},
    destroy: () => {},
    stepsOf: (state, options) => {
      const {tree, leaves} = state;
      const pacer = new RunPacer<HdbscanPhase>(tree.n, options);
      /** Runs a step on all leaves, slice by slice. */
      const inSlices = async (
        phase: HdbscanPhase,
        slice: number,
        step: (from: number, to: number) => number,
      ): Promise<void> => {
        for (let from = 0; from < leaves.length; from += slice) {
          await pacer.pause(phase, step(from, Math.min(leaves.length, from + slice)));
        }
      };
      return {
        cores: (rank) =>
          inSlices('core', Math.ceil(LEAVES_PER_PAUSE * Math.min(1, RANK_OF_PAUSE / rank)), (from, to) => {
            findCores(state, rank, from, to);
            return tree.end[leaves[to - 1]];
          }),
        inside: (best) =>
          inSlices('tree', LEAVES_PER_PAUSE, (from, to) => {
            searchInside(state, best, from, to);
            return 0;
          }),
        search: (best, done) =>
          inSlices('tree', LEAVES_PER_PAUSE, (from, to) => {
            searchLeaves(state, best, from, to);
            return done;
          }),
      };
    },
  });
}
