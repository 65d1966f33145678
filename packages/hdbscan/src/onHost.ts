import {PhaseClock, pointCount, RunQueue, untilDestroyed, type PointSet} from '@epsball/clustering';
import {buildKdTree, KD_DIM_MAX, type KdTree} from '@epsball/kd-tree';
import type {HdbscanAlgorithm, HdbscanPhase, HdbscanRunOptions} from './algorithm.ts';
import {checkRun} from './checkParams.ts';
import {describeTree, withoutCores} from './hierarchy/describeTree.ts';
import {placesOf} from './places.ts';
import {spanningTree, type RoundSteps} from './tree/boruvka.ts';
import {createState, layCores, type BoruvkaState} from './tree/boruvkaState.ts';

/** Where the steps of runs are carried out. */
interface HostEngine {
  /** Builds the tree of a run for threads: in shared memory, as all of the state then. Default: the calling thread. */
  readonly buildTree?: (points: PointSet, options: HdbscanRunOptions) => Promise<KdTree>;
  /** Beside `rounds` and `clusters`. */
  readonly counters: Readonly<Record<string, number>>;
  /** The steps of one run. `cores` writes the squared core distances of this rank. */
  readonly stepsOf: (
    state: BoruvkaState,
    options: HdbscanRunOptions,
  ) => RoundSteps & {cores(rank: number): Promise<void>};
  readonly destroy: () => void;
}

/**
 * HDBSCAN* over a k-d tree on the host: core distances, Borůvka's algorithm over the leaves, and the hierarchy. Runs
 * come one after another.
 */
export function createOnHost({buildTree, counters: others, stepsOf, destroy: release}: HostEngine): HdbscanAlgorithm {
  const queue = new RunQueue();
  const runNow: HdbscanAlgorithm['run'] = async (points, params, options = {}) => {
    const checked = checkRun(points, params, options, KD_DIM_MAX);
    const clock = new PhaseClock<HdbscanPhase>();
    clock.enter('index');
    const places = placesOf(points, checked);
    if (checked.rank > pointCount(places.points)) return withoutCores(places, checked, clock);
    const tree = (await buildTree?.(places.points, options)) ?? buildKdTree(places.points);
    const state = createState(tree, buildTree !== undefined);
    const steps = stepsOf(state, options);
    clock.enter('core');
    await steps.cores(checked.rank);
    layCores(state);
    clock.enter('tree');
    const edges = await spanningTree(state, steps);
    clock.enter('hierarchy');
    const {pointOrder} = tree;
    const result = describeTree({core: state.core, edges, isSorted: false, pointOrder}, places, checked);
    const counters = {rounds: edges.rounds, clusters: result.condensedTree.size.length, ...others};
    return {...result, stats: {...clock.stop(), counters}};
  };

  const algorithm = untilDestroyed('hdbscan', runNow, release);
  return {...algorithm, run: (...args) => queue.add(() => algorithm.run(...args), args[2]?.signal)};
}
