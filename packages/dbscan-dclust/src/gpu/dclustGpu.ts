import {
  extendResult,
  pointCount,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanPhase,
  type DbscanResult,
  type DbscanStats,
  type PointSet,
} from '@epsball/clustering';
import {createAll, GpuDbscan, Scratch, type Gpu, type GpuRun} from '@epsball/gpu';
import {directoryShape} from '@epsball/quantile-directory';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {settleOptions, type DclustOptions, type DclustSettings} from '../options.ts';
import {ChainSearch, stateOf} from './chainSearch.ts';
import {ClusterLabels, type Labelled} from './clusterLabels.ts';
import {PointIndex} from './indexedPoints.ts';
import {requireLists, requirePoints, takeRunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';
import {kernelTimes, phaseTimes, type TimedPart} from './timedParts.ts';

/** Prefix of the labels of device objects. */
const LABEL = 'dbscan-dclust';
/** Counters of a run without a search. */
const NO_COUNTERS = {...countersOf(new Uint32Array(searchStructs.Search.size / 4)), batches: 0, collisionMs: 0};
/** Workgroup memory holds sixteen blocks of four axes (points.wgsl). */
const MAX_DIM = 64;
/** Default number of chains: eight workgroups of 256 fit on each of an H200's 132 multiprocessors. */
const DEFAULT_CHAINS = {hardware: 1024, software: 8};

/**
 * CUDA-DClust and, with the index `directory`, CUDA-DClust* (Böhm et al.) on WebGPU. Chains of points, which are parts
 * of clusters, are expanded at the same time, one workgroup per chain. Chains that collide belong to one cluster. 1 to
 * 64 dimensions, float32 and float64 points.
 *
 * The host reads the state once per batch of up to 64 rounds. Counters: `clusters`, `chains` (those that began with a
 * core point), `collisions`, `overflows` (seeds that a full list did not take), `refills` (calls of the refill kernel
 * that distributed seeds), `rescans` (second passes over core points), `splits`, `exactSeeds`, `contestedBorders`,
 * `rounds`, `batches`, `collisionMs` (on the host, resolving the matrix); with `kernelTimes` also `expansionMs`,
 * `newSeedsMs`, `seedRefillMs`. Device memory per point, float32: 4·dim + 16·⌈dim / 4⌉ + 29 bytes and the directory's;
 * also lists of fixed size.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range
 * @throws GpuLimitError  if the device has no buffer for all seed lists
 * @complexity  O(n · c) work, c = candidates of a point: n without an index
 * @source  Böhm, Noll, Plant, Wackersreuther 2009, Density-based clustering using graphics processors, sections 5 and 6
 */
export async function createDclustGpu(gpu: Gpu, options: DclustOptions = {}): Promise<DbscanAlgorithm> {
  const settings = settleOptions(options, gpu.pick(DEFAULT_CHAINS));
  // The levels of a run never exceed those requested, so a shape that is valid here is valid for every run.
  if (settings.index === 'directory') directoryShape(Infinity, settings);
  requireLists(gpu, settings);
  const scratch = new Scratch(gpu, LABEL);
  const [index, search, labels] = await createAll([
    PointIndex.create(gpu, settings),
    ChainSearch.create(gpu),
    ClusterLabels.create(gpu, scratch),
  ]);
  const uploader = new PointUploader(gpu, LABEL);
  return new DclustPipeline(gpu, settings, {index, search, labels, uploader, scratch});
}

interface Parts {
  readonly index: PointIndex;
  readonly search: ChainSearch;
  readonly labels: ClusterLabels;
  readonly uploader: PointUploader;
  readonly scratch: Scratch;
}

type Run = GpuRun<DbscanPhase, TimedPart>;

class DclustPipeline extends GpuDbscan<TimedPart> {
  readonly #settings: DclustSettings;
  readonly #parts: Parts;

  constructor(gpu: Gpu, settings: DclustSettings, parts: Parts) {
    super(gpu, {
      name: 'dclust',
      label: LABEL,
      maxDim: MAX_DIM,
      counters: NO_COUNTERS,
      owned: Object.values(parts),
      outOfMemory: 'fewer points or chains, or a smaller seedLength or quarantineBytes, would need less',
    });
    this.#settings = settings;
    this.#parts = parts;
  }

  protected override check(points: PointSet): void {
    requirePoints(this.gpu.limits, pointCount(points), points.dim);
  }

  protected override async cluster(
    points: PointSet,
    params: DbscanParams,
    run: Run,
    output: DbscanOutputOptions,
  ): Promise<DbscanResult> {
    const n = pointCount(points);
    // No point can have more neighbours than there are points.
    if (n < params.minPts) {
      const [labels, coreMask] = [new Int32Array(n).fill(-1), new Uint8Array(n)];
      return {labels, coreMask, clusterCount: 0, stats: await this.#stats(run, NO_COUNTERS)};
    }
    const {coming, state, batches, collisionMs} = await this.#cluster(points, params, run);
    run.enter('readBack');
    const labels = await coming.take(output);
    return extendResult(labels, {stats: await this.#stats(run, {...countersOf(state), batches, collisionMs})});
  }

  async #cluster(points: PointSet, params: DbscanParams, run: Run): Promise<Found> {
    const {index, search, labels, uploader, scratch} = this.#parts;
    run.enter('upload');
    const onDevice = await uploader.upload(points);
    const layout = index.plan(onDevice);
    const buffers = takeRunBuffers(this.gpu, scratch, this.#settings, layout, params);
    if (layout.isOrdered) run.enter('index');
    const indexed = await index.build(points, onDevice, layout, {eps: params.eps, beginPass: run.passes('index')});
    // One wait, so that the phase `index` ends with the build (the paper's Table 1).
    const isBuilt = layout.isOrdered ? this.gpu.device.queue.onSubmittedWorkDone() : undefined;
    if (!layout.isOrdered) run.enter('clusters');
    const {chains, kernelTimes: isTimedByKernel} = this.#settings;
    const input = {points: indexed, buffers, chains, isTimedByKernel, run};
    search.layOut(input);
    const steps = search.prepare(input);
    await isBuilt;
    run.throwIfAborted('index');
    run.enter('clusters');
    const batches = await search.expand(input, steps);
    const resolvedAt = performance.now();
    const resolved = await labels.resolve(input);
    const collisionMs = performance.now() - resolvedAt;
    run.enter('borders');
    const labelled = await labels.label(input, resolved);
    return {...labelled, batches, collisionMs};
  }

  async #stats(run: Run, counters: Readonly<Record<string, number>>): Promise<DbscanStats> {
    const {devicePhaseMs: times, ...stats} = await run.stats(counters);
    if (!times) return stats;
    return {...stats, counters: {...counters, ...kernelTimes(times)}, devicePhaseMs: phaseTimes(times)};
  }
}

interface Found extends Labelled {
  readonly batches: number;
  readonly collisionMs: number;
}

/** Counters of the paper, and more, from the words of the struct Search. */
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
