import {InvalidParameterError, PhaseClock, pointCount, validatePointShape, type PointSet} from '@epsball/clustering';
import {AlgorithmFrame, Scratch, type Gpu} from '@epsball/gpu';
import {checkRun, MEAN_SHIFT_PARAMS, type CheckedRun} from '../checkRun.ts';
import {checkRunNames} from '../shift/validateShift.ts';
import {runOnDuplicates} from '../modes/duplicates.ts';
import {endBound, UNIT_32} from '../endBound.ts';
import {gaussianCutBound} from '../gaussianCut.ts';
import type {LabelResult, MeanShiftParams, MeanShiftPhase, MeanShiftResult, ShiftOptions} from '../algorithm.ts';
import type {MeanShiftGpu, MeanShiftGpuOptions} from './meanShiftGpuTypes.ts';
import {FIRST_PAIRS, WORKGROUPS_BELOW} from './climb/pointClimber.ts';
import {areOnDevice, deviceSource, type DevicePoints, type PointSource} from './points/devicePoints.ts';
import {HostPoints} from './points/hostPoints.ts';
import {noFlatLattice} from './lattice/latticeLayout.ts';
import {MAX_LATTICE, MIN_LATTICE} from './lattice/latticeTaps.ts';
import {DeviceTrajectories, type FinishedTrajectories} from './deviceTrajectories.ts';
import {VectorIndex} from './points/vectorIndex.ts';
import {DeviceLabels} from './modes/deviceLabels.ts';
import {OPERATIONS} from './lattice/portions.ts';

/** Most dimensions of the kernels. */
const MAX_DIM = 16;

/** How work is divided. The result does not depend on it. Only tests set it. */
export interface MeanShiftTuning {
  /**
   * Fewer trajectories than these get a workgroup each instead of an invocation each; integer ≥ 0. Default: 16384 on
   * hardware; 0 on software adapters, which run invocations one after another anyway.
   */
  readonly workgroupsBelow?: number | undefined;
  /**
   * Approximate limit on the pairs of a trajectory and a point in the first dispatches of a run, integer ≥ 1. Before
   * the first timing, every point may be a candidate of every trajectory. Later dispatches take some 50 ms each.
   */
  readonly firstPairs?: number | undefined;
  /**
   * Approximate limit on reads and writes of a submission over a lattice, integer ≥ 1. The signal is checked between
   * two submissions. By default a submission takes some 50 ms, and a million points take one or two.
   */
  readonly latticeOperations?: number | undefined;
}

/** `createMeanShiftGpu` with tuning. */
export async function createMeanShiftPipeline(
  gpu: Gpu,
  {lattice = 0}: MeanShiftGpuOptions,
  tuning: MeanShiftTuning = {},
): Promise<MeanShiftGpu> {
  const {workgroupsBelow = gpu.pick(WORKGROUPS_BELOW), firstPairs = gpu.pick(FIRST_PAIRS)} = tuning;
  const {latticeOperations: operations = gpu.pick(OPERATIONS)} = tuning;
  if (lattice !== 0 && !(lattice >= MIN_LATTICE && lattice <= MAX_LATTICE)) {
    throw new InvalidParameterError('lattice', lattice, `0, or a number from ${MIN_LATTICE} to ${MAX_LATTICE}`);
  }
  const scratch = new Scratch(gpu, 'mean-shift');
  const index = await VectorIndex.create(gpu, scratch);
  const labels = await DeviceLabels.create(gpu, scratch, index);
  const trajectories = new DeviceTrajectories(gpu, scratch, index, {workgroupsBelow, firstPairs, lattice, operations});
  const points = new HostPoints(gpu, scratch);
  return new MeanShiftPipeline(gpu, {points, index, trajectories, labels, scratch});
}

class MeanShiftPipeline implements MeanShiftGpu {
  readonly #frame: AlgorithmFrame<MeanShiftPhase>;
  readonly #parts: Parts;

  constructor(gpu: Gpu, parts: Parts) {
    this.#frame = new AlgorithmFrame(gpu, {name: 'mean-shift', label: 'mean-shift', owned: Object.values(parts)});
    this.#parts = parts;
  }

  async run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    return this.#start(this.#sourceOf(points), params, options, true);
  }

  async label(
    points: PointSet | DevicePoints,
    params: MeanShiftParams,
    options: ShiftOptions = {},
  ): Promise<LabelResult> {
    const source = areOnDevice(points) ? deviceSource(points, params, options) : this.#sourceOf(points);
    return this.#start(source, params, options, false);
  }

  #sourceOf(points: PointSet): PointSource {
    validatePointShape(points);
    return this.#parts.points.source(points);
  }

  async #start(
    source: PointSource,
    params: MeanShiftParams,
    options: ShiftOptions,
    wantsShifted: boolean,
  ): Promise<MeanShiftResult> {
    this.#frame.throwIfDestroyed();
    checkRunNames(params, options, MEAN_SHIFT_PARAMS);
    // At bandwidth 0 the device does not read the points.
    const looksForNonFinite = source.looksForNonFinite && params.bandwidth !== 0;
    const checked = checkRun(source.box, params, options, {
      name: 'mean-shift on a GPU',
      maxDim: MAX_DIM,
      looksForNonFinite,
    });
    if (source.n === 0) return emptyResult(checked, new PhaseClock<MeanShiftPhase>());
    const {trajectories, labels} = this.#parts;
    if (checked.rules.bandwidth === 0) {
      if (trajectories.latticeWidth > 0) throw noFlatLattice(trajectories.latticeWidth);
      const result = await runOnDuplicates(source.box, checked, options);
      return wantsShifted ? result : {...result, shifted: new Float64Array(0)};
    }
    const total = checked.seeds === undefined ? source.n : pointCount(checked.seeds);
    return this.#frame.run(total, options, async (run) => {
      const finished = await trajectories.run(source, checked, run);
      await run.makeRoom();
      const request = {checked, wantsShifted, run, take: source.take};
      const {leastWeight, ...result} = await labels.label(source.box, finished, request);
      const {n, box} = source;
      const wantsLattice = trajectories.latticeWidth > 0;
      const counters = countersOf(checked, finished, {n, dim: box.dim, wantsLattice, leastWeight});
      const stats = await run.stats(counters);
      const {longest} = finished.counts;
      const iterations = checked.rules.kernel === 'flat' ? Math.max(0, longest - 1) : longest;
      return {...result, iterations, stats};
    });
  }

  destroy(): void {
    this.#frame.destroy();
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

/** What trajectories have summed over, and the least sum of weights. Infinity if it is not known. */
interface Summed {
  readonly n: number;
  readonly dim: number;
  readonly wantsLattice: boolean;
  readonly leastWeight: number;
}

function countersOf(
  {cut, rules}: CheckedRun,
  {counts, layout, latticeEnd, scale}: FinishedTrajectories,
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
  // Of two parts only the lower one is rounded.
  const coordUnit = scale.quantum === 0 ? UNIT_32 : (UNIT_32 * scale.quantum) / (farthest * unit);
  const computed = {unit: UNIT_32, coordUnit, farthest, sumsCoords: false};
  return {...counters, endBound: endBound({n, dim, cut, leastWeight, tolerance, ...computed})};
}

/** Owned by a pipeline. */
interface Parts {
  readonly points: HostPoints;
  readonly index: VectorIndex;
  readonly trajectories: DeviceTrajectories;
  readonly labels: DeviceLabels;
  readonly scratch: Scratch;
}

function emptyResult({seeds}: CheckedRun, clock: PhaseClock<MeanShiftPhase>): MeanShiftResult {
  const shifted = Float64Array.from(seeds?.coords ?? []);
  const stats = {...clock.stop(), counters: {arrived: 0, shifts: 0}};
  return {shifted, iterations: 0, labels: new Int32Array(0), clusterCenters: new Float64Array(0), stats};
}
