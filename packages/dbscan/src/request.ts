import {
  checkKnownOptions,
  checkMissing,
  checkTimeParams,
  METRIC_OPTIONS,
  metricPoints,
  metricRadius,
  pointCount,
  pointsInTime,
  throwIfAborted,
  toPoints,
  toWeights,
  validateDbscanParams,
  validatePointShape,
  type DbscanParams,
  type DbscanRunOptions,
  type MetricOptions,
  type MissingOptions,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {afterPoints, RUNNER_OPTIONS} from '@epsball/clustering/catalogue';

/** The parameters of a run, as a caller of the front door states them. */
export interface DbscanRequest extends MetricOptions, MissingOptions {
  /**
   * Radius of the closed neighbourhood; finite, > 0. A distance of exactly eps counts. Unit: that of the coordinates;
   * `epsUnit` with `haversine`.
   */
  readonly eps: number;
  /** Points within eps that make a point core, itself included; integer ≥ 1. With 1 no point is noise. */
  readonly minPts: number;
  /**
   * One weight a point, finite, of any sign. A point is core if the weights within eps, its own included, sum to minPts
   * or more; the sum is exact and rounded once. Default: 1 for each point. Not modified.
   */
  readonly sampleWeight?: ArrayLike<number> | undefined;
  /**
   * The second radius of ST-DBSCAN: neighbours are within eps, and their times differ by at most `epsTime`; finite,
   * ≥ 0, in the unit of `time`. Default: none.
   */
  readonly epsTime?: number | undefined;
  /** With `epsTime`: one time a point, finite, such as seconds of an epoch. Not modified. */
  readonly time?: ArrayLike<number> | undefined;
  /**
   * Whether the run takes one point with a weight in place of equal points. The labels stay the same. Pays where most
   * points have duplicates. Default: false.
   */
  readonly collapse?: boolean | undefined;
}

/** A right call, for messages. */
export const DBSCAN_CALL = 'dbscan(points, {eps: 0.5, minPts: 5})';

const RUN_CALL = 'run(points, {eps: 0.5, minPts: 5})';

const PARAMS: readonly string[] = [
  'eps',
  'minPts',
  'sampleWeight',
  'epsTime',
  'time',
  'collapse',
  'missing',
  ...METRIC_OPTIONS,
];
const RUN_OPTIONS: readonly string[] = ['signal', 'onProgress'];
/** Of a kept instance only. */
const OUTPUT_OPTIONS: readonly string[] = ['labels', 'coreMask'];

export const KEPT_OPTIONS: readonly string[] = [...RUNNER_OPTIONS, 'oneShot'];

export const DBSCAN_OPTIONS: readonly string[] = [...PARAMS, ...RUNNER_OPTIONS, ...RUN_OPTIONS];

export function paramsOf(options: DbscanRequest): DbscanRequest {
  const {eps, minPts, sampleWeight, epsTime, time, collapse, missing, metric, angles, epsUnit} = options;
  return {eps, minPts, sampleWeight, epsTime, time, collapse, missing, metric, angles, epsUnit};
}

/** Points and parameters as variants take them. */
export interface PreparedRun {
  readonly points: PointSet;
  readonly params: DbscanParams;
}

/**
 * Converts points and parameters for a variant. Errors are thrown in this order: of the points, of the parameters, of
 * the points in the metric.
 */
export function prepareRun(input: PointsInput, request: DbscanRequest, options: DbscanRunOptions): PreparedRun {
  const points = toPoints(input);
  const params = afterPoints(points, () => {
    checkKnownOptions(request, PARAMS, 'params', `an object with eps and minPts: ${RUN_CALL}`);
    checkKnownOptions(
      options,
      [...RUN_OPTIONS, ...OUTPUT_OPTIONS],
      'options',
      'an object such as {signal, onProgress}',
    );
    const {eps, minPts, epsTime} = request;
    const checked: DbscanParams = {...metricRadius(eps, request), minPts, ...(epsTime === undefined ? {} : {epsTime})};
    validateDbscanParams(checked);
    checkTimeParams(request);
    checkMissing(request.missing);
    throwIfAborted(options.signal, 'start');
    return checked;
  });
  const {sampleWeight, time} = request;
  const mapped = metricPoints(points, request);
  const prepared = time === undefined ? mapped : pointsInTime(mapped, time);
  if (sampleWeight === undefined) return {points: prepared, params};
  validatePointShape(prepared);
  return {points: prepared, params: {...params, sampleWeight: toWeights(sampleWeight, pointCount(prepared))}};
}
