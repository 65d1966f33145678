import {
  DestroyedError,
  GpuLimitError,
  PhaseClock,
  pointCount,
  throwIfAborted,
  validateRun,
  type DbscanAlgorithm,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanRunOptions,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {createAll, DeviceTimer, Reader, Scratch, type Gpu} from '@epsball/gpu';
import {directoryShape} from '@epsball/quantile-directory';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {settleOptions, type DclustOptions, type DclustSettings} from '../options.ts';
import {ChainSearch, stateOf} from './chainSearch.ts';
import {ClusterLabels, type DeviceLabels} from './clusterLabels.ts';
import {PointIndex} from './indexedPoints.ts';
import {requireLists, requirePoints, takeRunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';
import {kernelTimes, phaseTimes, type TimedPart} from './timedParts.ts';

/** Storage buffers that the largest kernel binds. */
const STORAGE_BUFFERS = 12;
/** Sixteen blocks of four axes lie in workgroup memory (points.wgsl). */
const MAX_DIM = 64;
/** Chains unless told: eight workgroups of 256 fit on each of an H200's 132 multiprocessors. */
const DEFAULT_CHAINS = {hardware: 1024, software: 8};

/**
 * CUDA-DClust and, with the index `directory`, CUDA-DClust* (Böhm et al.) on WebGPU: chains of points that are parts of one
 * cluster are expanded at the same time, one workgroup a chain; collisions of chains tell which are one cluster. 1 to 64
 * dimensions, float32 and float64 points.
 *
 * Rounds are recorded in batches, so the host waits once per up to 64 rounds. Counters: `clusters`, `chains` (those that began
 * with a core point), `collisions`, `overflows` (seeds that a full list did not take), `refills` (calls of the refill kernel that
 * handed out seeds), `rescans` (second passes over core points), `splits`, `exactSeeds`, `contestedBorders`, `rounds`, `batches`,
 * `collisionMs` (host, resolving the matrix); with `kernelTimes` also `expansionMs`, `newSeedsMs`, `seedRefillMs`.
 * Device bytes a point, float32: 4·dim + 16·⌈dim / 4⌉ + 29, and those of the directory; beside that lists of fixed size.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range
 * @throws GpuLimitError          if the device binds fewer than 12 storage buffers a kernel, or no buffer for seed lists of all chains
 * @complexity O(n · c) work, c = candidates around a point: n without an index
 * @source  Böhm, Noll, Plant, Wackersreuther 2009, Density-based clustering using graphics processors, sections 5 and 6
 */
export async function createDclustGpu(gpu: Gpu, options: DclustOptions = {}): Promise<DbscanAlgorithm> {
  const settings = settleOptions(options, DEFAULT_CHAINS[gpu.info.kind === 'hardware' ? 'hardware' : 'software']);
  // No points have more levels than asked for, so a shape that fits here fits every run.
  if (settings.index === 'directory') directoryShape(Infinity, settings);
  gpu.requireStorageBuffers(STORAGE_BUFFERS);
  requireLists(gpu, settings);
  const scratch = new Scratch(gpu, 'dbscan-dclust');
  const [index, search, labels] = await createAll([
    PointIndex.create(gpu, settings),
    ChainSearch.create(gpu),
    ClusterLabels.create(gpu, scratch),
  ]);
  return new DclustPipeline(gpu, settings, {scratch, index, search, labels});
}

class DclustPipeline implements DbscanAlgorithm {
  readonly #gpu: Gpu;
  readonly #settings: DclustSettings;
  readonly #scratch: Scratch;
  readonly #index: PointIndex;
  readonly #search: ChainSearch;
  readonly #labels: ClusterLabels;
  readonly #uploader: PointUploader;
  readonly #reader: Reader;
  readonly #timer: DeviceTimer<TimedPart>;
  #isDestroyed = false;

  constructor(gpu: Gpu, settings: DclustSettings, parts: Parts) {
    this.#gpu = gpu;
    this.#settings = settings;
    this.#scratch = parts.scratch;
    this.#index = parts.index;
    this.#labels = parts.labels;
    this.#search = parts.search;
    this.#uploader = new PointUploader(gpu, 'dbscan-dclust');
    this.#reader = new Reader(gpu, 'dbscan-dclust');
    this.#timer = new DeviceTimer(gpu, 'dbscan-dclust');
  }

  async run(points: PointSet, params: DbscanParams, options: DbscanRunOptions = {}): Promise<DbscanResult> {
    if (this.#isDestroyed) throw new DestroyedError('dclust');
    validateRun(points, params, {variant: 'dclust', maxDim: MAX_DIM, signal: options.signal});
    const n = pointCount(points);
    requirePoints(this.#gpu, n, points.dim);
    const clock = new PhaseClock<DbscanPhase>();
    const labels = new Int32Array(n);
    const coreMask = new Uint8Array(n);
    // No point can have more neighbours than there are points.
    if (n < params.minPts) return noise(labels, coreMask, clock);
    const work = async (): Promise<DbscanResult> => {
      this.#gpu.resetPeak();
      const found = await this.#cluster(points, {params, options, clock});
      clock.enter('readBack');
      await this.#reader.read(found.labels, labels);
      await this.#reader.read(found.coreMask, coreMask);
      const clusterCount = stateOf(found.state, 'clusters');
      return {labels, coreMask, clusterCount, stats: await this.#stats(clock, found)};
    };
    return this.#gpu.guard('dclust', work).catch((error: unknown) => {
      throw withAdvice(error);
    });
  }

  async #cluster(points: PointSet, {params, options, clock}: RunContext): Promise<Found> {
    const {chains} = this.#settings;
    const timer = this.#timer;
    timer.reset();
    clock.enter('upload');
    const onDevice = await this.#uploader.upload(points);
    const layout = this.#index.plan(onDevice);
    const buffers = takeRunBuffers(this.#gpu, this.#scratch, this.#settings, layout, params);
    if (layout.isOrdered) clock.enter('index');
    const beginPass = (encoder: GPUCommandEncoder): GPUComputePassEncoder => timer.beginPass(encoder, 'index');
    const indexed = await this.#index.build(points, onDevice, layout, {eps: params.eps, beginPass});
    // One wait, so that the time of the index is its own: the paper's Table 1 asks for it.
    const isBuilt = layout.isOrdered ? this.#gpu.device.queue.onSubmittedWorkDone() : undefined;
    if (!layout.isOrdered) clock.enter('clusters');
    const isTimedByKernel = this.#settings.kernelTimes;
    const input = {points: indexed, buffers, chains, timer, isTimedByKernel, options};
    this.#search.layOut(input);
    const steps = this.#search.prepare(input);
    await isBuilt;
    throwIfAborted(options.signal, 'index');
    clock.enter('clusters');
    const batches = await this.#search.run(input, steps);
    const resolvedAt = performance.now();
    const resolved = await this.#labels.resolve(input);
    const collisionMs = performance.now() - resolvedAt;
    clock.enter('borders');
    const labelled = await this.#labels.label(input, resolved);
    return {...labelled, batches, collisionMs};
  }

  async #stats(clock: PhaseClock<DbscanPhase>, {state, batches, collisionMs}: Found): Promise<DbscanStats> {
    const times = clock.stop();
    const counters = {...countersOf(state), batches, collisionMs};
    const deviceBytes = this.#gpu.peakBytes;
    const deviceTimes = await this.#timer.read();
    if (!deviceTimes) return {...times, counters, deviceBytes};
    const devicePhaseMs = phaseTimes(deviceTimes);
    const deviceMs = Object.values(devicePhaseMs).reduce((sum, ms) => sum + ms, 0);
    return {...times, counters: {...counters, ...kernelTimes(deviceTimes)}, deviceBytes, deviceMs, devicePhaseMs};
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const owned of [this.#index, this.#search, this.#labels, this.#uploader]) owned.destroy();
    for (const owned of [this.#reader, this.#scratch, this.#timer]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

interface Parts {
  readonly scratch: Scratch;
  readonly index: PointIndex;
  readonly search: ChainSearch;
  readonly labels: ClusterLabels;
}

interface RunContext {
  readonly params: DbscanParams;
  readonly options: DbscanRunOptions;
  readonly clock: PhaseClock<DbscanPhase>;
}

interface Found extends DeviceLabels {
  readonly batches: number;
  readonly collisionMs: number;
}

/** Out of memory says what would take less. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof GpuLimitError) || !Number.isNaN(error.allowed)) return error;
  const advice = 'fewer points, chains, places (seedLength) or quarantineBytes would take less';
  return new GpuLimitError(error.what, error.asked, Number.NaN, advice, {cause: error});
}

/** What the paper reports, and more, from the words of the struct Search. */
function countersOf(state: Uint32Array): Record<string, number> {
  return {
    clusters: stateOf(state, 'clusters'),
    chains: stateOf(state, 'chains'),
    collisions: stateOf(state, 'collisions'),
    overflows: stateOf(state, 'overflows'),
    refills: stateOf(state, 'refills'),
    rescans: stateOf(state, 'rescans'),
    splits: stateOf(state, 'splits'),
    exactSeeds: stateOf(state, 'exactSeeds'),
    contestedBorders: stateOf(state, 'contestedLength'),
    rounds: stateOf(state, 'round'),
  };
}

function noise(labels: Int32Array, coreMask: Uint8Array, clock: PhaseClock<DbscanPhase>): DbscanResult {
  const counters = {...countersOf(new Uint32Array(searchStructs.Search.size / 4)), batches: 0, collisionMs: 0};
  return {labels: labels.fill(-1), coreMask, clusterCount: 0, stats: {...clock.stop(), counters}};
}
