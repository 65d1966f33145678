import {DestroyedError, InvalidParameterError, PhaseClock, type PointSet} from '@epsball/clustering';
import {DeviceTimer, Scratch, type Gpu} from '@epsball/gpu';
import {checkRun, type CheckedRun} from '../checkRun.ts';
import {runOnCopies} from '../copies.ts';
import {endBound, UNIT_32} from '../endBound.ts';
import {gaussianCutBound} from '../gaussianCut.ts';
import type {
  MeanShiftAlgorithm,
  MeanShiftParams,
  MeanShiftPhase,
  MeanShiftResult,
  MeanShiftStats,
  ShiftOptions,
} from '../meanShift.ts';
import {FIRST_PAIRS_HARDWARE, FIRST_PAIRS_SOFTWARE, TEAMS_BELOW_HARDWARE} from './climb/climbSearch.ts';
import {deviceSource, type DevicePoints, type PointSource} from './points/devicePoints.ts';
import {HostPoints} from './points/hostPoints.ts';
import {noFlatLattice} from './lattice/latticeLayout.ts';
import {MAX_LATTICE, MIN_LATTICE} from './lattice/latticeTaps.ts';
import {PlaceClimbs, type PlacedClimbs} from './placeClimbs.ts';
import {PlaceIndex} from './points/placeIndex.ts';
import {PlaceLabels} from './modes/placeLabels.ts';
import {OPERATIONS_HARDWARE, OPERATIONS_SOFTWARE} from './lattice/portions.ts';

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
  /**
   * Pairs of a climb and a point in one of the first dispatches of a run, at most about: before one has been timed, every point may be a candidate of every
   * climb. Later dispatches take some 50 ms each. An integer ≥ 1.
   */
  readonly firstPairs?: number | undefined;
  /**
   * Nodes a bandwidth of a lattice over the points' box: sums of the whole Gaussian are computed at its nodes, and steps interpolate between
   * them, so that a step costs the same however many points weigh. 2 to 32; 0, the default: none. Runs with the flat kernel are refused.
   *
   * In more than 3 dimensions, with far more nodes than points, or with more than the device has room for, 32 bytes each, runs with a cut sum over the points within it;
   * `stats.counters.nodes`, the nodes of the lattice, is 0 then. Runs without a cut would weigh all pairs: they are refused where there is no room or are too many dimensions.
   */
  readonly lattice?: number | undefined;
  /**
   * Of lattices: reads and writes of one submission, about. A signal is looked at between two. An integer ≥ 1; by default a submission takes some 50 ms, and a
   * million points one or two.
   */
  readonly latticeOperations?: number | undefined;
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
 * Arithmetic is float32 on coordinates relative to the middle of the points' box, in units of the bandwidth. Float32 points of up to 4 axes
 * are brought there on the device and rounded twice, others on the host and rounded once. A step is off by less than 10^-5 bandwidths where
 * the box is narrower than 100 of them, else by some 2^-23 of the box. In boxes wider than a thousand bandwidths coordinates take two parts, whole quanta and a float32 below
 * them, and a step is off by as little as in a narrow box; labels are then found on the host. Lattices and `DevicePoints` have one part. At bandwidth 0 the host does
 * what there is to do, and `DevicePoints` are refused.
 *
 * Device bytes a point, up to 4 dimensions: coordinates 16, places 48, grid at most 72, lists and weights 16, groups 40 more where modes are
 * merged; and 32 a node of a lattice, at most 36 more for the bound of its ends. In wide boxes coordinates and places take twice as much.
 *
 * @param gpu  borrowed; destroy the algorithm first
 * @throws InvalidParameterError  if an option is out of range; runs also throw as `chooseLattice`
 * @complexity as `createMeanShiftSequential`
 * @source     Agnolucci 2020, Algorithm 6; Comaniciu and Meer 2002
 */
export async function createMeanShiftGpu(gpu: Gpu, options: MeanShiftGpuOptions = {}): Promise<MeanShiftGpu> {
  const isHardware = gpu.info.kind === 'hardware';
  const {teamsBelow = isHardware ? TEAMS_BELOW_HARDWARE : 0, lattice = 0} = options;
  const {firstPairs = isHardware ? FIRST_PAIRS_HARDWARE : FIRST_PAIRS_SOFTWARE} = options;
  if (!Number.isInteger(teamsBelow) || teamsBelow < 0) {
    throw new InvalidParameterError('teamsBelow', teamsBelow, 'an integer ≥ 0');
  }
  if (!Number.isInteger(firstPairs) || firstPairs < 1) {
    throw new InvalidParameterError('firstPairs', firstPairs, 'an integer ≥ 1');
  }
  if (lattice !== 0 && !(lattice >= MIN_LATTICE && lattice <= MAX_LATTICE)) {
    throw new InvalidParameterError('lattice', lattice, `0, or a number from ${MIN_LATTICE} to ${MAX_LATTICE}`);
  }
  const {latticeOperations: operations = isHardware ? OPERATIONS_HARDWARE : OPERATIONS_SOFTWARE} = options;
  if (!Number.isInteger(operations) || operations < 1) {
    throw new InvalidParameterError('latticeOperations', operations, 'an integer ≥ 1');
  }
  const scratch = new Scratch(gpu, 'mean-shift');
  const timer = new DeviceTimer<MeanShiftPhase>(gpu, 'mean-shift');
  const index = await PlaceIndex.create(gpu, scratch);
  const labels = await PlaceLabels.create(gpu, scratch, {index, timer});
  const climbs = new PlaceClimbs(gpu, scratch, {index, timer}, {teamsBelow, firstPairs, lattice, operations});
  const points = new HostPoints(gpu, scratch);
  return new MeanShiftPipeline(gpu, {scratch, timer, points, index, climbs, labels});
}

class MeanShiftPipeline implements MeanShiftGpu {
  readonly #gpu: Gpu;
  readonly #parts: Parts;
  #isDestroyed = false;

  constructor(gpu: Gpu, parts: Parts) {
    this.#gpu = gpu;
    this.#parts = parts;
  }

  run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    return this.#start(this.#parts.points.source(points), params, options, true);
  }

  async label(
    points: PointSet | DevicePoints,
    params: MeanShiftParams,
    options: ShiftOptions = {},
  ): Promise<LabelResult> {
    const isOnDevice = 'write' in points;
    const source = isOnDevice ? deviceSource(points, params, options) : this.#parts.points.source(points);
    return this.#start(source, params, options, false);
  }

  async #start(
    source: PointSource,
    params: MeanShiftParams,
    options: ShiftOptions,
    wantsShifted: boolean,
  ): Promise<MeanShiftResult> {
    if (this.#isDestroyed) {
      throw new DestroyedError('mean-shift');
    }
    // Where the device has no part, neither does it look.
    const looksForNonFinite = source.looksForNonFinite && params.bandwidth !== 0;
    const run = checkRun(source.box, params, options, {
      name: 'mean-shift on a GPU',
      maxDim: MAX_DIM,
      looksForNonFinite,
    });
    if (source.n === 0) return emptyResult(run, new PhaseClock<MeanShiftPhase>());
    const {timer, climbs, labels} = this.#parts;
    if (run.rules.bandwidth === 0) {
      if (climbs.latticeWidth > 0) throw noFlatLattice(climbs.latticeWidth);
      const result = await runOnCopies(source.box, run, options);
      return wantsShifted ? result : {...result, shifted: new Float64Array(0)};
    }
    return this.#gpu.guard('mean-shift', async () => {
      // Not before: a run waits here for those that came earlier.
      const clock = new PhaseClock<MeanShiftPhase>();
      this.#gpu.resetPeak();
      timer.reset();
      const placed = await climbs.run(source, run, options, clock);
      await timer.makeRoom();
      const request = {run, wantsShifted, clock, signal: options.signal, take: source.take};
      const {leastWeight, ...result} = await labels.label(source.box, placed, request);
      const {n, box} = source;
      const stats = await this.#stats(clock, run, placed, {
        n,
        dim: box.dim,
        wantsLattice: climbs.latticeWidth > 0,
        leastWeight,
      });
      const {longest} = placed.counts;
      const iterations = run.rules.kernel === 'flat' ? Math.max(0, longest - 1) : longest;
      return {...result, iterations, stats};
    });
  }

  async #stats(
    clock: PhaseClock<MeanShiftPhase>,
    run: CheckedRun,
    placed: PlacedClimbs,
    summed: Summed,
  ): Promise<MeanShiftStats> {
    const times = clock.stop();
    const stats = {...times, counters: countersOf(run, placed, summed), deviceBytes: this.#gpu.peakBytes};
    const devicePhaseMs = await this.#parts.timer.read();
    if (!devicePhaseMs) return stats;
    return {...stats, devicePhaseMs, deviceMs: Object.values(devicePhaseMs).reduce((sum, ms) => sum + ms, 0)};
  }

  destroy(): void {
    this.#isDestroyed = true;
    const {points, index, climbs, labels, scratch, timer} = this.#parts;
    for (const owned of [points, index, climbs, labels, scratch, timer]) owned.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** What climbs have summed over, and the least sum of weights; Infinity where nobody knows it. */
interface Summed {
  readonly n: number;
  readonly dim: number;
  readonly wantsLattice: boolean;
  readonly leastWeight: number;
}

function countersOf(
  {cut, rules}: CheckedRun,
  {counts, layout, latticeEnd, scale}: PlacedClimbs,
  {n, dim, wantsLattice, leastWeight}: Summed,
): Record<string, number> {
  const {arrived, shifts} = counts;
  const counters: Record<string, number> = {arrived, shifts};
  if (wantsLattice) counters.nodes = layout?.nodes ?? 0;
  if (latticeEnd !== undefined) return {...counters, endBound: latticeEnd};
  if (rules.kernel === 'flat' || leastWeight === Infinity) return counters;
  if (cut > 0) counters.cutBound = gaussianCutBound(cut, n, leastWeight);
  if (arrived === 0) return counters;
  const unit = rules.bandwidth * scale.factor;
  const farthest = scale.max.reduce((most, x, d) => Math.max(most, x, -scale.min[d]), 0) / unit;
  const tolerance = rules.minStep / rules.bandwidth;
  // Of two parts the lower one is rounded alone.
  const coordUnit = scale.quantum === 0 ? UNIT_32 : (UNIT_32 * scale.quantum) / (farthest * unit);
  const computed = {unit: UNIT_32, coordUnit, farthest, sumsCoords: false};
  return {...counters, endBound: endBound({n, dim, cut, leastWeight, tolerance, ...computed})};
}

/** Of a pipeline, which owns them. */
interface Parts {
  readonly scratch: Scratch;
  readonly timer: DeviceTimer<MeanShiftPhase>;
  readonly points: HostPoints;
  readonly index: PlaceIndex;
  readonly climbs: PlaceClimbs;
  readonly labels: PlaceLabels;
}

function emptyResult({seeds}: CheckedRun, clock: PhaseClock<MeanShiftPhase>): MeanShiftResult {
  const shifted = Float64Array.from(seeds?.coords ?? []);
  const stats = {...clock.stop(), counters: {arrived: 0, shifts: 0}};
  return {shifted, iterations: 0, labels: new Int32Array(0), clusterCenters: new Float64Array(0), stats};
}
