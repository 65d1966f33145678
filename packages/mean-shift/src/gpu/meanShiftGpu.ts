import {InvalidParameterError, PhaseClock, pointCount, type PointSet} from '@epsball/clustering';
import {DeviceTimer, Reader, Scratch, Uploader, type Gpu} from '@epsball/gpu';
import {checkRun, type CheckedRun} from '../checkRun.ts';
import {gaussianCutBound} from '../gaussianCut.ts';
import {labelClimbs} from '../labelClimbs.ts';
import type {
  MeanShiftAlgorithm,
  MeanShiftParams,
  MeanShiftPhase,
  MeanShiftResult,
  MeanShiftStats,
  ShiftOptions,
} from '../meanShift.ts';
import {ClimbSearch, TEAMS_BELOW_HARDWARE, type ClimbCounts} from './climbSearch.ts';
import {deviceSource, hostSource, type DevicePoints, type PointSource} from './devicePoints.ts';
import {DeviceGroups} from './deviceGroups.ts';
import {PlaceIndex, type IndexedPlaces} from './placeIndex.ts';
import {coordsOfPlaces, placeScale, placeWords, type PlaceScale} from './placeScale.ts';

/** Dimensions that the kernels take. */
const MAX_DIM = 16;

/** A result whose ends of climbs stay on the device. */
export type LabelResult = Omit<MeanShiftResult, 'shifted'>;

export interface MeanShiftGpuOptions {
  /**
   * Fewer climbs than these take a workgroup each instead of an invocation each; integer ≥ 0. Default: 16384 on hardware, 0 on software adapters, whose
   * invocations take turns anyway.
   */
  readonly teamsBelow?: number | undefined;
}

/** Mean shift on WebGPU. Made by `createMeanShiftGpu`. */
export interface MeanShiftGpu extends MeanShiftAlgorithm {
  /**
   * As `run`, without `shifted`: for many points, reading it back takes longer than all else. Points that are on the device are clustered by modes.
   */
  label(points: PointSet | DevicePoints, params: MeanShiftParams, options?: ShiftOptions): Promise<LabelResult>;
}

/**
 * Mean shift on WebGPU, in 1 to 16 dimensions: one invocation a climb, candidates from a grid in device memory, climbs that have arrived
 * leave the list; modes are grouped on the device, and the host merges the groups. Beyond 4 dimensions the grid looks at the first 3.
 *
 * Arithmetic is float32 on coordinates relative to the middle of the points' box, in units of the bandwidth; float64 points are rounded
 * once, after that. A step is off by less than 10^-5 bandwidths where the box is narrower than 100 of them, else by some 2^-23 of the box.
 *
 * Device bytes a point, up to 4 dimensions: places 48, grid at most 72, lists and weights 16, groups 40 more where modes are merged.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range
 * @complexity as `createMeanShiftSequential`
 * @source     Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002
 */
export async function createMeanShiftGpu(gpu: Gpu, options: MeanShiftGpuOptions = {}): Promise<MeanShiftGpu> {
  const {teamsBelow = gpu.info.kind === 'hardware' ? TEAMS_BELOW_HARDWARE : 0} = options;
  if (!Number.isInteger(teamsBelow) || teamsBelow < 0) {
    throw new InvalidParameterError('teamsBelow', teamsBelow, 'an integer ≥ 0');
  }
  const scratch = new Scratch(gpu, 'mean-shift');
  const [index, groups] = await Promise.all([PlaceIndex.create(gpu, scratch), DeviceGroups.create(gpu, scratch)]);
  return new MeanShiftPipeline(gpu, {scratch, index, groups, search: new ClimbSearch(gpu, scratch, teamsBelow)});
}

class MeanShiftPipeline implements MeanShiftGpu {
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #index: PlaceIndex;
  readonly #groups: DeviceGroups;
  readonly #search: ClimbSearch;
  readonly #uploader: Uploader;
  readonly #reader: Reader;
  readonly #timer: DeviceTimer<MeanShiftPhase>;
  #isDestroyed = false;

  constructor(gpu: Gpu, parts: {scratch: Scratch; index: PlaceIndex; groups: DeviceGroups; search: ClimbSearch}) {
    this.#gpu = gpu;
    this.#scratch = parts.scratch;
    this.#index = parts.index;
    this.#groups = parts.groups;
    this.#search = parts.search;
    this.#uploader = new Uploader(gpu, 'mean-shift');
    this.#reader = new Reader(gpu, 'mean-shift');
    this.#timer = new DeviceTimer(gpu, 'mean-shift');
  }

  run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    return this.#start(hostSource(points, this.#uploader), params, options, true);
  }

  async label(
    points: PointSet | DevicePoints,
    params: MeanShiftParams,
    options: ShiftOptions = {},
  ): Promise<LabelResult> {
    const isOnDevice = 'write' in points;
    const source = isOnDevice ? deviceSource(points, params, options) : hostSource(points, this.#uploader);
    return this.#start(source, params, options, false);
  }

  async #start(
    source: PointSource,
    params: MeanShiftParams,
    options: ShiftOptions,
    wantsShifted: boolean,
  ): Promise<MeanShiftResult> {
    if (this.#isDestroyed) {
      throw new InvalidParameterError('mean-shift', 'destroyed', 'an algorithm that is not destroyed');
    }
    const run = checkRun(source.box, params, options, {name: 'mean-shift on a GPU', maxDim: MAX_DIM});
    const clock = new PhaseClock<MeanShiftPhase>();
    if (source.n === 0) return emptyResult(run, clock);
    return this.#gpu.guard('mean-shift', async () => {
      this.#gpu.resetPeak();
      this.#timer.reset();
      const placed = await this.#climb(source, run, options, clock);
      const result = await this.#finish(source.box, run, placed, wantsShifted, clock);
      const stats = await this.#stats(clock, placed.counts, result.leastWeight, {n: source.n, run});
      const {longest} = placed.counts;
      const iterations = run.rules.kernel === 'flat' ? Math.max(0, longest - 1) : longest;
      const {shifted, labels, clusterCenters} = result;
      return {shifted, iterations, labels, clusterCenters, stats};
    });
  }

  async #climb(
    source: PointSource,
    run: CheckedRun,
    options: ShiftOptions,
    clock: PhaseClock<MeanShiftPhase>,
  ): Promise<Placed> {
    const {rules, seeds} = run;
    const {n, box} = source;
    const m = seeds === undefined ? n : pointCount(seeds);
    const scale = placeScale(box, run);
    const bytes = 16 * scale.blocks;
    clock.enter('upload');
    const uploaded = this.#scratch.take('points', bytes * n);
    await source.write(uploaded, scale);
    clock.enter('index');
    const radius = rules.radius * scale.factor;
    const beginPass = (encoder: GPUCommandEncoder): GPUComputePassEncoder => this.#timer.beginPass(encoder, 'index');
    const indexed = await this.#index.build({points: uploaded, n, dim: box.dim, scale, radius}, beginPass);
    const places = this.#scratch.take('places', bytes * m);
    if (seeds === undefined) {
      const encoder = this.#gpu.device.createCommandEncoder();
      encoder.copyBufferToBuffer(indexed.points, 0, places, 0, bytes * n);
      this.#gpu.device.queue.submit([encoder.finish()]);
    } else {
      await this.#uploader.fill(bytes * m, places, placeWords(seeds, scale));
    }
    clock.enter('shift');
    const weights = this.#scratch.take('weights', 4 * m);
    const counts = await this.#search.run(
      {
        points: indexed.points,
        n,
        places,
        m,
        weights,
        blocks: scale.blocks,
        grid: indexed.grid,
        isFlat: rules.kernel === 'flat',
        maxSteps: rules.maxSteps,
        radius2: radius * radius,
        minStep2: (rules.minStep * scale.factor) ** 2,
      },
      this.#timer,
      options,
    );
    return {places, weights, m, indexed, uploaded, scale, counts};
  }

  /** Labels, on the device where it can, and what the caller wants to have. */
  async #finish(
    points: PointSet,
    run: CheckedRun,
    {places, weights, m, indexed, uploaded, scale}: Placed,
    wantsShifted: boolean,
    clock: PhaseClock<MeanShiftPhase>,
  ): Promise<Finished> {
    clock.enter('labels');
    const {dim} = points;
    const modes = {places, pointOrder: indexed.pointOrder, m, dim, scale, bandwidth: run.rules.bandwidth};
    const isOnDevice = run.assignment === 'mode' && this.#groups.canMerge(modes);
    const merged = isOnDevice
      ? await this.#groups.merge(modes, (encoder) => this.#timer.beginPass(encoder, 'labels'))
      : undefined;
    clock.enter('readBack');
    let ends: Float64Array = new Float64Array(0);
    let endWeights = new Float32Array(0);
    if (wantsShifted || merged === undefined) {
      // Of points, in their own order; the buffer of the upload has room for them.
      const ordered =
        run.seeds === undefined
          ? await this.#index.scatter({places, weights, m, indexed, into: uploaded, scale})
          : {places, weights};
      const words = new Float32Array(4 * scale.blocks * m);
      await this.#reader.read(ordered.places, words);
      endWeights = new Float32Array(m);
      await this.#reader.read(ordered.weights, endWeights);
      ends = coordsOfPlaces(words, dim, scale);
    }
    const leastWeight = endWeights.reduce((least, weight) => (weight > 0 ? Math.min(least, weight) : least), Infinity);
    if (merged !== undefined) {
      const labels = new Int32Array(m);
      await this.#reader.read(merged.labels, labels);
      return {shifted: ends, labels, clusterCenters: merged.clusterCenters, leastWeight};
    }
    clock.enter('labels');
    const labelled = labelClimbs(points, {ends, weights: endWeights, steps: new Uint32Array(0)}, run);
    return {shifted: ends, ...labelled, leastWeight};
  }

  async #stats(
    clock: PhaseClock<MeanShiftPhase>,
    {arrived, shifts}: ClimbCounts,
    leastWeight: number,
    {n, run}: {n: number; run: CheckedRun},
  ): Promise<MeanShiftStats> {
    const times = clock.stop();
    const counters: Record<string, number> = {arrived, shifts};
    if (run.cut > 0 && leastWeight < Infinity) counters.cutBound = gaussianCutBound(run.cut, n, leastWeight);
    const stats = {...times, counters, deviceBytes: this.#gpu.peakBytes};
    const devicePhaseMs = await this.#timer.read();
    if (!devicePhaseMs) return stats;
    return {...stats, devicePhaseMs, deviceMs: Object.values(devicePhaseMs).reduce((sum, ms) => sum + ms, 0)};
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const owned of [this.#index, this.#groups, this.#search, this.#uploader, this.#reader]) owned.destroy();
    for (const owned of [this.#scratch, this.#timer]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** Climbs that have ended. */
interface Placed {
  readonly places: GPUBuffer;
  readonly weights: GPUBuffer;
  readonly m: number;
  readonly indexed: IndexedPlaces;
  readonly uploaded: GPUBuffer;
  readonly scale: PlaceScale;
  readonly counts: ClimbCounts;
}

interface Finished {
  readonly shifted: Float64Array;
  readonly labels: Int32Array;
  readonly clusterCenters: Float64Array;
  /** Infinite where the weights have stayed on the device. */
  readonly leastWeight: number;
}

function emptyResult({seeds}: CheckedRun, clock: PhaseClock<MeanShiftPhase>): MeanShiftResult {
  const shifted = Float64Array.from(seeds?.coords ?? []);
  const stats = {...clock.stop(), counters: {arrived: 0, shifts: 0}};
  return {shifted, iterations: 0, labels: new Int32Array(0), clusterCenters: new Float64Array(0), stats};
}
