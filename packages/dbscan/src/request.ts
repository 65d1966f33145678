import {
  checkKnownOptions,
  METRIC_OPTIONS,
  metricPoints,
  metricRadius,
  throwIfAborted,
  toPoints,
  validateDbscanParams,
  validatePoints,
  type DbscanParams,
  type DbscanRunOptions,
  type MetricOptions,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';

/** The parameters of a run, as a caller of the front door states them. */
export interface DbscanRequest extends MetricOptions {
  /**
   * Radius of the closed neighbourhood; finite, > 0. A distance of exactly eps counts. Unit: that of the coordinates;
   * `epsUnit` with `haversine`.
   */
  readonly eps: number;
  /** Points within eps that make a point core, itself included; integer ≥ 1. With 1 no point is noise. */
  readonly minPts: number;
}

/** A right call, for messages. */
export const DBSCAN_CALL = 'dbscan(points, {eps: 0.5, minPts: 5})';

const RUN_CALL = 'run(points, {eps: 0.5, minPts: 5})';

const PARAMS: readonly string[] = ['eps', 'minPts', ...METRIC_OPTIONS];
const RUN_OPTIONS: readonly string[] = ['signal', 'onProgress'];
/** Of a kept instance only. */
const OUTPUT_OPTIONS: readonly string[] = ['labels', 'coreMask'];

/** Names of `CreateDbscanOptions`. */
export const CREATE_OPTIONS: readonly string[] = [
  'algorithm',
  'backend',
  'adapter',
  'device',
  'gpu',
  'threads',
  'options',
];

/** Names of `DbscanOptions`. */
export const DBSCAN_OPTIONS: readonly string[] = [...PARAMS, ...CREATE_OPTIONS, ...RUN_OPTIONS];

/** The parameters among the options of `dbscan`. */
export function paramsOf({eps, minPts, metric, angles, epsUnit}: DbscanRequest): DbscanRequest {
  return {eps, minPts, metric, angles, epsUnit};
}

/** Points and parameters as variants take them. */
export interface PreparedRun {
  readonly points: PointSet;
  readonly params: DbscanParams;
}

/**
 * Converts points and parameters for a variant. Errors are thrown in this order: of the points, of the parameters, of
 * the points in the metric.
 *
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError
 */
export function prepareRun(input: PointsInput, request: DbscanRequest, options: DbscanRunOptions): PreparedRun {
  const points = toPoints(input);
  let params: DbscanParams;
  try {
    checkKnownOptions(request, PARAMS, 'params', `an object with eps and minPts: ${RUN_CALL}`);
    checkKnownOptions(
      options,
      [...RUN_OPTIONS, ...OUTPUT_OPTIONS],
      'options',
      'an object such as {signal, onProgress}',
    );
    params = paramsInMetric(request);
    validateDbscanParams(params);
    throwIfAborted(options.signal, 'start');
  } catch (error) {
    validatePoints(points);
    throw error;
  }
  return {points: metricPoints(points, request), params};
}

function paramsInMetric(request: DbscanRequest): DbscanParams {
  const {eps} = metricRadius(request.eps, request);
  return {eps, minPts: request.minPts};
}
