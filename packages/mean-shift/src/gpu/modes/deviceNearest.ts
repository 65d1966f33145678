import {Kernel, type Gpu, type GpuRun} from '@epsball/gpu';
import type {MeanShiftPhase} from '../../algorithm.ts';
import type {Device} from '../device.ts';
import {Portions} from '../portions.ts';
import type {VectorScale} from '../points/vectorScale.ts';
import {nearestWgsl} from './nearest.wgsl.ts';

/** Approximate limit on pairs of a point and a centre in a submission. The device runs nothing else meanwhile. */
const PAIRS = {hardware: 2 ** 36, software: 2 ** 28};

const ANY_DISTANCE = 3.4e38;

export interface PointsToLabel {
  /** On the device, with the original index of each. */
  readonly points: GPUBuffer;
  readonly pointOrder: GPUBuffer;
  readonly n: number;
  readonly dim: number;
  readonly scale: VectorScale;
  /** k · dim, at least one centre, in the caller's coordinates. */
  readonly clusterCenters: Float64Array;
  /** In device units: points farther from every centre get −1. Undefined: all points get a label. */
  readonly radius: number | undefined;
}

/** A software adapter takes longer for all pairs than the host for a few of them. */
export function isFasterOnDevice({speed}: Gpu, n: number, centers: number): boolean {
  return speed === 'hardware' || n * centers <= PAIRS.software;
}

/** As `predictLabels`, in float32. The labels by original index are valid until the next run. Submits. */
export async function labelNearest(
  {gpu, scratch, params: ring, uploader}: Device,
  {points, pointOrder, n, dim, scale, clusterCenters, radius}: PointsToLabel,
  run: GpuRun<MeanShiftPhase>,
): Promise<GPUBuffer> {
  const {blocks, center, factor} = scale;
  const count = clusterCenters.length / dim;
  const words = new Float32Array(4 * blocks * count);
  for (let c = 0; c < count; c++) {
    for (let d = 0; d < dim; d++) words[4 * blocks * c + d] = (clusterCenters[c * dim + d] - center[d]) * factor;
  }
  const centers = scratch.take('centers', words.byteLength);
  await uploader.upload(words, centers);
  const labels = scratch.take('labels', 4 * n);
  const kernel = await Kernel.create(gpu, nearestWgsl, 'labelNearest', {BLOCKS: blocks});
  const radius2 = radius === undefined ? ANY_DISTANCE : Math.min(radius * radius, ANY_DISTANCE);
  await run.makeRoom();
  const portions = new Portions(run, {phase: 'labels', most: gpu.pick(PAIRS)});
  await portions.dispatch(kernel, n, count, (items) => {
    const params = ring.write(nearestWgsl.structs.NearestParams, {...items, centers: count, radius2});
    return {points, pointOrder, centers, labels, params};
  });
  portions.submit();
  return labels;
}
