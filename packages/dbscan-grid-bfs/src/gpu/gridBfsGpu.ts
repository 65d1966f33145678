import {
  extendResult,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {
  createAll,
  DeviceGpuDbscan,
  deviceWeights,
  Kernel,
  LabelReadBack,
  Scratch,
  type DeviceDbscanAlgorithm,
  type DeviceInput,
  type DeviceResult,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {
  GpuGridBuilder,
  LastGrid,
  PointUploader,
  PointWeights,
  type DevicePoints,
  type GpuGrid,
} from '@epsball/spatial-grid/gpu';
import {ClusterSearch} from './clusterSearch.ts';
import {resultsWgsl} from './results.wgsl.ts';

/** Id in the catalogue, and prefix of the labels of device objects. */
const [NAME, LABEL] = ['grid-bfs', 'dbscan-grid-bfs'];
const NO_COUNTERS = {clusters: 0, levels: 0, maxFrontier: 0, batches: 0};

/**
 * GPU-DBSCAN (Milanesi) on WebGPU: bounds, binning, sort by cell, cell extents, core test, one breadth-first search per
 * cluster, on a uniform grid in 1 to 4 dimensions; float32 and float64 points.
 *
 * The host reads the state once per batch of up to 64 rounds, not once per level. Counters: `clusters`, `levels`,
 * `maxFrontier`, `batches`. Device memory per point, 2-D float32: at most 76 bytes (points 8, grid 52, labels 4,
 * frontiers 8, list of undecided points 4); results reuse buffers of the grid. Host memory per point besides input and
 * result: 5 bytes for the read-back.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @complexity  O(n · k) work, k = points in the 3^dim cells around a point; depth grows with the number of levels
 * @source  Milanesi, GPU-DBSCAN, §3
 */
export async function createGridBfsGpu(gpu: Gpu): Promise<DeviceDbscanAlgorithm> {
  return new GridBfsPipeline(gpu, await createParts(gpu));
}

async function createParts(gpu: Gpu) {
  const [gridBuilder, search] = await createAll([GpuGridBuilder.create(gpu), ClusterSearch.create(gpu)]);
  return {
    gridBuilder,
    search,
    uploader: new PointUploader(gpu, LABEL),
    weights: new PointWeights(gpu, LABEL),
    readBack: new LabelReadBack(gpu, `${LABEL}/labels`),
    scratch: new Scratch(gpu, LABEL),
  };
}

type Parts = Awaited<ReturnType<typeof createParts>>;
type Run = GpuRun<DbscanPhase>;

/** The part of index and core test that the index is, about, on a software adapter. */
const INDEX_PART = 0.7;

class GridBfsPipeline extends DeviceGpuDbscan {
  readonly #parts: Parts;
  readonly #lastGrid = new LastGrid<GpuGrid>();

  constructor(gpu: Gpu, parts: Parts) {
    super(gpu, {
      name: NAME,
      label: LABEL,
      maxDim: MAX_GRID_DIM,
      looksForNonFinite: true,
      takesWeights: true,
      counters: NO_COUNTERS,
      owned: Object.values(parts),
    });
    this.#parts = parts;
  }

  protected override async cluster(
    points: PointSet,
    params: DbscanParams,
    run: Run,
    output: DbscanOutputOptions,
  ): Promise<DbscanResult> {
    const {uploader, readBack} = this.#parts;
    run.enter('upload');
    const devicePoints = await uploader.upload(points, run.passes('index'));
    const {found, encoder, outcome} = await this.#encode(devicePoints, params, run);
    const ask = readBack.encode(encoder, devicePoints.n, found);
    this.gpu.device.queue.submit([encoder.finish()]);
    const coming = ask();
    run.enter('readBack');
    const labels = await coming.take(output);
    return extendResult(labels, {stats: await run.stats({...outcome})});
  }

  protected override async clusterOnDevice(input: DeviceInput, params: DbscanParams, run: Run): Promise<DeviceResult> {
    const {found, encoder, outcome} = await this.#encode({...input, displacement: 0}, params, run);
    this.gpu.device.queue.submit([encoder.finish()]);
    const {labels, coreMask} = found;
    return {labels, coreMask, clusterCount: outcome.clusters, stats: await run.stats({...outcome})};
  }

  /** The grid of the points, that of the last run if it fits, and sums of their weights. */
  async #index(points: DevicePoints, params: DbscanParams, run: Run) {
    const {gridBuilder, weights} = this.#parts;
    const {eps, eps2} = params;
    const ofPoints = deviceWeights(params);
    let grid = this.#lastGrid.find(points, {eps, eps2});
    if (grid === undefined) {
      this.#lastGrid.forget();
      grid = await gridBuilder.build(points, eps, run.passes('index'), {
        eps2,
        onPart: (part) => run.reachPart('core', INDEX_PART * part),
      });
      this.#lastGrid.keep(points, {eps, eps2}, grid);
    }
    if (ofPoints === undefined) return {grid, weightsBefore: undefined};
    const encoder = this.gpu.device.createCommandEncoder();
    const weightsBefore = await weights.encode(encoder, run.passes('index'), grid, ofPoints);
    this.gpu.device.queue.submit([encoder.finish()]);
    return {grid, weightsBefore};
  }

  /** Searches, and records the results behind the search. */
  async #encode(points: DevicePoints, params: DbscanParams, run: Run) {
    const {search, scratch} = this.#parts;
    run.enter('index');
    await run.reachPart('core', 0);
    const {grid, weightsBefore} = await this.#index(points, params, run);
    const labels = scratch.take('labels', 4 * points.n);
    await run.reachPart('core', INDEX_PART);
    await search.markCore(grid, labels, {minPts: params.minPts, weightsBefore}, run);
    await run.reachPart('core', 1);
    run.throwIfAborted('core');
    // The host does not wait for the index or the core test, so their time counts as `clusters` until the first read.
    run.enter('clusters');
    const outcome = await search.expand(grid, labels, run);
    const writeResults = await Kernel.create(this.gpu, resultsWgsl, 'writeResults');
    // Buffers that the grid no longer needs.
    const {keys: labelsOut, values: coreMaskOut} = grid.spare;
    const bound = {labels, positions: grid.positions, labelsOut, coreMaskOut, grid: grid.bindings.grid};
    const encoder = this.gpu.device.createCommandEncoder();
    run.record(encoder, 'readBack', (pass) =>
      writeResults.dispatchOver(pass, writeResults.bind(bound), Math.ceil(grid.n / 4)),
    );
    const clusterCount = search.clusterCount(grid.n);
    return {found: {labels: labelsOut, coreMask: coreMaskOut, clusterCount}, encoder, outcome};
  }
}
