import type {PointSet} from '@epsball/clustering';
import type {PointBounds} from '../bounds.ts';

/** Points in device memory, in the caller's order, point-major. */
export interface DevicePoints {
  readonly n: number;
  readonly dim: number;
  /** float32 coordinates. If `wideCoords` exists, they are rounded and relative to the corner of the box. */
  readonly coords: GPUBuffer;
  /** The caller's coordinates as float64 words, if they are float64. */
  readonly wideCoords?: GPUBuffer | undefined;
  /** The bounding box, if it is known. */
  readonly bounds?: PointBounds | undefined;
  /** The bounding box on its way from the device; rejects like `BoundsReduction.of`. */
  readonly comingBounds?: Promise<PointBounds> | undefined;
  /** Maximum error of `coords`, in coordinate units. */
  readonly displacement: number;
  /** The caller's points, if their coordinates are not checked yet. The search for the box finds and names bad ones. */
  readonly unchecked?: PointSet | undefined;
}
