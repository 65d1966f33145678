import {PhaseClock, pointCount, type PointSet} from '@epsball/clustering';
import {AlgorithmFrame, type Gpu, type GpuRun, Owner} from '@epsball/gpu';
import type {
  LabelResult,
  MeanShiftAlgorithm,
  MeanShiftParams,
  MeanShiftPhase,
  MeanShiftResult,
  ShiftAlgorithm,
  ShiftOptions,
  ShiftParams,
  ShiftResult,
} from '../algorithm.ts';
import {checkRun, checkShift, type CheckedClimb, type CheckedRun} from '../checkRun.ts';
import type {Trajectories} from '../climb/climber.ts';
import {runOnDuplicates} from '../modes/duplicates.ts';
import {labelByCenter, labelTrajectories, trajectoryCenters} from '../modes/labelTrajectories.ts';
import {Device} from './device.ts';
import {climbOnDevice, readEnds, type FinishedTrajectories, type TrajectoryChoices} from './deviceTrajectories.ts';
import {noFlatLattice} from './lattice/latticeLayout.ts';
import {DeviceGroups} from './modes/deviceGroups.ts';
import {isFasterOnDevice, labelNearest} from './modes/deviceNearest.ts';
import {areOnDevice, deviceSource, type DevicePoints, type PointSource} from './points/devicePoints.ts';
import {hostSource} from './points/hostPoints.ts';
import {VectorIndex} from './points/vectorIndex.ts';

/** Mean shift on WebGPU, created by `createMeanShiftGpu`. */
export interface MeanShiftGpu extends MeanShiftAlgorithm {
  /**
   * As `run`, without `shifted`: for many points, reading the final positions back takes longer than all else. Points
   * on the device are labelled by modes.
   */
  label(points: PointSet | DevicePoints, params: MeanShiftParams, options?: ShiftOptions): Promise<LabelResult>;
}

type Labelled = Pick<MeanShiftResult, 'shifted' | 'labels' | 'clusterCenters'>;

const BOUNDS = {name: 'mean-shift on a GPU', maxDim: 16};

export class DeviceMeanShift extends Owner implements MeanShiftGpu, ShiftAlgorithm {
  readonly #device: Device;
  readonly #index: VectorIndex;
  readonly #choices: TrajectoryChoices;
  readonly #groups: DeviceGroups;
  readonly #frame: AlgorithmFrame<MeanShiftPhase>;

  private constructor(device: Device, index: VectorIndex, groups: DeviceGroups, choices: TrajectoryChoices) {
    super();
    this.#device = device;
    this.#index = index;
    this.#groups = groups;
    this.#choices = choices;
    const frame = {name: 'mean-shift', label: 'mean-shift', owned: [groups, index, device]};
    this.#frame = this.own(new AlgorithmFrame(device.gpu, frame));
  }

  static async create(gpu: Gpu, choices: TrajectoryChoices): Promise<DeviceMeanShift> {
    const device = new Device(gpu);
    const [index, groups] = await Promise.all([VectorIndex.create(device), DeviceGroups.create(device)]);
    return new DeviceMeanShift(device, index, groups, choices);
  }

  async run(points: PointSet, params: MeanShiftParams, options: ShiftOptions = {}): Promise<MeanShiftResult> {
    return this.#cluster(hostSource(this.#device, points), params, options, true);
  }

  async label(
    points: PointSet | DevicePoints,
    params: MeanShiftParams,
    options: ShiftOptions = {},
  ): Promise<LabelResult> {
    const source = areOnDevice(points) ? deviceSource(points, params, options) : hostSource(this.#device, points);
    return this.#cluster(source, params, options, false);
  }

  async shift(points: PointSet, params: ShiftParams, options: ShiftOptions = {}): Promise<ShiftResult> {
    this.#frame.throwIfDestroyed();
    const source = hostSource(this.#device, points);
    const checked = checkShift(points, params, options, {...BOUNDS, looksForNonFinite: source.isSingle});
    const starts = checked.seeds ?? points;
    if (source.n === 0 || starts.coords.length === 0) return notMoved(starts);
    return this.#climb(source, checked, options, async (finished, run) => {
      run.enter('readBack');
      const {ends} = await readEnds(this.#device, this.#index, {dim: points.dim, finished, checked}, run);
      return {shifted: ends};
    });
  }

  async #cluster(
    source: PointSource,
    params: MeanShiftParams,
    options: ShiftOptions,
    wantsShifted: boolean,
  ): Promise<MeanShiftResult> {
    this.#frame.throwIfDestroyed();
    const checked = checkRun(source.box, params, options, {...BOUNDS, looksForNonFinite: source.isSingle});
    if (source.n === 0) {
      return {...notMoved(checked.seeds), labels: new Int32Array(0), clusterCenters: new Float64Array(0)};
    }
    if (checked.rules.bandwidth === 0) {
      if (this.#choices.lattice > 0) throw noFlatLattice(this.#choices.lattice);
      const result = await runOnDuplicates(source.box, checked, options);
      return wantsShifted ? result : {...result, shifted: new Float64Array(0)};
    }
    const label = checked.assignment === 'nearest' ? this.#labelByNearest.bind(this) : this.#labelByMode.bind(this);
    return this.#climb(source, checked, options, (finished, run) =>
      label(source, finished, {checked, wantsShifted}, run),
    );
  }

  #climb<Result>(
    source: PointSource,
    checked: CheckedClimb,
    options: ShiftOptions,
    finish: (finished: FinishedTrajectories, run: GpuRun<MeanShiftPhase>) => Promise<Result>,
  ): Promise<Result & Pick<ShiftResult, 'iterations' | 'stats'>> {
    const total = checked.seeds === undefined ? source.n : pointCount(checked.seeds);
    const {lattice} = this.#choices;
    return this.#frame.run(total, options, async (run) => {
      const finished = await climbOnDevice(this.#device, this.#index, {source, checked, choices: this.#choices}, run);
      await run.makeRoom();
      const result = await finish(finished, run);
      const {longest, shifts, arrived} = finished.counts;
      const nodes = lattice > 0 ? {nodes: finished.layout?.nodes ?? 0} : {};
      const stats = await run.stats({arrived, shifts, ...nodes});
      return {...result, iterations: checked.rules.kernel === 'flat' ? Math.max(0, longest - 1) : longest, stats};
    });
  }

  async #labelByMode(
    {box, take}: PointSource,
    finished: FinishedTrajectories,
    {checked, wantsShifted}: {readonly checked: CheckedRun; readonly wantsShifted: boolean},
    run: GpuRun<MeanShiftPhase>,
  ): Promise<Labelled> {
    const {positions, m, indexed, scale} = finished;
    run.enter('labels');
    run.reportPart('labels', 0);
    const {dim} = box;
    const domains = checked.assignment === 'basin' ? checked.domains : undefined;
    const {bandwidth} = checked.rules;
    const modes = {positions, pointOrder: indexed.pointOrder, m, dim, scale, bandwidth, domains};
    const merged = scale.quantum === 0 ? await this.#groups.merge(modes, run) : undefined;
    run.enter('readBack');
    const read = (): Promise<Trajectories> => readEnds(this.#device, this.#index, {dim, finished, checked}, run);
    if (merged === undefined) {
      const ended = await read();
      run.enter('labels');
      return {shifted: ended.ends, ...(await labelTrajectories(box, ended, checked, onHost(run)))};
    }
    const shifted = wantsShifted ? (await read()).ends : new Float64Array(0);
    const labels = new Int32Array(take === undefined ? m : 0);
    await (take?.(merged.labels, merged.clusterCenters) ?? this.#device.reader.read(merged.labels, labels));
    return {shifted, labels, clusterCenters: merged.clusterCenters};
  }

  async #labelByNearest(
    {box: points, n}: PointSource,
    finished: FinishedTrajectories,
    {checked}: {readonly checked: CheckedRun},
    run: GpuRun<MeanShiftPhase>,
  ): Promise<Labelled> {
    const {dim} = points;
    const {indexed, scale} = finished;
    run.enter('readBack');
    const ended = await readEnds(this.#device, this.#index, {dim, finished, checked}, run);
    run.enter('labels');
    const clusterCenters = await trajectoryCenters(dim, ended, checked, onHost(run));
    if (scale.quantum > 0 || !isFasterOnDevice(this.#device.gpu, n, clusterCenters.length / dim)) {
      const labels = await labelByCenter(points, clusterCenters, checked, onHost(run));
      return {shifted: ended.ends, labels, clusterCenters};
    }
    const radius = checked.clusterAll ? undefined : checked.rules.bandwidth * scale.factor;
    const wanted = {points: indexed.points, pointOrder: indexed.pointOrder, n, dim, scale, clusterCenters, radius};
    const onDevice = await labelNearest(this.#device, wanted, run);
    run.enter('readBack');
    const labels = await this.#device.reader.read(onDevice, new Int32Array(n));
    return {shifted: ended.ends, labels, clusterCenters};
  }
}

/** Options of labels that the host finds. */
function onHost(run: GpuRun<MeanShiftPhase>): ShiftOptions {
  return {signal: run.signal, onProgress: ({phase, done, total}) => run.reportPart(phase, done / total)};
}

/** The result of a run without points or without positions. */
function notMoved(starts: PointSet | undefined): ShiftResult {
  const stats = {...new PhaseClock<MeanShiftPhase>().stop(), counters: {arrived: 0, shifts: 0}};
  return {shifted: Float64Array.from(starts?.coords ?? []), iterations: 0, stats};
}
