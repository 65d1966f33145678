import {checkInteger, InvalidParameterError, type PointSet} from '@epsball/clustering';
import type {GpuRun} from '@epsball/gpu';
import type {PointBounds} from '@epsball/spatial-grid';
import type {MeanShiftParams, MeanShiftPhase, ShiftOptions} from '../../algorithm.ts';
import {checkRunNames} from '../../checkRun.ts';
import type {VectorScale} from './vectorScale.ts';

/** Points that a kernel of the caller writes to the device, so that they are never on the host. */
export interface DevicePoints {
  readonly n: number;
  readonly dim: number;
  /** A finite box around the points, in the caller's units. */
  readonly bounds: PointBounds;
  /**
   * Writes the points and submits: `blocks` quads of float32 for each point, (x − center) · factor on every axis, then
   * zeros.
   *
   * @param vectors  16 · blocks · n bytes; valid until `write` has submitted
   */
  write(vectors: GPUBuffer, scale: DevicePointScale): Promise<void> | void;
  /**
   * Takes the labels on the device instead of a read-back; the result then has no labels. Not called if modes are
   * merged on the host, in very wide boxes.
   *
   * @param labels          n words; valid until `take` has submitted what reads them
   * @param clusterCenters  of the result
   */
  take?: ((labels: GPUBuffer, clusterCenters: Float64Array) => Promise<void>) | undefined;
}

export function areOnDevice(points: unknown): points is DevicePoints {
  return typeof points === 'object' && points !== null && 'write' in points;
}

/** How coordinates are scaled: see `DevicePoints`. */
export type DevicePointScale = Pick<VectorScale, 'center' | 'factor' | 'blocks'>;

export interface PointSource {
  readonly n: number;
  /** Points with the same box as the points of the run. */
  readonly box: PointSet;
  /** Whether the device scales float32 points; then `bounds` checks that coordinates are finite. */
  readonly isSingle: boolean;
  readonly isWidened: boolean;
  /** The box of the points. May send the points to compute it. */
  bounds(run: GpuRun<MeanShiftPhase>): Promise<PointBounds> | PointBounds;
  write(vectors: GPUBuffer, scale: VectorScale, run: GpuRun<MeanShiftPhase>): Promise<void> | void;
  readonly take?: DevicePoints['take'];
}

/** @throws InvalidParameterError  if the run needs the points on the host; corners of their box stand for them */
export function deviceSource(points: DevicePoints, params: MeanShiftParams, options: ShiftOptions): PointSource {
  const {n, dim, bounds} = points;
  checkRunNames(params, options);
  if (params.bandwidth === 0) {
    throw new InvalidParameterError('bandwidth', 0, 'a finite number > 0 for points on the device');
  }
  checkInteger('n', n, 0);
  if (params.assignment !== 'mode' && params.assignment !== 'basin') {
    throw new InvalidParameterError('assignment', params.assignment, "'mode' or 'basin' for points on the device");
  }
  if (params.binSeeding === true) {
    throw new InvalidParameterError('binSeeding', true, 'false for points on the device');
  }
  if (options.seeds !== undefined) {
    throw new InvalidParameterError('seeds', 'given', 'no seeds for points on the device');
  }
  const corners = n === 0 ? [] : [...bounds.min, ...bounds.max];
  return {
    n,
    box: {coords: Float64Array.from(corners), dim},
    isSingle: false,
    isWidened: false,
    bounds: () => bounds,
    write: (vectors, scale) => points.write(vectors, scale),
    take: points.take && ((labels, clusterCenters) => points.take?.(labels, clusterCenters) ?? Promise.resolve()),
  };
}
