import {
  extendResult,
  pointCount,
  type DbscanAlgorithm,
  type DbscanOutputOptions,
  type DbscanParams,
  type DbscanResult,
  type PointSet,
} from '@epsball/clustering';
import {createAll, GpuDbscan, Scratch, type Gpu} from '@epsball/gpu';
import {directoryShape} from '@epsball/spatial-grid/quantile';
import {PointUploader} from '@epsball/spatial-grid/gpu';
import {settleOptions, type DclustOptions, type DclustSettings} from '../options.ts';
import {ChainSearch, stateOf, statsOf, type Chains, type TimedPart} from './chainSearch.ts';
import {ClusterLabels} from './clusterLabels.ts';
import {PointIndex} from './indexedPoints.ts';
import {requireLists, requirePoints, takeRunBuffers} from './runBuffers.ts';
import {searchStructs} from './search.wgsl.ts';

const LABEL = 'dbscan-dclust';
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
  return new DclustPipeline(gpu, settings, await createParts(gpu, settings));
}

type Parts = Readonly<Awaited<ReturnType<typeof createParts>>>;

async function createParts(gpu: Gpu, settings: DclustSettings) {
  const scratch = new Scratch(gpu, LABEL);
  const [index, search, labels] = await createAll([
    PointIndex.create(gpu, settings),
    ChainSearch.create(gpu),
    ClusterLabels.create(gpu, scratch),
  ]);
  return {index, search, labels, uploader: new PointUploader(gpu, LABEL), scratch};
}

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
    run: Chains['run'],
    output: DbscanOutputOptions,
  ): Promise<DbscanResult> {
    const n = pointCount(points);
    // No point can have more neighbours than there are points.
    if (n < params.minPts) {
      const [labels, coreMask] = [new Int32Array(n).fill(-1), new Uint8Array(n)];
      return {labels, coreMask, clusterCount: 0, stats: await statsOf(run, NO_COUNTERS)};
    }
    const {search, labels} = this.#parts;
    const input = await this.#index(points, params, run);
    search.layOut(input);
    const steps = search.prepare(input);
    // One wait, so that the phase `index` ends with the build (the paper's Table 1).
    if (run.clock.phase === 'index') await run.settle('index');
    else run.throwIfAborted();
    run.enter('clusters');
    const batches = await search.expand(input, steps, this.#settings.kernelTimes);
    const resolvedAt = performance.now();
    const resolved = await labels.resolve(input);
    const collisionMs = performance.now() - resolvedAt;
    run.enter('borders');
    const {coming, state} = await labels.label(input, resolved);
    run.enter('readBack');
    const result = await coming.take(output);
    return extendResult(result, {stats: await statsOf(run, {...countersOf(state), batches, collisionMs})});
  }

  async #index(points: PointSet, params: DbscanParams, run: Chains['run']): Promise<Chains> {
    const {index, uploader, scratch} = this.#parts;
    run.enter('upload');
    const onDevice = await uploader.upload(points);
    const isOrdered = index.plan(onDevice) !== undefined;
    const buffers = takeRunBuffers(this.gpu, scratch, this.#settings, onDevice, isOrdered, params);
    run.enter(isOrdered ? 'index' : 'clusters');
    const onPart = (part: number): Promise<void> => run.reachPart('index', part);
    const indexed = await index.build(points, onDevice, params.eps, run.passes('index'), onPart);
    return {points: indexed, buffers, chains: this.#settings.chains, run};
  }
}

function countersOf(state: Uint32Array): Record<string, number> {
  const names = [
    'clusters',
    'chains',
    'collisions',
    'overflows',
    'refills',
    'rescans',
    'splits',
    'exactSeeds',
  ] as const;
  const counters = Object.fromEntries(names.map((name) => [name, stateOf(state, name)]));
  return {...counters, contestedBorders: stateOf(state, 'contestedLength'), rounds: stateOf(state, 'round')};
}
