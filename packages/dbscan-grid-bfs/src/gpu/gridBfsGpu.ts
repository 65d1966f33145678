import {
  emptyResult,
  throwIfAborted,
  validateDbscanParams,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type PointSet,
} from '@epsball/clustering';
import {
  createAll,
  GpuDbscan,
  Kernel,
  Reader,
  Scratch,
  validateDeviceInput,
  type DeviceDbscanAlgorithm,
  type DeviceInput,
  type DeviceResult,
  type Gpu,
  type GpuRun,
} from '@epsball/gpu';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {GpuGridBuilder, PointUploader, type DevicePoints, type GpuGrid} from '@epsball/spatial-grid/gpu';
import {ClusterSearch, type SearchOutcome} from './clusterSearch.ts';
import {resultsWgsl} from './results.wgsl.ts';

/** Number of storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 10;
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
 * result: none; staging takes at most 32 MiB.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers per kernel
 * @complexity  O(n · k) work, k = points in the 3^dim cells around a point; depth grows with the number of levels
 * @source  Milanesi, GPU-DBSCAN, §3
 */
export async function createGridBfsGpu(gpu: Gpu): Promise<DeviceDbscanAlgorithm> {
  gpu.requireStorageBuffers(STORAGE_BUFFERS);
  const [gridBuilder, search] = await createAll([GpuGridBuilder.create(gpu), ClusterSearch.create(gpu)]);
  const [uploader, reader, scratch] = [new PointUploader(gpu, LABEL), new Reader(gpu, LABEL), new Scratch(gpu, LABEL)];
  return new GridBfsPipeline(gpu, {gridBuilder, search, uploader, reader, scratch});
}

type Run = GpuRun<DbscanPhase>;

class GridBfsPipeline extends GpuDbscan implements DeviceDbscanAlgorithm {
  readonly #parts: Parts;

  constructor(gpu: Gpu, parts: Parts) {
    super(gpu, {
      name: NAME,
      label: LABEL,
      maxDim: MAX_GRID_DIM,
      looksForNonFinite: true,
      counters: NO_COUNTERS,
      owned: Object.values(parts),
    });
    this.#parts = parts;
  }

  protected override async cluster(points: PointSet, params: DbscanParams, run: Run): Promise<DbscanResult> {
    const {uploader, reader} = this.#parts;
    run.enter('upload');
    const devicePoints = await uploader.upload(points, run.passes('index'));
    const {n} = devicePoints;
    const found = await this.#cluster(devicePoints, params, run);
    run.enter('readBack');
    const [labels, coreMask] = [new Int32Array(n), new Uint8Array(n)];
    await reader.read(found.labels, labels);
    await reader.read(found.coreMask, coreMask);
    const {outcome} = found;
    return {labels, coreMask, clusterCount: outcome.clusters, stats: await run.stats({...outcome})};
  }

  async runOnDevice(input: DeviceInput, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DeviceResult> {
    this.frame.throwIfDestroyed();
    validateDbscanParams(params);
    validateDeviceInput(input, NAME, MAX_GRID_DIM);
    throwIfAborted(options.signal, 'start');
    if (input.n === 0) {
      const empty = this.#parts.scratch.take('labels', 16);
      return {...emptyResult(NO_COUNTERS), labels: empty, coreMask: empty};
    }
    return this.frame.run(input.n, options, async (run) => {
      const {labels, coreMask, outcome} = await this.#cluster({...input, displacement: 0}, params, run);
      return {labels, coreMask, clusterCount: outcome.clusters, stats: await run.stats({...outcome})};
    });
  }

  async #cluster(points: DevicePoints, {eps, minPts}: DbscanParams, run: Run): Promise<Found> {
    const {gridBuilder, search, scratch} = this.#parts;
    run.enter('index');
    const grid = await gridBuilder.build(points, eps, run.passes('index'));
    const labels = scratch.take('labels', 4 * points.n);
    await search.markCore(grid, labels, minPts, run);
    run.throwIfAborted('core');
    // The host does not wait for the index or the core test, so their time counts as `clusters` until the first read.
    run.enter('clusters');
    const outcome = await search.expand(grid, labels, run);
    return {...(await this.#writeResults(grid, labels, run)), outcome};
  }

  /** Writes the results into buffers that the grid no longer needs. */
  async #writeResults(grid: GpuGrid, labels: GPUBuffer, run: Run): Promise<Pick<Found, 'labels' | 'coreMask'>> {
    const kernel = await Kernel.create(this.gpu, resultsWgsl, 'writeResults');
    const {keys: labelsOut, values: coreMaskOut} = grid.spare;
    const group = kernel.bind({labels, positions: grid.positions, labelsOut, coreMaskOut, grid: grid.bindings.grid});
    run.submit('readBack', (pass) => kernel.dispatchOver(pass, group, Math.ceil(grid.n / 4)));
    return {labels: labelsOut, coreMask: coreMaskOut};
  }
}

interface Parts {
  readonly gridBuilder: GpuGridBuilder;
  readonly search: ClusterSearch;
  readonly uploader: PointUploader;
  readonly reader: Reader;
  readonly scratch: Scratch;
}

interface Found {
  readonly labels: GPUBuffer;
  readonly coreMask: GPUBuffer;
  readonly outcome: SearchOutcome;
}
