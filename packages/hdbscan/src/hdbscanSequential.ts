import {DestroyedError, PhaseClock, pointCount, RunPacer, type PointSet} from '@epsball/clustering';
import {buildKdTree, KD_DIM_MAX} from '@epsball/kd-tree';
import type {HdbscanAlgorithm, HdbscanParams, HdbscanPhase, HdbscanResult, HdbscanRunOptions} from './algorithm.ts';
import {describeTree} from './hierarchy/describeTree.ts';
import {withoutCores} from './hierarchy/withoutCores.ts';
import {placesOf} from './places.ts';
import {spanningTree, type RoundSteps} from './tree/boruvka.ts';
import {createState, layCores} from './tree/boruvkaState.ts';
import {findCores} from './tree/coreDistances.ts';
import {searchInside, searchLeaves} from './tree/leafSearch.ts';
import {checkRun} from './validate.ts';

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
  return new HdbscanSequential();
}

class HdbscanSequential implements HdbscanAlgorithm {
  #isDestroyed = false;

  async run(points: PointSet, params?: HdbscanParams, options: HdbscanRunOptions = {}): Promise<HdbscanResult> {
    if (this.#isDestroyed) throw new DestroyedError('hdbscan');
    const checked = checkRun(points, params, options, KD_DIM_MAX);
    const clock = new PhaseClock<HdbscanPhase>();
    clock.enter('index');
    const places = placesOf(points, checked);
    const n = pointCount(places.points);
    if (checked.rank > n) return withoutCores(places, checked, clock);
    const tree = buildKdTree(places.points);
    const state = createState(tree, false);
    const leaves = state.leaves.length;
    const pacer = new RunPacer<HdbscanPhase>(n, options);
    /** Runs a step on all leaves, slice by slice. */
    const inSlices = async (phase: HdbscanPhase, step: (from: number, to: number) => number): Promise<void> => {
      const share = phase === 'core' ? Math.min(1, RANK_OF_PAUSE / checked.rank) : 1;
      const slice = Math.ceil(LEAVES_PER_PAUSE * share);
      for (let from = 0; from < leaves; from += slice) {
        await pacer.pause(phase, step(from, Math.min(leaves, from + slice)));
      }
    };
    clock.enter('core');
    await inSlices('core', (from, to) => {
      findCores(state, checked.rank, from, to);
      return tree.end[state.leaves[to - 1]];
    });
    layCores(state);
    clock.enter('tree');
    const steps: RoundSteps = {
      inside: (_, best) =>
        inSlices('tree', (from, to) => {
          searchInside(state, best, from, to);
          return 0;
        }),
      search: (_, best, done) =>
        inSlices('tree', (from, to) => {
          searchLeaves(state, best, from, to);
          return done;
        }),
    };
    const edges = await spanningTree(state, steps);
    clock.enter('hierarchy');
    const {pointOrder} = tree;
    const result = describeTree({core: state.core, edges, isSorted: false, pointOrder}, places, checked);
    const counters = {rounds: edges.rounds, clusters: result.condensedTree.size.length};
    return {...result, stats: {...clock.stop(), counters}};
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
