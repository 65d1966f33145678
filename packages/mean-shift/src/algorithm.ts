import type {PointSet, RunOptions} from '@epsball/clustering';

/** The phases that runs report, in the order of a run. A backend without a phase leaves it out. */
export const MEAN_SHIFT_PHASES = ['upload', 'index', 'shift', 'readBack', 'labels'] as const;
export type MeanShiftPhase = (typeof MEAN_SHIFT_PHASES)[number];

/** What moves points: x' = Σ K(‖x − xᵢ‖) · xᵢ / Σ K(‖x − xᵢ‖) over the points as given, K(d) = exp(−d² / (2 · bandwidth²)). */
export interface ShiftParams {
  /** Width of the kernel, in coordinate units; finite, > 0. */
  readonly bandwidth: number;
  /** Iterations at most; integer ≥ 1. Default: 10. */
  readonly maxIterations?: number | undefined;
  /**
   * A point that moved less than this in an iteration, in coordinate units, has arrived and moves no more; finite, ≥ 0.
   * Default: 0, with which every point makes all iterations.
   */
  readonly tolerance?: number | undefined;
}

export interface ShiftOptions extends RunOptions<MeanShiftPhase> {
  /**
   * What moves instead of the points, m of them in the same dimensions; sums are over the points all the same. Not modified.
   * Default: the points themselves.
   */
  readonly seeds?: PointSet | undefined;
}

export interface MeanShiftStats {
  /** Host wall milliseconds by phase. On a GPU a phase ends when the host has seen it end. */
  readonly phaseMs: Partial<Record<MeanShiftPhase, number>>;
  /** Host wall milliseconds of the whole run, transfers included. */
  readonly wallMs: number;
  /** Device milliseconds of all kernels, where the adapter has timestamps. */
  readonly deviceMs?: number;
  /** Device milliseconds by phase, where the adapter has timestamps. */
  readonly devicePhaseMs?: Partial<Record<MeanShiftPhase, number>>;
  /** Bytes of device memory held at the peak, on a GPU. */
  readonly deviceBytes?: number;
  /**
   * `arrived`: points that moved less than the tolerance, and seeds without a point within reach; `shifts`: points moved, summed over iterations. Of clusters by the Gaussian also `endBound`: how far one
   * more step with the whole Gaussian leads at most, in bandwidths, from where any climb has ended that arrived; missing where none has. And with a cut
   * `cutBound`: what the cut does to a step at most.
   */
  readonly counters: Readonly<Record<string, number>>;
}

export interface ShiftResult {
  /** Where the points, or seeds, are after the last iteration: m · dim, point-major, in the caller's coordinates. */
  readonly shifted: Float64Array;
  /** Iterations made: fewer than `maxIterations` where all points arrived before. 0 without points or without seeds. */
  readonly iterations: number;
  readonly stats: MeanShiftStats;
}

/** The shift alone on one backend, ready to run many times, one run after the other. Owns what it allocates. */
export interface ShiftAlgorithm extends Disposable {
  /**
   * Moves points uphill in the density of `points`.
   *
   * @param points  not modified
   * @returns       arrays owned by the caller
   * @throws        InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuLimitError,
   *                GpuDeviceLostError, WorkerFailedError, RunAbortedError; after any of them the next run works
   *                (after a lost device: on a new one)
   * @complexity    O(n · m · iterations · dim)
   */
  shift(points: PointSet, params: ShiftParams, options?: ShiftOptions): Promise<ShiftResult>;
  /** Frees what the algorithm owns; safe to call twice. */
  destroy(): void;
}

export interface MeanShiftParams extends ShiftParams {
  /**
   * Width of the kernel, in coordinate units; finite, > 0. With the flat kernel also 0: neighbours are then the points of equal coordinates alone, and every place
   * where points lie is a cluster.
   */
  readonly bandwidth: number;
  /** Steps of a point at most; integer ≥ 1. Default: 300. The flat kernel makes one more, as scikit-learn's does. */
  readonly maxIterations?: number | undefined;
  /** As in `ShiftParams`. Default: a thousandth of the bandwidth. */
  readonly tolerance?: number | undefined;
  /** `gaussian`, the default; or `flat`: all points within the bandwidth weigh 1, all others 0. */
  readonly kernel?: 'gaussian' | 'flat' | undefined;
  /**
   * Of the Gaussian kernel: points farther than so many bandwidths weigh nothing, and are not looked at; finite, ≥ 0. 0, the
   * default: no cut. `gaussianCutBound` says what the cut costs at most.
   */
  readonly cut?: number | undefined;
  /**
   * Which cluster a point belongs to. `mode`: that of the mode to which it trajectories. `nearest`: that of the nearest cluster centre, as
   * in scikit-learn. Default: `nearest` for the flat kernel and where seeds climb instead of the points, else `mode`.
   */
  readonly assignment?: 'mode' | 'nearest' | undefined;
  /** Of `nearest`: whether points farther than a bandwidth from every centre have a cluster all the same. Default: true. */
  readonly clusterAll?: boolean | undefined;
  /** Whether seeds climb that `binSeeds` gives for bins of one bandwidth. Default: false. */
  readonly binSeeding?: boolean | undefined;
  /** Of bin seeding: bins with fewer points give no seed; integer ≥ 1. Default: 1. */
  readonly minBinFrequency?: number | undefined;
}

export interface MeanShiftResult extends ShiftResult {
  /** n labels, 0…k−1 by falling support of the cluster; −1 where `clusterAll` is false and no centre is near. */
  readonly labels: Int32Array;
  /**
   * k · dim, point-major, by falling support. Gaussian kernel: each the mean of a cluster's modes, and support is their number. Flat kernel with
   * `nearest`: scikit-learn's centres; support is the number of points within a bandwidth.
   */
  readonly clusterCenters: Float64Array;
}

/** A result without the final positions. */
export type LabelResult = Omit<MeanShiftResult, 'shifted'>;

/** Mean shift on one backend: the shift, then modes closer than the bandwidth merged to clusters. */
export interface MeanShiftAlgorithm extends Disposable {
  /** As `ShiftAlgorithm.shift`, with labels. */
  run(points: PointSet, params: MeanShiftParams, options?: ShiftOptions): Promise<MeanShiftResult>;
  /** Frees what the algorithm owns; safe to call twice. */
  destroy(): void;
}
