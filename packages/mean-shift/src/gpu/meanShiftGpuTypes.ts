import type {PointSet} from '@epsball/clustering';
import type {LabelResult, MeanShiftAlgorithm, MeanShiftParams, ShiftOptions} from '../algorithm.ts';
import type {DevicePoints} from './points/devicePoints.ts';

export interface MeanShiftGpuOptions {
  /**
   * Nodes a bandwidth of a lattice over the points' box: sums of the whole Gaussian are computed at its nodes, and steps interpolate between
   * them, so that a step costs the same however many points weigh. 2 to 32; 0, the default: none. Runs with the flat kernel are refused.
   *
   * In more than 3 dimensions, with far more nodes than points, or with more than the device has room for, 32 bytes each, runs with a cut sum over the points within it;
   * `stats.counters.nodes`, the nodes of the lattice, is 0 then. Runs without a cut would weigh all pairs: they are refused where there is no room or are too many dimensions.
   */
  readonly lattice?: number | undefined;
}

/** Mean shift on WebGPU. Made by `createMeanShiftGpu`. */
export interface MeanShiftGpu extends MeanShiftAlgorithm {
  /**
   * As `run`, without `shifted`: for many points, reading it back takes longer than all else. Points that are on the device are clustered by modes.
   */
  label(points: PointSet | DevicePoints, params: MeanShiftParams, options?: ShiftOptions): Promise<LabelResult>;
}
