import type {PointSet, RunOptions, RunStats} from '@epsball/clustering';

/** The phases that runs report, in the order of a run. A backend may lack some of them. */
export const MEAN_SHIFT_PHASES = ['upload', 'index', 'shift', 'readBack', 'labels'] as const;
export type MeanShiftPhase = (typeof MEAN_SHIFT_PHASES)[number];

/**
 * Parameters of the shift x' = Σ K(‖x − xᵢ‖) · xᵢ / Σ K(‖x − xᵢ‖) over the points as given, with K(d) = exp(−d² / (2 ·
 * bandwidth²)).
 */
export interface ShiftParams {
  /** Width of the kernel, in coordinate units; finite, > 0. */
  readonly bandwidth: number;
  /** Most iterations; integer ≥ 1. Default: 10. */
  readonly maxIterations?: number | undefined;
  /**
   * A position that moved less than this in an iteration, in coordinate units, has arrived and moves no more; finite, ≥
   * 0. Default: 0, every position makes all iterations.
   */
  readonly tolerance?: number | undefined;
}

export interface ShiftOptions extends RunOptions<MeanShiftPhase> {
  /**
   * m positions that move instead of the points, in the same dimensions. Sums are still over the points. Not modified.
   * Default: the points.
   */
  readonly seeds?: PointSet | undefined;
}

/**
 * Counters: `arrived`, positions that moved less than the tolerance, and seeds without a point in reach; `shifts`,
 * positions moved, summed over iterations.
 */
export type MeanShiftStats = RunStats<MeanShiftPhase>;

export interface ShiftResult {
  /** Positions after the last iteration: m · dim, point-major, in the caller's coordinates. */
  readonly shifted: Float64Array;
  /** Iterations made: fewer than `maxIterations` if all positions arrived before. 0 without points or without seeds. */
  readonly iterations: number;
  readonly stats: MeanShiftStats;
}

/** The shift alone on one backend, ready to run many times, one run after another. Owns what it allocates. */
export interface ShiftAlgorithm extends Disposable {
  /**
   * Moves positions uphill in the density of `points`.
   *
   * @param points  not modified
   * @returns       arrays owned by the caller
   * @throws        InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuLimitError,
   *                GpuDeviceLostError, WorkerFailedError, RunAbortedError; after any of them the next run works (after
   *                a lost device: on a new one). DestroyedError after `destroy()`
   * @complexity    O(n · m · iterations · dim)
   */
  shift(points: PointSet, params: ShiftParams, options?: ShiftOptions): Promise<ShiftResult>;
  /** Frees what the algorithm owns; safe to call twice. */
  destroy(): void;
}

/** See `MeanShiftParams.assignment`. */
export type Assignment = 'mode' | 'basin' | 'nearest';

export interface MeanShiftParams extends ShiftParams {
  /**
   * Width of the kernel, in coordinate units; finite, > 0. The flat kernel takes 0 as well: points of equal coordinates
   * are then neighbours, and every such position is a cluster.
   */
  readonly bandwidth: number;
  /** Most steps of a trajectory; integer ≥ 1. Default: 300. The flat kernel makes one more, as scikit-learn's does. */
  readonly maxIterations?: number | undefined;
  /** As in `ShiftParams`. Default: a thousandth of the bandwidth. */
  readonly tolerance?: number | undefined;
  /** `gaussian`, or `flat`: points within the bandwidth have weight 1, all others 0. Default: `gaussian`. */
  readonly kernel?: 'gaussian' | 'flat' | undefined;
  /**
   * Of the Gaussian kernel: points farther than so many bandwidths have weight 0 and are skipped; 0 or finite, ≥ 1.
   * Default: 0, no cut. `gaussianCutBound` bounds the effect of the cut.
   */
  readonly cut?: number | undefined;
  /**
   * The cluster of a point. `mode`: that of its own mode; `mergeModes` says which modes are one cluster. `basin`: that
   * of its own mode, but modes within a bandwidth of each other are joined, and so are chains of such modes. `nearest`:
   * that of the nearest cluster centre, as in scikit-learn. Default: `nearest` for the flat kernel and with seeds, else
   * `mode`.
   */
  readonly assignment?: Assignment | undefined;
  /**
   * Of `basin`: numbers of axes, in order, that add up to `dim`. Modes are joined if they are within a bandwidth in
   * each of these domains: `[2, 3]` for x, y and three axes of colour. Default: all axes are one domain.
   */
  readonly domains?: readonly number[] | undefined;
  /** Of `nearest`: whether points farther than a bandwidth from every centre get a label, too. Default: true. */
  readonly clusterAll?: boolean | undefined;
  /** Whether trajectories start at `binSeeds` for bins of one bandwidth. Default: false. */
  readonly binSeeding?: boolean | undefined;
  /** Of bin seeding: bins with fewer points give no seed; integer ≥ 1. Default: 1. */
  readonly minBinFrequency?: number | undefined;
}

export interface MeanShiftResult extends ShiftResult {
  /** n labels, 0…k−1 by falling support of the cluster. −1 if `clusterAll` is false and no centre is near. */
  readonly labels: Int32Array;
  /**
   * k · dim, point-major, by falling support. Gaussian kernel: the mean of each cluster's modes; support is their
   * number. Flat kernel with `nearest`: scikit-learn's centres; support is the number of points within a bandwidth.
   */
  readonly clusterCenters: Float64Array;
}

/** A result without the final positions. */
export type LabelResult = Omit<MeanShiftResult, 'shifted'>;

/** Mean shift on one backend: trajectories to the modes, then clusters of modes. */
export interface MeanShiftAlgorithm extends Disposable {
  /** As `ShiftAlgorithm.shift`, with labels. */
  run(points: PointSet, params: MeanShiftParams, options?: ShiftOptions): Promise<MeanShiftResult>;
  /** Frees what the algorithm owns; safe to call twice. */
  destroy(): void;
}
