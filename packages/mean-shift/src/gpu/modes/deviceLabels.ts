import {pointCount, type PhaseClock, type PointSet} from '@epsball/clustering';
import {Reader, type DeviceTimer, type Gpu, type Scratch} from '@epsball/gpu';
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
  readonly run: CheckedRun;
  readonly wantsShifted: boolean;
  readonly clock: PhaseClock<MeanShiftPhase>;
  readonly signal: AbortSignal | undefined;
  /** Takes the labels on the device. */
  readonly take: DevicePoints['take'];
}

/** Labels trajectories that have ended, on the device if possible. */
export class DeviceLabels {
  readonly #index: VectorIndex;
  readonly #groups: DeviceGroups;
  readonly #nearest: DeviceNearest;
  readonly #reader: Reader;
  readonly #gpu: Gpu;
  readonly #scratch: Scratch;
  readonly #beginPass: (encoder: GPUCommandEncoder) => GPUComputePassEncoder;
  /** Created when it is first needed. */
  #leastOf: Reduce<'f32'> | undefined;

  private constructor(gpu: Gpu, scratch: Scratch, groups: DeviceGroups, {index, timer}: LabelParts) {
    this.#gpu = gpu;
    this.#scratch = scratch;
    this.#index = index;
    this.#groups = groups;
    this.#nearest = new DeviceNearest(gpu, scratch);
    this.#reader = new Reader(gpu, 'mean-shift');
    this.#beginPass = (encoder) => timer.beginPass(encoder, 'labels');
  }

  /**
   * @param scratch  borrowed, as `gpu` is
   * @param parts    borrowed: the index of the points, and the run's timer
   */
  static async create(gpu: Gpu, scratch: Scratch, parts: LabelParts): Promise<DeviceLabels> {
    return new DeviceLabels(gpu, scratch, await DeviceGroups.create(gpu, scratch), parts);
  }

  /**
   * @param points  on the host; the corners of their box for points on the device, which `checkRun` allows with
   *                assignment `mode` only
   */
  label(points: PointSet, finished: FinishedTrajectories, request: LabelRequest): Promise<LabelledTrajectories> {
    return request.run.assignment === 'mode'
      ? this.#labelByMode(points, finished, request)
      : this.#labelByCenter(points, finished, request);
  }

  async #labelByMode(
    points: PointSet,
    finished: FinishedTrajectories,
    {run, wantsShifted, clock, signal, take}: LabelRequest,
  ): Promise<LabelledTrajectories> {
    const {positions, m, indexed, scale} = finished;
    clock.enter('labels');
    const {dim} = points;
    const modes = {positions, pointOrder: indexed.pointOrder, m, dim, scale, bandwidth: run.rules.bandwidth};
    const merged =
      scale.quantum === 0 && this.#groups.canMerge(modes)
        ? await this.#groups.merge(modes, this.#beginPass, signal)
        : undefined;
    clock.enter('readBack');
    const isRead = wantsShifted || merged === undefined;
    const ends = isRead ? await this.#readEnds(dim, finished, run) : NO_ENDS;
    if (merged === undefined) {
      clock.enter('labels');
      const labelled = await labelTrajectories(points, ends, run, signal);
      return {shifted: ends.ends, ...labelled, leastWeight: leastOf(ends.weights)};
    }
    const labels = new Int32Array(take === undefined ? m : 0);
    await (take?.(merged.labels, merged.clusterCenters) ?? this.#reader.read(merged.labels, labels));
    const {clusterCenters} = merged;
    const leastWeight = isRead ? leastOf(ends.weights) : await this.#leastWeight(finished, run);
    return {shifted: ends.ends, labels, clusterCenters, leastWeight};
  }

  /** Computed on the device. A point has weight on itself, so every sum counts. */
  async #leastWeight({weights, m, layout}: FinishedTrajectories, {rules}: CheckedRun): Promise<number> {
    if (layout !== undefined || rules.kernel === 'flat') return Infinity;
    this.#leastOf ??= await Reduce.create(this.#gpu, {operator: 'min', element: 'f32'});
    const output = this.#scratch.take('leastWeight', 4);
    const encoder = this.#gpu.device.createCommandEncoder();
    const pass = this.#beginPass(encoder);
    this.#leastOf.encode(pass, {input: weights, output, count: m});
    pass.end();
    this.#gpu.device.queue.submit([encoder.finish()]);
    const words = new Float32Array(1);
    await this.#reader.read(output, words);
    return words[0];
  }

  async #labelByCenter(
    points: PointSet,
    finished: FinishedTrajectories,
    {run, clock, signal}: LabelRequest,
  ): Promise<LabelledTrajectories> {
    const {dim} = points;
    clock.enter('readBack');
    const ends = await this.#readEnds(dim, finished, run);
    clock.enter('labels');
    const leastWeight = leastOf(ends.weights);
    const clusterCenters = await trajectoryCenters(dim, ends, run, signal);
    const n = pointCount(points);
    const {indexed, scale} = finished;
    if (scale.quantum > 0 || !this.#nearest.isFaster(n, clusterCenters.length / dim)) {
      const labels = await labelByCenter(points, clusterCenters, run, signal);
      return {shifted: ends.ends, labels, clusterCenters, leastWeight};
    }
    const radius = run.clusterAll ? undefined : run.rules.bandwidth * scale.factor;
    const wanted = {points: indexed.points, pointOrder: indexed.pointOrder, n, dim, scale, clusterCenters, radius};
    const onDevice = await this.#nearest.label(wanted, this.#beginPass, signal);
    clock.enter('readBack');
    const labels = new Int32Array(n);
    await this.#reader.read(onDevice, labels);
    return {shifted: ends.ends, labels, clusterCenters, leastWeight};
  }

  /** In the order of the points or seeds. */
  async #readEnds(dim: number, finished: FinishedTrajectories, run: CheckedRun): Promise<Ends> {
    const {m, scale, uploaded} = finished;
    // The buffer of the upload has room for points. Without cells the order needs no change.
    const ordered = run.seeds === undefined ? await this.#index.scatter({...finished, into: uploaded}) : finished;
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

interface LabelParts {
  readonly index: VectorIndex;
  readonly timer: DeviceTimer<MeanShiftPhase>;
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
