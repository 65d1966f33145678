import {RunPacer} from '@epsball/clustering';
import type {HdbscanPhase, HdbscanRunOptions} from '../algorithm.ts';
import type {RangeSteps} from '../hierarchy/condenseGrown.ts';
import {sortEdges} from '../hierarchy/sortEdges.ts';
import type {TreeEdges} from '../hierarchy/treeEdges.ts';
import {chooseEdges, uniteRange, type RoundSteps} from './boruvka.ts';
import {layLeafComponents, layNodeComponents, type BoruvkaState} from './boruvkaState.ts';
import {findCores, searchInside, searchLeaves} from './leafSearch.ts';

/** Leaves between two checks of the clock. */
const LEAVES_PER_PAUSE = 64;
/** Core distances of a higher rank take longer, and get as many leaves fewer. */
const RANK_OF_PAUSE = 64;

/** The steps of a run. */
export interface RunSteps extends RoundSteps {
  /** Writes the squared core distances of a rank. */
  cores(rank: number): Promise<void>;
  /** The edges of the state as `sortEdges` returns them. Ends the use of the state. */
  sort(): Promise<TreeEdges>;
  /** Those of a selection. Absent: one thread is faster without them. */
  readonly ranges?: RangeSteps | undefined;
}

/** The steps on the calling thread, which stops between slices of leaves. */
export function stepsOnThread(state: BoruvkaState, options: HdbscanRunOptions): RunSteps {
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
    buffer: (bytes) => new ArrayBuffer(bytes),
    search: async (round, [before, after]) => {
      layLeafComponents(round, 0, leaves.length);
      layNodeComponents(round);
      const done = Math.floor(before * tree.n);
      await inSlices('tree', LEAVES_PER_PAUSE, (from, to) => {
        searchInside(round, from, to);
        return done;
      });
      await inSlices('tree', LEAVES_PER_PAUSE, (from, to) => {
        searchLeaves(round, from, to);
        return done + Math.floor((after - before) * tree.end[leaves[to - 1]]);
      });
      chooseEdges(round, 0, leaves.length);
    },
    unite: async () => [uniteRange(state, 0, tree.n)],
    sort: async () => sortEdges(state.edges, state.sortMemory),
  };
}
