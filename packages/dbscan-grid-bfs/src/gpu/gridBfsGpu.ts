import {
  DestroyedError,
  InvalidParameterError,
  PhaseClock,
  pointCount,
  throwIfAborted,
  validateDbscanParams,
  validateDim,
  validatePointShape,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {createAll, DeviceTimer, Kernel, Reader, Scratch, type Gpu} from '@epsball/gpu';
import {MAX_GRID_DIM} from '@epsball/spatial-grid';
import {GpuGridBuilder, PointUploader, type DevicePoints, type GpuGrid} from '@epsball/spatial-grid/gpu';
import {ClusterSearch, type SearchOutcome} from './clusterSearch.ts';
import {resultsWgsl} from './results.wgsl.ts';

/** Storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 10;

/** Labels that stay on the device. */
export interface DeviceResult {
  /** `n` int32 labels by point; −1 is noise. Valid until the algorithm's next run; do not destroy. */
  readonly labels: GPUBuffer;
  /** One byte a point, 1 = core, four to a word. Likewise. */
  readonly coreMask: GPUBuffer;
  readonly clusterCount: number;
  readonly stats: DbscanStats;
}

/** float32 points that a caller keeps on the device of the algorithm's `Gpu`. */
export interface DeviceInput {
  /** `n · dim` finite float32, point-major; usage STORAGE; not modified, not checked. */
  readonly coords: GPUBuffer;
  /** Points; an integer ≥ 0. */
  readonly n: number;
  readonly dim: number;
}

/** GPU-DBSCAN on WebGPU. Made by `createGridBfsGpu`. */
export interface GridBfsGpu extends DbscanAlgorithm {
  /**
   * Clusters points that are on the device already and leaves the labels there.
   *
   * @throws as `run` does; which coordinate is not finite nobody says
   * @throws InvalidParameterError  if `n` or `dim` is no count, or `coords` is too small for them
   */
  runOnDevice(input: DeviceInput, params: DbscanParams, options?: DbscanRunOptions): Promise<DeviceResult>;
}

/**
 * GPU-DBSCAN (Milanesi): bounds, binning, sort by cell, cell extents, core test, one breadth-first search per
 * cluster, on a uniform grid in 1 to 4 dimensions; float32 and float64 points.
 *
 * Rounds of the search are recorded in batches, so the host waits once per up to 64 rounds, not once per level.
 * Counters: `clusters`, `levels`, `maxFrontier`, `batches`. Device bytes a point, 2-D float32: at most 76
 * (points 8, grid 52, labels 4, frontiers 8, list of undecided points 4), results in buffers that the grid no longer needs. Host bytes a
 * point beyond input and result: none; staging takes 32 MiB at most.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws GpuLimitError  if the device binds fewer than 10 storage buffers a kernel
 * @complexity O(n · k) work, k = points in the 3^dim cells around a point; depth follows the number of levels
 * @source  Milanesi, GPU-DBSCAN, §3
 */
export async function createGridBfsGpu(gpu: Gpu): Promise<GridBfsGpu> {
  gpu.requireStorageBuffers(STORAGE_BUFFERS);
  const [gridBuilder, search] = await createAll([GpuGridBuilder.create(gpu), ClusterSearch.create(gpu)]);
  return new GridBfsPipeline(gpu, gridBuilder, search);
}

class GridBfsPipeline implements GridBfsGpu {
  readonly #gpu: Gpu;
  readonly #gridBuilder: GpuGridBuilder;
  readonly #search: ClusterSearch;
  readonly #uploader: PointUploader;
  readonly #reader: Reader;
  readonly #scratch: Scratch;
  readonly #timer: DeviceTimer<DbscanPhase>;
  #isDestroyed = false;

  constructor(gpu: Gpu, gridBuilder: GpuGridBuilder, search: ClusterSearch) {
    this.#gpu = gpu;
    this.#gridBuilder = gridBuilder;
    this.#search = search;
    this.#uploader = new PointUploader(gpu, 'dbscan-grid-bfs');
    this.#reader = new Reader(gpu, 'dbscan-grid-bfs');
    this.#scratch = new Scratch(gpu, 'dbscan-grid-bfs');
    this.#timer = new DeviceTimer(gpu, 'dbscan-grid-bfs');
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    this.#throwIfDestroyed();
    validatePointShape(points);
    // The box of float32 points shows whether all are finite.
    const looksForNonFinite = points.coords instanceof Float32Array;
    validateRun(points, params, {variant: 'grid-bfs', maxDim: MAX_GRID_DIM, looksForNonFinite, signal: options.signal});
    const n = pointCount(points);
    const clock = new PhaseClock<DbscanPhase>();
    const labels = new Int32Array(n);
    const coreMask = new Uint8Array(n);
    if (n === 0) return {labels, coreMask, clusterCount: 0, stats: emptyStats(clock)};
    return this.#gpu.guard('grid-bfs', async () => {
      this.#gpu.resetPeak();
      clock.enter('upload');
      this.#timer.reset();
      const devicePoints = await this.#uploader.upload(points, this.#timer.passes('index'));
      const found = await this.#cluster(devicePoints, {params, options, clock});
      clock.enter('readBack');
      await this.#reader.read(found.labels, labels);
      await this.#reader.read(found.coreMask, coreMask);
      return {labels, coreMask, clusterCount: found.outcome.clusters, stats: await this.#stats(clock, found.outcome)};
    });
  }

  async runOnDevice(input: DeviceInput, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DeviceResult> {
    this.#throwIfDestroyed();
    validateDbscanParams(params);
    validateInput(input);
    throwIfAborted(options.signal, 'start');
    const clock = new PhaseClock<DbscanPhase>();
    if (input.n === 0) {
      const empty = this.#scratch.take('labels', 16);
      return {labels: empty, coreMask: empty, clusterCount: 0, stats: emptyStats(clock)};
    }
    return this.#gpu.guard('grid-bfs', async () => {
      this.#gpu.resetPeak();
      this.#timer.reset();
      const found = await this.#cluster({...input, displacement: 0}, {params, options, clock});
      const {labels, coreMask, outcome} = found;
      return {labels, coreMask, clusterCount: outcome.clusters, stats: await this.#stats(clock, outcome)};
    });
  }

  #throwIfDestroyed(): void {
    if (this.#isDestroyed) throw new DestroyedError('grid-bfs');
  }

  async #cluster(points: DevicePoints, run: RunContext): Promise<Found> {
    const {params, options, clock} = run;
    clock.enter('index');
    const grid = await this.#gridBuilder.build(points, params.eps, this.#timer.passes('index'));
    const labels = this.#scratch.take('labels', 4 * points.n);
    await this.#search.markCore(grid, labels, params.minPts, this.#timer);
    throwIfAborted(options.signal, 'core');
    // The host does not wait for the index or the core test: their work counts here until the first look.
    clock.enter('clusters');
    const outcome = await this.#search.expand(grid, labels, this.#timer, options);
    return {...(await this.#writeResults(grid, labels)), outcome};
  }

  /** Into buffers that the grid no longer needs. */
  async #writeResults(grid: GpuGrid, labels: GPUBuffer): Promise<{labels: GPUBuffer; coreMask: GPUBuffer}> {
    const kernel = await Kernel.create(this.#gpu, resultsWgsl, 'writeResults');
    const {keys: labelsOut, values: coreMaskOut} = grid.spare;
    const group = kernel.bind({labels, positions: grid.positions, labelsOut, coreMaskOut, grid: grid.bindings.grid});
    this.#submit('readBack', (pass) => kernel.dispatchOver(pass, group, Math.ceil(grid.n / 4)));
    return {labels: labelsOut, coreMask: coreMaskOut};
  }

  #submit(phase: DbscanPhase, record: (pass: GPUComputePassEncoder) => void): void {
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = this.#timer.beginPass(encoder, phase);
    record(pass);
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
  }

  async #stats(clock: PhaseClock<DbscanPhase>, outcome: SearchOutcome): Promise<DbscanStats> {
    const times = clock.stop();
    const counters = {...outcome};
    const stats = {...times, counters, deviceBytes: this.#gpu.peakBytes};
    const devicePhaseMs = await this.#timer.read();
    if (!devicePhaseMs) return stats;
    const deviceMs = Object.values(devicePhaseMs).reduce((sum, ms) => sum + ms, 0);
    return {...stats, deviceMs, devicePhaseMs};
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const owned of [this.#gridBuilder, this.#search, this.#uploader, this.#reader]) owned.destroy();
    for (const owned of [this.#scratch, this.#timer]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface RunContext {
  readonly params: DbscanParams;
  readonly options: DbscanRunOptions;
  readonly clock: PhaseClock<DbscanPhase>;
}

interface Found {
  readonly labels: GPUBuffer;
  readonly coreMask: GPUBuffer;
  readonly outcome: SearchOutcome;
}

/** Looks at the numbers, not at the coordinates: their box will show those that are not finite. */
function validateInput({coords, n, dim}: DeviceInput): void {
  if (!Number.isInteger(dim) || dim < 1) throw new InvalidParameterError('dim', dim, 'an integer ≥ 1');
  validateDim(dim, 'grid-bfs', MAX_GRID_DIM);
  if (!Number.isInteger(n) || n < 0) throw new InvalidParameterError('n', n, 'an integer ≥ 0');
  const bytes = 4 * dim * n;
  if (coords.size < bytes) {
    throw new InvalidParameterError('coords.size', coords.size, `at least ${bytes} bytes for n = ${n}, dim = ${dim}`);
  }
}

function emptyStats(clock: PhaseClock<DbscanPhase>): DbscanStats {
  return {...clock.stop(), counters: {clusters: 0, levels: 0, maxFrontier: 0, batches: 0}};
}
