import type {PointSet} from '@epsball/clustering';
import type {PointBounds} from '../bounds.ts';

/** Points in device memory, in the caller's order, point-major. */
export interface DevicePoints {
  readonly n: number;
  readonly dim: number;
  /** float32: the coordinates, or, where `wideCoords` is there, the same rounded and relative to the box's corner. */
  readonly coords: GPUBuffer;
  /** float64 words of the caller's coordinates, where these are float64. */
  readonly wideCoords?: GPUBuffer | undefined;
  /** The bounding box, where it is known already. */
  readonly bounds?: PointBounds | undefined;
  /** The same, on its way from the device; rejects as `BoundsReduction.of`. */
  readonly comingBounds?: Promise<PointBounds> | undefined;
  /** How far `coords` may be off, in coordinate units. */
  readonly displacement: number;
  /** The caller's points, where their box is not known yet: who looks for it, and finds a coordinate that is not finite, names it. */
  readonly unchecked?: PointSet | undefined;
}
