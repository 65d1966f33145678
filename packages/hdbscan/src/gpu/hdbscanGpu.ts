import {
  checkKnownOptions,
  PhaseClock,
  pointCount,
  reportParts,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';
import {AlgorithmFrame, createAll, ReadBack, touchPages, type Gpu, type GpuRun} from '@epsball/gpu';
import type {
  HdbscanAlgorithm,
  HdbscanHierarchy,
  HdbscanHierarchyResult,
  HdbscanParams,
  HdbscanPhase,
  HdbscanResult,
  HdbscanRunOptions,
  HdbscanSelection,
  HdbscanStats,
  HdbscanTreeParams,
} from '../algorithm.ts';
import {checkInput, checkParams, checkTree, type CheckedSelection, type CheckedTree} from '../checkParams.ts';
import {hierarchyOfPlaces, hierarchyWithoutCores, type GrownHierarchy, type PlaceTree} from '../hierarchy/hierarchy.ts';
import {placesOf, type Places} from '../places.ts';
import {BASIN_SIZE_MAX, BasinsGpu, type DeviceClusters} from './basinsGpu.ts';
import {BoxTreeBuilder} from './boxTree.ts';
import {DeviceMemory} from './deviceMemory.ts';
import {SpanningTreeGpu} from './spanningTreeGpu.ts';
import {TileBuilder} from './tiledPoints.ts';
import {TiledTreeGpu} from './tiledTree.ts';
import {TreeOrder, type DeviceSpanningTree, type FoundTree} from './treeOrder.ts';

/** Most dimensions of the kernels. */
export const HDBSCAN_GPU_DIM_MAX = 1536;

/** Most dimensions of boxes. Points of more are compared with all others. */
const BOX_DIM_MAX = 16;

export interface HdbscanGpuOptions {
  /**
   * Whether kernels are compiled anew for each number of dimensions, and one more for core distances. They then run
   * faster, but software adapters take seconds to compile them. Default: on hardware.
   */
  readonly isSpecialized?: boolean | undefined;
}

/**
 * HDBSCAN* on a GPU, 1 to 1536 dimensions: core distances and Borůvka's rounds on the device; the hierarchy there and
 * on the host. To 16 dimensions by points in Morton order and a tree of boxes, above by all pairs in tiles, in
 * O(n² · dim). Float32 decides what it can; the other pairs are decided in software float64. The result is that of
 * `createHdbscanSequential`, to the byte.
 *
 * Device bytes a point, float32 points: 4 · dim + 26 · ⌈dim / 4⌉ + 72; above 16 dimensions at most 12 · dim + 550, and
 * 430 MiB of lists. A cluster takes some 60. Float64 points take 4 · dim more.
 *
 * @param gpu  borrowed; destroy the result before it
 */
export async function createHdbscanGpu(gpu: Gpu, options: HdbscanGpuOptions = {}): Promise<HdbscanAlgorithm> {
  checkKnownOptions(options, ['isSpecialized'], 'options', 'an object such as {isSpecialized: true}');
  const {isSpecialized = gpu.info.kind === 'hardware'} = options;
  const memory = new DeviceMemory(gpu, 'hdbscan');
  const [builder, order, basins] = await createAll([
    BoxTreeBuilder.create(gpu, memory, isSpecialized),
    TreeOrder.create(gpu, memory),
    BasinsGpu.create(gpu, memory),
  ]);
  return new HdbscanGpu(gpu, {
    memory,
    builder,
    spanningTree: new SpanningTreeGpu(gpu, memory, isSpecialized),
    tileBuilder: new TileBuilder(gpu),
    tiledTree: new TiledTreeGpu(gpu),
    order,
    basins,
  });
}

/** What a run returns of its hierarchy, and of the selection that the device has made, if it has. */
type Finish<Result> = (grown: GrownHierarchy, byDevice: HdbscanSelection | undefined) => Result;

interface Finished<Result> {
  readonly result: Result;
  readonly stats: HdbscanStats;
}

/** What runs are made of. */
interface Parts {
  readonly memory: DeviceMemory;
  readonly builder: BoxTreeBuilder;
  readonly spanningTree: SpanningTreeGpu;
  readonly tileBuilder: TileBuilder;
  readonly tiledTree: TiledTreeGpu;
  readonly order: TreeOrder;
  readonly basins: BasinsGpu;
}

/** Points on the device, and what finds their tree. */
interface LaidOut {
  readonly points: {readonly n: number; readonly pointOrder: GPUBuffer};
  readonly findTree: () => Promise<FoundTree>;
}

class HdbscanGpu implements HdbscanAlgorithm {
  readonly #frame: AlgorithmFrame<HdbscanPhase>;
  readonly #parts: Parts;
  readonly #reader: ReadBack;

  /** @param parts  owned */
  constructor(gpu: Gpu, parts: Parts) {
    this.#parts = parts;
    this.#reader = new ReadBack(gpu, 'hdbscan/result');
    this.#frame = new AlgorithmFrame(gpu, {
      name: 'hdbscan',
      label: 'hdbscan',
      owned: [...Object.values(parts), this.#reader],
      outOfMemory: 'fewer points or backend "workers" would fit',
    });
  }

  async run(points: PointSet, params?: HdbscanParams, options: HdbscanRunOptions = {}): Promise<HdbscanResult> {
    this.#frame.throwIfDestroyed();
    const checked = checkParams(params);
    const {onProgress} = options;
    const finish: Finish<Omit<HdbscanResult, 'stats'>> = ({hierarchy, select}, byDevice) => ({
      ...(byDevice ?? select(checked, reportParts('hierarchy', pointCount(points), onProgress))),
      hierarchy,
    });
    const {result, stats} = await this.#inPlaces(points, checked, options, checked, finish);
    const counters = {...stats.counters, clusters: result.condensedTree.size.length};
    return {...result, stats: {...stats, counters}};
  }

  async hierarchy(
    points: PointSet,
    params: HdbscanTreeParams,
    options: HdbscanRunOptions = {},
  ): Promise<HdbscanHierarchyResult> {
    this.#frame.throwIfDestroyed();
    const finish = ({hierarchy}: GrownHierarchy): HdbscanHierarchy => hierarchy;
    const {result, stats} = await this.#inPlaces(points, checkTree(params), options, undefined, finish);
    return {...result, stats};
  }

  /** @param selection  which the device carries out if it can */
  async #inPlaces<Result>(
    points: PointSet,
    checked: CheckedTree,
    options: HdbscanRunOptions,
    selection: CheckedSelection | undefined,
    finish: Finish<Result>,
  ): Promise<Finished<Result>> {
    const looksForNonFinite = points.coords instanceof Float32Array && checked.duplicates === 'count';
    checkInput(points, options, {maxDim: HDBSCAN_GPU_DIM_MAX, looksForNonFinite});
    const clock = new PhaseClock<HdbscanPhase>();
    clock.enter('index');
    const places = placesOf(points, checked);
    const n = pointCount(places.points);
    if (checked.rank > n) {
      validatePoints(points);
      clock.enter('hierarchy');
      const result = finish(hierarchyWithoutCores(places, checked), undefined);
      return {result, stats: {...clock.stop(), counters: {rounds: 0}}};
    }
    const {wallMs} = clock.stop();
    const {result, stats} = await this.#frame.run(n, options, (run) =>
      this.#run(places, checked, run, selection, finish),
    );
    const phaseMs = {...stats.phaseMs, index: (stats.phaseMs.index ?? 0) + wallMs};
    return {result, stats: {...stats, phaseMs, wallMs: stats.wallMs + wallMs}};
  }

  async #run<Result>(
    places: Places,
    checked: CheckedTree,
    run: GpuRun<HdbscanPhase>,
    selection: CheckedSelection | undefined,
    finish: Finish<Result>,
  ): Promise<Finished<Result>> {
    const n = pointCount(places.points);
    const chosen = selection !== undefined && canCut(places, selection) ? selection : undefined;
    const {points, findTree} = await this.#layOut(places.points, checked.rank, run);
    // Not before: the upload would wait for pages of the result.
    const [found, fresh] = await Promise.all([findTree(), freshArrays(n, chosen !== undefined)]);
    const {pointOrder} = points;
    const tree = await this.#parts.order.order(found, points, run);
    run.enter('readBack');
    const reading = this.#readTree({...tree, pointOrder}, fresh);
    try {
      const condensing =
        chosen && this.#parts.basins.condense({...tree, n, pointOrder}, chosen.minClusterSize, reading, run);
      const [placeTree, clusters] = await Promise.all([reading, condensing]);
      run.throwIfAborted();
      run.enter('hierarchy');
      const grown = hierarchyOfPlaces(placeTree, places, checked);
      const byDevice = chosen && clusters && (await this.#select(clusters, grown, chosen, fresh, run));
      const result = finish(grown, byDevice);
      return {result, stats: await run.stats({rounds: found.rounds})};
    } finally {
      await reading.catch(() => undefined);
    }
  }

  async #layOut(points: PointSet, rank: number, run: GpuRun<HdbscanPhase>): Promise<LaidOut> {
    const {builder, spanningTree, tileBuilder, tiledTree} = this.#parts;
    if (points.dim > BOX_DIM_MAX) {
      const tiled = await tileBuilder.build(points, run);
      return {points: tiled, findTree: () => tiledTree.build(tiled, rank, run)};
    }
    spanningTree.prepare(builder.overridesFor(points.dim), rank);
    const boxes = await builder.build(points, run);
    return {points: boxes, findTree: () => spanningTree.build(boxes, rank, run)};
  }

  async #readTree(
    {core, squared, ends, pointOrder}: DeviceSpanningTree & {readonly pointOrder: GPUBuffer},
    fresh: FreshArrays,
  ): Promise<PlaceTree> {
    const read = this.#reader;
    return {
      pointOrder: await read.read(pointOrder, fresh.pointOrder),
      edges: {
        from: await read.read(ends, fresh.from),
        to: await read.read(ends, fresh.to, fresh.from.byteLength),
        squared: await read.read(squared, fresh.squared),
      },
      coreSquared: await read.read(core, fresh.coreSquared),
    };
  }

  async #select(
    {clusters, smallest, describe}: DeviceClusters,
    {choose}: GrownHierarchy,
    params: CheckedSelection,
    fresh: FreshArrays,
    run: GpuRun<HdbscanPhase>,
  ): Promise<HdbscanSelection> {
    const {chosen, selectionOf} = choose(clusters, smallest, params);
    const places = await describe(chosen.table);
    run.enter('readBack');
    run.askForTimes();
    const labels = await this.#reader.read(places.labels, fresh.labels);
    const details = {
      clusterOf: await this.#reader.read(places.clusterOf, fresh.clusterOf),
      probabilities: await this.#reader.read(places.probabilities, fresh.probabilities),
      outlierScores: await this.#reader.read(places.outlierScores, fresh.outlierScores),
      leavesSquared: await this.#reader.read(places.leavesSquared, fresh.leavesSquared),
    };
    return selectionOf({labels, details: () => details});
  }

  destroy(): void {
    this.#frame.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Whether the device may cut the tree: clusters are small, and a place weighs one point. */
function canCut({weights, total}: Places, {minClusterSize}: CheckedSelection): boolean {
  return weights === undefined && minClusterSize <= Math.min(total, BASIN_SIZE_MAX);
}

type FreshArrays = Awaited<ReturnType<typeof freshArrays>>;

/**
 * Allocates the arrays of a result in a later turn of the event loop, while the device works, and touches their pages.
 *
 * @param isSelected  whether the device selects clusters
 */
async function freshArrays(n: number, isSelected: boolean) {
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  const selected = isSelected ? n : 0;
  const arrays = {
    pointOrder: new Int32Array(n),
    from: new Int32Array(n - 1),
    to: new Int32Array(n - 1),
    squared: new Float64Array(n - 1),
    coreSquared: new Float64Array(n),
    labels: new Int32Array(selected),
    clusterOf: new Int32Array(selected),
    probabilities: new Float64Array(selected),
    outlierScores: new Float64Array(selected),
    leavesSquared: new Float64Array(selected),
  };
  await Promise.all(Object.values(arrays).map(touchPages));
  return arrays;
}
