import type {PointSet} from '@epsball/clustering';
import type {LabelResult, MeanShiftAlgorithm, MeanShiftParams, ShiftOptions} from '../algorithm.ts';
import type {DevicePoints} from './points/devicePoints.ts';

export interface MeanShiftGpuOptions {
  /**
   * Nodes in a bandwidth of a lattice over the box of the points, 2 to 32. Sums of the whole Gaussian are computed at
   * its nodes, and steps interpolate between them, so the cost of a step does not depend on the number of points in
   * reach. Runs with the flat kernel are refused. Default: 0, no lattice.
   *
   * Runs with a cut sum over the points within it, with `stats.counters.nodes` = 0, in more than 3 dimensions, with far
   * more nodes than points, or with more nodes than the device has room for (32 bytes each). Runs without a cut are
   * refused in more than 3 dimensions and if the device has no room.
   */
  readonly lattice?: number | undefined;
}

/** Mean shift on WebGPU, created by `createMeanShiftGpu`. */
export interface MeanShiftGpu extends MeanShiftAlgorithm {
  /**
   * As `run`, without `shifted`: for many points, reading the final positions back takes longer than all else. Points
   * on the device are labelled by modes.
   */
  label(points: PointSet | DevicePoints, params: MeanShiftParams, options?: ShiftOptions): Promise<LabelResult>;
}
