import {pointCount, type PointSet} from '@epsball/clustering';
import {ReadBack, type Gpu, type GpuRun, type Scratch} from '@epsball/gpu';
import {Reduce} from '@epsball/gpu-primitives';
import type {CheckedRun} from '../../checkRun.ts';
import {trajectoryCenters, labelByCenter, labelTrajectories} from '../../modes/labelTrajectories.ts';
import type {MeanShiftPhase} from '../../algorithm.ts';
import {DeviceGroups} from './deviceGroups.ts';
import {DeviceNearest} from './deviceNearest.ts';
import type {DevicePoints} from '../points/devicePoints.ts';
import type {FinishedTrajectories} from '../deviceTrajectories.ts';
import type {VectorIndex} from '../points/vectorIndex.ts';
import {coordsOfVectors} from '../points/vectorScale.ts';

/** The result of trajectories. */
export interface LabelledTrajectories {
  /** Empty if the caller does not want it. */
  readonly shifted: Float64Array;
  readonly labels: Int32Array;
  readonly clusterCenters: Float64Array;
  /** Least sum of weights of the trajectories that have met a point. Infinity if none has, or if it is not needed. */
  readonly leastWeight: number;
}

/** What a run asks for. */
export interface LabelRequest {
  readonly checked: CheckedRun;
  readonly wantsShifted: boolean;
  readonly run: GpuRun<MeanShiftPhase>;
  /** Takes the labels on the device. */
  readonly take: DevicePoints['take'];
}

/** Labels trajectories that have ended, on the device if possible. */
export class DeviceLabels {
  readonly #index: VectorIndex;
  readonly #groups: DeviceGroups;
  readonly #nearest: DeviceNearest;
  readonly #reader: ReadBack;
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  /** Created when it is first needed. */
  #leastOf: Reduce<'f32'> | undefined;

  private constructor(gpu: Gpu, scratch: Scratch, groups: DeviceGroups, index: VectorIndex) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#index = index;
    this.#groups = groups;
    this.#nearest = new DeviceNearest(gpu, scratch);
    this.#reader = new ReadBack(gpu, 'mean-shift');
  }

  /**
   * @param scratch  borrowed, as `gpu` is
   * @param index    borrowed: of the points
   */
  static async create(gpu: Gpu, scratch: Scratch, index: VectorIndex): Promise<DeviceLabels> {
    return new DeviceLabels(gpu, scratch, await DeviceGroups.create(gpu, scratch), index);
  }

  /**
   * @param points  on the host; the corners of their box for points on the device, which `deviceSource` allows with
   *                assignment `mode` or `basin` only
   */
  label(points: PointSet, finished: FinishedTrajectories, request: LabelRequest): Promise<LabelledTrajectories> {
    return request.checked.assignment !== 'nearest'
      ? this.#labelByMode(points, finished, request)
      : this.#labelByCenter(points, finished, request);
  }

  async #labelByMode(
    points: PointSet,
    finished: FinishedTrajectories,
    {checked, wantsShifted, run, take}: LabelRequest,
  ): Promise<LabelledTrajectories> {
    const {positions, m, indexed, scale} = finished;
    run.enter('labels');
    const {dim} = points;
    const {rules, assignment} = checked;
    const domains = assignment === 'basin' ? checked.domains : undefined;
    const modes = {positions, pointOrder: indexed.pointOrder, m, dim, scale, bandwidth: rules.bandwidth, domains};
    const merged =
      scale.quantum === 0 && this.#groups.canMerge(modes) ? await this.#groups.merge(modes, run) : undefined;
    run.enter('readBack');
    const isRead = wantsShifted || merged === undefined;
    const ends = isRead ? await this.#readEnds(dim, finished, checked) : NO_ENDS;
    if (merged === undefined) {
      run.enter('labels');
      const labelled = await labelTrajectories(points, ends, checked, run.signal);
      return {shifted: ends.ends, ...labelled, leastWeight: leastOf(ends.weights)};
    }
    const labels = new Int32Array(take === undefined ? m : 0);
    await (take?.(merged.labels, merged.clusterCenters) ?? this.#reader.read(merged.labels, labels));
    const {clusterCenters} = merged;
    const leastWeight = isRead ? leastOf(ends.weights) : await this.#leastWeight(finished, checked, run);
    return {shifted: ends.ends, labels, clusterCenters, leastWeight};
  }

  /** Computed on the device. A point has weight on itself, so every sum counts. */
  async #leastWeight(
    {weights, m, layout}: FinishedTrajectories,
    {rules}: CheckedRun,
    run: GpuRun<MeanShiftPhase>,
  ): Promise<number> {
    if (layout !== undefined || rules.kernel === 'flat') return Infinity;
    this.#leastOf ??= await Reduce.create(this.#gpu, {operator: 'min', element: 'f32'});
    const output = this.#scratch.take('leastWeight', 4);
    const reduce = this.#leastOf;
    run.submit('labels', (pass) => reduce.encode(pass, {input: weights, output, count: m}));
    const words = new Float32Array(1);
    await this.#reader.read(output, words);
    return words[0];
  }

  async #labelByCenter(
    points: PointSet,
    finished: FinishedTrajectories,
    {checked, run}: LabelRequest,
  ): Promise<LabelledTrajectories> {
    const {dim} = points;
    run.enter('readBack');
    const ends = await this.#readEnds(dim, finished, checked);
    run.enter('labels');
    const leastWeight = leastOf(ends.weights);
    const clusterCenters = await trajectoryCenters(dim, ends, checked, run.signal);
    const n = pointCount(points);
    const {indexed, scale} = finished;
    if (scale.quantum > 0 || !this.#nearest.isFaster(n, clusterCenters.length / dim)) {
      const labels = await labelByCenter(points, clusterCenters, checked, run.signal);
      return {shifted: ends.ends, labels, clusterCenters, leastWeight};
    }
    const radius = checked.clusterAll ? undefined : checked.rules.bandwidth * scale.factor;
    const wanted = {points: indexed.points, pointOrder: indexed.pointOrder, n, dim, scale, clusterCenters, radius};
    const onDevice = await this.#nearest.label(wanted, run);
    run.enter('readBack');
    const labels = new Int32Array(n);
    await this.#reader.read(onDevice, labels);
    return {shifted: ends.ends, labels, clusterCenters, leastWeight};
  }

  /** In the order of the points or seeds. */
  async #readEnds(dim: number, finished: FinishedTrajectories, checked: CheckedRun): Promise<Ends> {
    const {m, scale, uploaded} = finished;
    // The buffer of the upload has room for points. Without cells the order needs no change.
    const ordered = checked.seeds === undefined ? await this.#index.scatter({...finished, into: uploaded}) : finished;
    const words = new Float32Array(4 * scale.quads * m);
    await this.#reader.read(ordered.positions, words);
    const weights = new Float32Array(m);
    await this.#reader.read(ordered.weights, weights);
    return {ends: coordsOfVectors(words, dim, scale), weights, steps: NO_STEPS};
  }

  destroy(): void {
    this.#leastOf?.destroy();
    this.#groups.destroy();
    this.#nearest.destroy();
    this.#reader.destroy();
  }
}

interface Ends {
  readonly ends: Float64Array;
  readonly weights: Float32Array;
  readonly steps: Uint32Array;
}

const NO_STEPS = new Uint32Array(0);
const NO_ENDS: Ends = {ends: new Float64Array(0), weights: new Float32Array(0), steps: NO_STEPS};

function leastOf(weights: Float32Array): number {
  return weights.reduce((least, weight) => (weight > 0 ? Math.min(least, weight) : least), Infinity);
}
