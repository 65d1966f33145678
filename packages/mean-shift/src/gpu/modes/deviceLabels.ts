import {pointCount, type PointSet} from '@epsball/clustering';
import type {GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase, MeanShiftResult} from '../../algorithm.ts';
import type {CheckedRun} from '../../checkRun.ts';
import {labelByCenter, labelTrajectories, trajectoryCenters} from '../../modes/labelTrajectories.ts';
import type {Device} from '../device.ts';
import {readEnds, type FinishedTrajectories} from '../deviceTrajectories.ts';
import type {DevicePoints} from '../points/devicePoints.ts';
import type {VectorIndex} from '../points/vectorIndex.ts';
import type {DeviceGroups} from './deviceGroups.ts';
import {isFasterOnDevice, labelNearest} from './deviceNearest.ts';

/** What a run asks for. */
export interface LabelRequest {
  readonly checked: CheckedRun;
  /** Whether the caller wants the final positions; else `shifted` is empty. */
  readonly wantsShifted: boolean;
  readonly run: GpuRun<MeanShiftPhase>;
  /** Takes the labels on the device. */
  readonly take: DevicePoints['take'];
}

/** Labels of trajectories that have ended, computed on the device if possible. */
type Labelled = Pick<MeanShiftResult, 'shifted' | 'labels' | 'clusterCenters'>;

/** The objects that label trajectories use; all borrowed. */
export interface LabelParts {
  readonly device: Device;
  /** Of the points. */
  readonly index: VectorIndex;
  readonly groups: DeviceGroups;
}

/**
 * @param points  on the host; the corners of their box for points on the device, which `deviceSource` allows with
 *                assignment `mode` or `basin` only
 */
export function labelOnDevice(
  parts: LabelParts,
  points: PointSet,
  finished: FinishedTrajectories,
  request: LabelRequest,
): Promise<Labelled> {
  const label = request.checked.assignment === 'nearest' ? labelByNearest : labelByMode;
  return label(parts, points, finished, request);
}

async function labelByMode(
  {device, index, groups}: LabelParts,
  points: PointSet,
  finished: FinishedTrajectories,
  {checked, wantsShifted, run, take}: LabelRequest,
): Promise<Labelled> {
  const {positions, m, indexed, scale} = finished;
  run.enter('labels');
  const {dim} = points;
  const {rules, assignment} = checked;
  const domains = assignment === 'basin' ? checked.domains : undefined;
  const modes = {positions, pointOrder: indexed.pointOrder, m, dim, scale, bandwidth: rules.bandwidth, domains};
  const merged = scale.quantum === 0 && groups.canMerge(modes) ? await groups.merge(modes, run) : undefined;
  run.enter('readBack');
  const ended =
    wantsShifted || merged === undefined ? await readEnds(device, index, {dim, finished, checked}, run) : undefined;
  const shifted = ended?.ends ?? new Float64Array(0);
  if (merged !== undefined) {
    const labels = new Int32Array(take === undefined ? m : 0);
    await (take?.(merged.labels, merged.clusterCenters) ?? device.reader.read(merged.labels, labels));
    return {shifted, labels, clusterCenters: merged.clusterCenters};
  }
  run.enter('labels');
  if (ended === undefined) throw new Error('modes that were neither merged nor read');
  return {shifted, ...(await labelTrajectories(points, ended, checked, run.signal))};
}

async function labelByNearest(
  {device, index}: LabelParts,
  points: PointSet,
  finished: FinishedTrajectories,
  {checked, run}: LabelRequest,
): Promise<Labelled> {
  const {dim} = points;
  run.enter('readBack');
  const ended = await readEnds(device, index, {dim, finished, checked}, run);
  run.enter('labels');
  const clusterCenters = await trajectoryCenters(dim, ended, checked, run.signal);
  const n = pointCount(points);
  const {indexed, scale} = finished;
  if (scale.quantum > 0 || !isFasterOnDevice(device.gpu, n, clusterCenters.length / dim)) {
    const labels = await labelByCenter(points, clusterCenters, checked, run.signal);
    return {shifted: ended.ends, labels, clusterCenters};
  }
  const radius = checked.clusterAll ? undefined : checked.rules.bandwidth * scale.factor;
  const wanted = {points: indexed.points, pointOrder: indexed.pointOrder, n, dim, scale, clusterCenters, radius};
  const onDevice = await labelNearest(device, wanted, run);
  run.enter('readBack');
  const labels = new Int32Array(n);
  await device.reader.read(onDevice, labels);
  return {shifted: ended.ends, labels, clusterCenters};
}
