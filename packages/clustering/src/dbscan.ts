import {InvalidParameterError} from './errors.ts';
import {checkInteger, checkKnownOptions} from './knownOptions.ts';
import {VARIANT_METRICS, type VariantMetric} from './metric/metric.ts';
import type {PointSet} from './points.ts';
import type {RunOptions, RunStats} from './progress.ts';

/** Label of a point that belongs to no cluster. */
export const NOISE = -1;

export interface DbscanParams {
  /** Radius of the closed neighbourhood, in coordinate units; finite, > 0. A distance of exactly eps counts. */
  readonly eps: number;
  /** Points within eps that make a point core, itself included; integer ≥ 1. With 1 no point is noise. */
  readonly minPts: number;
  /** Default: `euclidean`. */
  readonly metric?: VariantMetric | undefined;
  /**
   * The bound of squared Euclidean distances, from eps · eps · (1 − 2^-49) to eps · eps. Default: eps · eps. A front
   * door sets it for the metric cosine, whose bound is no square.
   */
  readonly eps2?: number | undefined;
  /**
   * The second radius of ST-DBSCAN, finite, ≥ 0: the last coordinate of a point is its time, and neighbours are at most
   * `epsTime` apart there, and within eps in the coordinates before. Default: all coordinates are of space.
   */
  readonly epsTime?: number | undefined;
  /**
   * n finite weights of any sign. A point is core if the exact sum of the weights within eps, its own included, rounded
   * once to float64, is at least minPts. Default: 1 for each point. Not modified.
   */
  readonly sampleWeight?: Float64Array | undefined;
}

/** The phases of a run, in order. A variant without a phase omits it. */
export const DBSCAN_PHASES = ['upload', 'index', 'core', 'clusters', 'borders', 'readBack'] as const;
export type DbscanPhase = (typeof DBSCAN_PHASES)[number];

export type DbscanRunOptions = RunOptions<DbscanPhase>;

export type DbscanStats = RunStats<DbscanPhase>;

/** Equal to `sklearn.cluster.DBSCAN(eps, min_samples=minPts, algorithm='kd_tree')`, to the byte. */
export interface DbscanResult {
  /** n labels: −1 is noise. Clusters are 0…k−1 by smallest core point. A border point has its lowest adjacent one. */
  readonly labels: Int32Array;
  /** n flags, 1 = core point. */
  readonly coreMask: Uint8Array;
  /** Ends the use of borrowed labels; present if they are. Safe to call twice. */
  readonly release?: () => void;
  /** k, the number of clusters. */
  readonly clusterCount: number;
  readonly stats: DbscanStats;
}

export function emptyResult(counters: Readonly<Record<string, number>>): DbscanResult {
  const stats = {phaseMs: {}, wallMs: 0, counters};
  return {labels: new Int32Array(0), coreMask: new Uint8Array(0), clusterCount: 0, stats};
}

/** One variant on one backend, for many runs, which execute one after another. Owns what it allocates. */
export interface DbscanAlgorithm extends Disposable {
  /**
   * Clusters one point set.
   *
   * @param points  not modified
   * @returns       arrays owned by the caller
   * @throws        InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, GpuLimitError,
   *                GpuDeviceLostError, WorkerFailedError, RunAbortedError. After each of them the next run works
   *                (after a lost device, on a new one). DestroyedError after `destroy()`
   */
  run(points: PointSet, params: DbscanParams, options?: DbscanRunOptions): Promise<DbscanResult>;
  /** Frees what the algorithm owns. Safe to call twice. */
  destroy(): void;
}

/** Names of `DbscanParams`; of `DbscanRunOptions` and `DbscanOutputOptions`. */
const DBSCAN_PARAMS: readonly string[] = ['eps', 'minPts', 'metric', 'eps2', 'epsTime', 'sampleWeight'];
const RUN_OPTIONS: readonly string[] = ['signal', 'onProgress', 'labels', 'coreMask'];

/**
 * Checks the names among the arguments of a variant's run, for callers without type checks.
 *
 * @throws InvalidParameterError  if one is unknown, or belongs to the other argument; if `params` is not an object
 */
export function checkRunNames(params: object, options: object = {}): void {
  checkKnownOptions(params, DBSCAN_PARAMS, 'params', 'an object with eps and minPts', {
    names: RUN_OPTIONS,
    place: (name) => `it among the options, the third argument: run(points, params, {${name}})`,
  });
  checkKnownOptions(options, RUN_OPTIONS, 'options', 'an object such as {signal, onProgress}', {
    names: DBSCAN_PARAMS,
    place: (name) => `it among the parameters, the second argument: run(points, {${name}})`,
  });
}

/**
 * @throws InvalidParameterError  if `params` is missing, `eps` is not finite and > 0, `minPts` is not an integer ≥ 1,
 * `epsTime` is not finite and ≥ 0, or the metric is unknown
 */
export function validateDbscanParams(params: Omit<DbscanParams, 'sampleWeight'>): void {
  // Callers without type checks may omit it.
  if (params === undefined || params === null) {
    throw new InvalidParameterError('params', params, 'an object with eps and minPts');
  }
  const {eps, minPts, metric = 'euclidean', eps2 = eps * eps, epsTime = 0} = params;
  if (!Number.isFinite(eps) || eps <= 0) throw new InvalidParameterError('eps', eps, 'a finite number > 0');
  checkInteger('minPts', minPts, 1);
  if (!Number.isFinite(epsTime) || epsTime < 0) {
    throw new InvalidParameterError('epsTime', epsTime, 'a finite number ≥ 0');
  }
  if (!VARIANT_METRICS.includes(metric)) {
    throw new InvalidParameterError('metric', metric, `one of ${VARIANT_METRICS.join(', ')}`);
  }
  if (!(eps2 <= eps * eps && eps2 >= eps * eps * (1 - 2 ** -49))) {
    throw new InvalidParameterError('eps2', eps2, `eps · eps = ${eps * eps}, or up to 2^-49 of it less`);
  }
}
