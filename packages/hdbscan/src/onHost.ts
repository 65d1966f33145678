import {
  DestroyedError,
  PhaseClock,
  pointCount,
  reportParts,
  RunQueue,
  type PartListener,
  type PointSet,
} from '@epsball/clustering';
import {buildKdTree, KD_DIM_MAX, type KdTree} from '@epsball/kd-tree';
import type {
  HdbscanAlgorithm,
  HdbscanHierarchyResult,
  HdbscanParams,
  HdbscanPhase,
  HdbscanResult,
  HdbscanRunOptions,
  HdbscanSelection,
  HdbscanTreeParams,
} from './algorithm.ts';
import {checkInput, checkParams, checkTree, type CheckedSelection, type CheckedTree} from './checkParams.ts';
import {selectGrown} from './hierarchy/selectGrown.ts';
import {coresByPlace, hierarchyOfPlaces, hierarchyWithoutCores, type GrownHierarchy} from './hierarchy/hierarchy.ts';
import {placesOf} from './places.ts';
import {spanningTree} from './tree/boruvka.ts';
import {createState, layCores, type BoruvkaState} from './tree/boruvkaState.ts';
import type {RunSteps} from './tree/stepsOnThread.ts';

/** Where the steps of runs are carried out. */
interface HostEngine {
  /** Builds the tree of a run for threads: in shared memory, as all of the state then. Default: the calling thread. */
  readonly buildTree?: (
    points: PointSet,
    options: {readonly signal?: AbortSignal | undefined; readonly onProgress: PartListener | undefined},
  ) => Promise<KdTree>;
  /** Beside `rounds` and `clusters`. */
  readonly counters: Readonly<Record<string, number>>;
  readonly stepsOf: (state: BoruvkaState, options: HdbscanRunOptions) => RunSteps;
  readonly destroy: () => void;
}

interface GrownOnHost extends GrownHierarchy {
  /** `select` of the threads of the run, without the list of the hierarchy. Undefined: not with these parameters. */
  readonly selectOnce?: (params: CheckedSelection) => Promise<HdbscanSelection | undefined>;
  readonly rounds: number;
}

/**
 * HDBSCAN* over a k-d tree on the host: core distances, Borůvka's algorithm over the leaves, and the hierarchy. Runs
 * come one after another.
 */
export class HdbscanOnHost implements HdbscanAlgorithm {
  readonly #engine: HostEngine;
  readonly #queue = new RunQueue();
  #isDestroyed = false;

  /** @param engine  owned */
  constructor(engine: HostEngine) {
    this.#engine = engine;
  }

  async run(points: PointSet, params?: HdbscanParams, options: HdbscanRunOptions = {}): Promise<HdbscanResult> {
    return this.#inTurn(options, async (clock) => {
      const checked = checkParams(params);
      const {hierarchy, select, selectOnce, rounds} = await this.#grow(points, checked, options, clock);
      const report = reportParts('hierarchy', pointCount(points), options.onProgress);
      const selection = (await selectOnce?.(checked)) ?? select(checked, report);
      report?.(1);
      const counters = {rounds, clusters: selection.condensedTree.size.length, ...this.#engine.counters};
      return {...selection, hierarchy, stats: {...clock.stop(), counters}};
    });
  }

  async hierarchy(
    points: PointSet,
    params: HdbscanTreeParams,
    options: HdbscanRunOptions = {},
  ): Promise<HdbscanHierarchyResult> {
    return this.#inTurn(options, async (clock) => {
      const {hierarchy, rounds} = await this.#grow(points, checkTree(params), options, clock);
      return {...hierarchy, stats: {...clock.stop(), counters: {rounds, ...this.#engine.counters}}};
    });
  }

  async #inTurn<Result>(
    {signal}: HdbscanRunOptions,
    run: (clock: PhaseClock<HdbscanPhase>) => Promise<Result>,
  ): Promise<Result> {
    return this.#queue.add(async () => {
      if (this.#isDestroyed) throw new DestroyedError('hdbscan');
      return run(new PhaseClock());
    }, signal);
  }

  async #grow(
    points: PointSet,
    checked: CheckedTree,
    options: HdbscanRunOptions,
    clock: PhaseClock<HdbscanPhase>,
  ): Promise<GrownOnHost> {
    const {buildTree, stepsOf} = this.#engine;
    checkInput(points, options, {maxDim: KD_DIM_MAX});
    clock.enter('index');
    const places = placesOf(points, checked);
    if (checked.rank > pointCount(places.points)) {
      clock.enter('hierarchy');
      return {...hierarchyWithoutCores(places, checked), rounds: 0};
    }
    const onProgress = reportParts('index', pointCount(places.points), options.onProgress);
    const {signal} = options;
    const tree = (await buildTree?.(places.points, {signal, onProgress})) ?? buildKdTree(places.points, {onProgress});
    const state = createState(tree, {isShared: buildTree !== undefined});
    const steps = stepsOf(state, options);
    clock.enter('core');
    await steps.cores(checked.rank);
    layCores(state);
    clock.enter('tree');
    const rounds = await spanningTree(state, steps);
    clock.enter('hierarchy');
    reportParts('hierarchy', pointCount(points), options.onProgress)?.(0);
    const sorting = steps.sort();
    const {pointOrder} = tree;
    const coreSquared = coresByPlace(state.core, pointOrder);
    const edges = await sorting;
    // Callers get the weights, in memory of their own.
    const own = buildTree === undefined ? edges : {...edges, squared: edges.squared.slice()};
    const grown = hierarchyOfPlaces({coreSquared, edges: own, pointOrder}, places, checked);
    // `ranges` keeps the memory of the state until the clusters are selected; the function does not.
    const {ranges} = steps;
    if (ranges === undefined || places.weights !== undefined) return {...grown, rounds};
    const selectOnce = async (params: CheckedSelection): Promise<HdbscanSelection | undefined> =>
      params.minClusterSize <= pointOrder.length
        ? selectGrown({edges, pointOrder}, ranges, params, grown.choose)
        : undefined;
    return {...grown, selectOnce, rounds};
  }

  destroy(): void {
    if (!this.#isDestroyed) this.#engine.destroy();
    this.#isDestroyed = true;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}
