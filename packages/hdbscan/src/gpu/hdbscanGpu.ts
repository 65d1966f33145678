import {checkKnownOptions, PhaseClock, pointCount, type PointSet} from '@epsball/clustering';
import {AlgorithmFrame, createAll, ReadBack, type Gpu, type GpuRun} from '@epsball/gpu';
import type {
  HdbscanAlgorithm,
  HdbscanHierarchy,
  HdbscanHierarchyResult,
  HdbscanParams,
  HdbscanPhase,
  HdbscanResult,
  HdbscanRunOptions,
  HdbscanStats,
  HdbscanTreeParams,
} from '../algorithm.ts';
import {checkInput, checkParams, checkTree, type CheckedSelection, type CheckedTree} from '../checkParams.ts';
import {condenseBasins} from '../hierarchy/condenseBasins.ts';
import type {Condensed} from '../hierarchy/condense.ts';
import {coresByPlace, hierarchyOfPlaces, hierarchyWithoutCores, type GrownHierarchy} from '../hierarchy/hierarchy.ts';
import type {TreeEdges} from '../hierarchy/sortEdges.ts';
import {placesOf, type Places} from '../places.ts';
import {BASIN_SIZE_MAX, BasinsGpu} from './basinsGpu.ts';
import {BoxTreeBuilder} from './boxTree.ts';
import {SpanningTreeGpu} from './spanningTreeGpu.ts';

/** Most dimensions of the kernels. */
export const HDBSCAN_GPU_DIM_MAX = 16;

export interface HdbscanGpuOptions {
  /**
   * Whether kernels are compiled anew for each number of dimensions, and one more for core distances. They then run
   * faster, but software adapters take seconds to compile them. Default: on hardware.
   */
  readonly isSpecialized?: boolean | undefined;
}

/**
 * HDBSCAN* on a GPU, 1 to 16 dimensions: points in Morton order, a tree of boxes, core distances and Borůvka's rounds
 * on the device; the hierarchy there and on the host. Float32 decides what it can; the other pairs are decided in
 * software float64. The result is that of `createHdbscanSequential`, to the byte.
 *
 * Device bytes a point, float32 points: 18 · dim + 201, and at most 128 MiB of lists.
 *
 * @param gpu  borrowed; destroy the result before it
 */
export async function createHdbscanGpu(gpu: Gpu, options: HdbscanGpuOptions = {}): Promise<HdbscanAlgorithm> {
  checkKnownOptions(options, ['isSpecialized'], 'options', 'an object such as {isSpecialized: true}');
  const {isSpecialized = gpu.info.kind === 'hardware'} = options;
  const [builder, spanningTree, basins] = await createAll([
    BoxTreeBuilder.create(gpu, isSpecialized),
    SpanningTreeGpu.create(gpu, isSpecialized),
    BasinsGpu.create(gpu),
  ]);
  return new HdbscanGpu(gpu, builder, spanningTree, basins);
}

interface Described<Result> {
  readonly result: Result;
  readonly counters: Readonly<Record<string, number>>;
}

/** What a run returns of its hierarchy, and of the tree that the device has condensed, if it has. */
type Describe<Result> = (grown: GrownHierarchy, condensed: Condensed | undefined) => Described<Result>;

class HdbscanGpu implements HdbscanAlgorithm {
  readonly #frame: AlgorithmFrame<HdbscanPhase>;
  readonly #builder: BoxTreeBuilder;
  readonly #spanningTree: SpanningTreeGpu;
  readonly #basins: BasinsGpu;
  readonly #reader: ReadBack;

  constructor(gpu: Gpu, builder: BoxTreeBuilder, spanningTree: SpanningTreeGpu, basins: BasinsGpu) {
    this.#builder = builder;
    this.#spanningTree = spanningTree;
    this.#basins = basins;
    this.#reader = new ReadBack(gpu, 'hdbscan/result');
    this.#frame = new AlgorithmFrame(gpu, {
      name: 'hdbscan',
      label: 'hdbscan',
      owned: [builder, spanningTree, basins, this.#reader],
      outOfMemory: 'fewer points or backend "workers" would fit',
    });
  }

  async run(points: PointSet, params?: HdbscanParams, options: HdbscanRunOptions = {}): Promise<HdbscanResult> {
    this.#frame.throwIfDestroyed();
    const checked = checkParams(params);
    return this.#inPlaces(points, checked, options, checked, ({hierarchy, select, selectFrom}, condensed) => {
      const selection = condensed === undefined ? select(checked) : selectFrom(condensed, checked);
      return {result: {...selection, hierarchy}, counters: {clusters: selection.condensedTree.size.length}};
    });
  }

  async hierarchy(
    points: PointSet,
    params: HdbscanTreeParams,
    options: HdbscanRunOptions = {},
  ): Promise<HdbscanHierarchyResult> {
    this.#frame.throwIfDestroyed();
    const describe = ({hierarchy}: GrownHierarchy): Described<HdbscanHierarchy> => ({result: hierarchy, counters: {}});
    return this.#inPlaces(points, checkTree(params), options, undefined, describe);
  }

  /** @param selection  of which the device may condense the tree */
  async #inPlaces<Result>(
    points: PointSet,
    checked: CheckedTree,
    options: HdbscanRunOptions,
    selection: CheckedSelection | undefined,
    describe: Describe<Result>,
  ): Promise<Result & {readonly stats: HdbscanStats}> {
    checkInput(points, options, HDBSCAN_GPU_DIM_MAX);
    const clock = new PhaseClock<HdbscanPhase>();
    clock.enter('index');
    const places = placesOf(points, checked);
    const n = pointCount(places.points);
    if (checked.rank > n) {
      clock.enter('hierarchy');
      const {result, counters} = describe(hierarchyWithoutCores(places, checked), undefined);
      return {...result, stats: {...clock.stop(), counters: {rounds: 0, ...counters}}};
    }
    const {wallMs} = clock.stop();
    const result = await this.#frame.run(n, options, (run) => this.#run(places, checked, run, selection, describe));
    const {stats} = result;
    const phaseMs = {...stats.phaseMs, index: (stats.phaseMs.index ?? 0) + wallMs};
    return {...result, stats: {...stats, phaseMs, wallMs: stats.wallMs + wallMs}};
  }

  async #run<Result>(
    places: Places,
    checked: CheckedTree,
    run: GpuRun<HdbscanPhase>,
    selection: CheckedSelection | undefined,
    describe: Describe<Result>,
  ): Promise<Result & {readonly stats: HdbscanStats}> {
    const n = pointCount(places.points);
    const boxes = await this.#builder.build(places.points, run);
    const {core, edges, rounds} = await this.#spanningTree.build(boxes, checked.rank, run);
    const tree = {n, core, edges, pointOrder: boxes.pointOrder};
    run.enter('hierarchy');
    const clusters =
      selection !== undefined && this.#canCut(places, selection)
        ? await this.#basins.condense(tree, selection.minClusterSize, run)
        : undefined;
    run.enter('readBack');
    run.askForTimes();
    const pointOrder = await this.#reader.read(tree.pointOrder, new Int32Array(n));
    const edgeWords = await this.#reader.read(edges, new Float64Array(2 * (n - 1)));
    const cores = await this.#reader.read(core, new Float64Array(clusters === undefined ? n : 0));
    run.throwIfAborted();
    run.enter('hierarchy');
    const sorted = readEdges(edgeWords);
    const coreSquared = clusters?.coreSquared ?? coresByPlace(cores, pointOrder);
    const grown = hierarchyOfPlaces({coreSquared, edges: sorted, pointOrder}, places, checked);
    const condensed = clusters && condenseBasins({...clusters, squared: sorted.squared});
    const {result, counters} = describe(grown, condensed);
    return {...result, stats: await run.stats({rounds, ...counters})};
  }

  /** Whether the device may cut the tree: clusters are small, and a place weighs one point. */
  #canCut({weights, total}: Places, {minClusterSize}: CheckedSelection): boolean {
    return weights === undefined && minClusterSize <= Math.min(total, BASIN_SIZE_MAX);
  }

  destroy(): void {
    this.#frame.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** @param edges  two float64 for each edge: the first holds two positions, the second is the squared weight */
function readEdges(edges: Float64Array): TreeEdges {
  const count = edges.length / 2;
  const positions = new Uint32Array(edges.buffer);
  const tree = {from: new Int32Array(count), to: new Int32Array(count), squared: new Float64Array(count)};
  for (let k = 0; k < count; k++) {
    tree.from[k] = positions[4 * k];
    tree.to[k] = positions[4 * k + 1];
    tree.squared[k] = edges[2 * k + 1];
  }
  return tree;
}
