import {InvalidParameterError, type PointSet} from '@epsball/clustering';
import type {PointBounds} from '@epsball/spatial-grid';
import type {MeanShiftParams, ShiftOptions} from '../../algorithm.ts';
import type {VectorScale} from './vectorScale.ts';

/** Points that a kernel of the caller's writes where mean shift wants them, so that they need not lie on the host. */
export interface DevicePoints {
  readonly n: number;
  readonly dim: number;
  /** A box around them, in the caller's units; finite. */
  readonly bounds: PointBounds;
  /**
   * Writes the points and submits: `blocks` quads of float32 a point, (x − center) · factor on every axis, and zeros behind the last.
   *
   * @param vectors  16 · blocks · n bytes; valid until `write` has submitted
   */
  write(vectors: GPUBuffer, scale: DevicePointScale): Promise<void> | void;
  /**
   * Takes the labels where they are, instead of having them read back: the result then has none. Not called where modes are merged on the host, in
   * very wide boxes.
   *
   * @param labels          n words; valid until `take` has submitted what reads them
   * @param clusterCenters  those of the result
   */
  take?: ((labels: GPUBuffer, clusterCenters: Float64Array) => Promise<void>) | undefined;
}

/** How coordinates are written to a device: see `DevicePoints`. */
export type DevicePointScale = Pick<VectorScale, 'center' | 'factor' | 'blocks'>;

type BeginPass = (encoder: GPUCommandEncoder) => GPUComputePassEncoder;

/** The points of a run, wherever they come from. */
export interface PointSource {
  readonly n: number;
  /** Points in the same box, for all that is not done with each of them. */
  readonly box: PointSet;
  /** Whether `bounds` refuses coordinates that are not finite. */
  readonly looksForNonFinite: boolean;
  /** See `vectorScale`. */
  readonly isSingle: boolean;
  /** Whether they are written in two parts where that is wanted: see `widen`. */
  readonly isWidened: boolean;
  /** The box of the points; may send them for it. */
  bounds(beginPass: BeginPass): Promise<PointBounds> | PointBounds;
  write(vectors: GPUBuffer, scale: VectorScale, beginPass: BeginPass): Promise<void> | void;
  readonly take?: DevicePoints['take'];
}

/**
 * Points of the device; their box is that of its two corners.
 *
 * @throws InvalidParameterError  if the run would need the points on the host
 */
export function deviceSource(points: DevicePoints, params: MeanShiftParams, options: ShiftOptions): PointSource {
  const {n, dim, bounds} = points;
  if (params.bandwidth === 0) {
    throw new InvalidParameterError('bandwidth', 0, 'a finite number > 0 for points on the device');
  }
  if (!Number.isInteger(n) || n < 0) throw new InvalidParameterError('n', n, 'an integer ≥ 0');
  if (params.assignment !== 'mode') {
    throw new InvalidParameterError('assignment', params.assignment, "'mode' for points on the device");
  }
  if (params.binSeeding === true || options.seeds !== undefined) {
    throw new InvalidParameterError('seeds', 'given', 'none for points on the device');
  }
  const corners = n === 0 ? [] : [...bounds.min, ...bounds.max];
  return {
    n,
    box: {coords: Float64Array.from(corners), dim},
    looksForNonFinite: false,
    isSingle: false,
    isWidened: false,
    bounds: () => bounds,
    write: (vectors, scale) => points.write(vectors, scale),
    take: points.take && ((labels, clusterCenters) => points.take?.(labels, clusterCenters) ?? Promise.resolve()),
  };
}
