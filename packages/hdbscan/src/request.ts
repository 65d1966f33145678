import {
  checkKnownOptions,
  InvalidParameterError,
  METRIC_OPTIONS,
  metricPoints,
  metricRadius,
  throwIfAborted,
  toPoints,
  type MetricOptions,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {afterPoints, RUNNER_OPTIONS} from '@epsball/clustering/catalogue';
import type {HdbscanParams, HdbscanResult, HdbscanRunOptions} from './algorithm.ts';
import {checkParams, HDBSCAN_PARAMS, RUN_NAMES} from './checkParams.ts';

/** The parameters of a run, as a caller of the front door states them. Distances are in the unit of the metric. */
export type HdbscanRequest = Omit<HdbscanParams, 'clusterSelectionEpsilon2'> & MetricOptions;

const REQUEST_NAMES: readonly string[] = [...HDBSCAN_PARAMS, ...METRIC_OPTIONS];

/** @throws InvalidParameterError  if an option of `hdbscan` is unknown; names the nearest known one */
export function checkOptions(options: object): void {
  const known = [...REQUEST_NAMES, ...RUNNER_OPTIONS, ...RUN_NAMES];
  checkKnownOptions(options, known, 'options', 'an object: hdbscan(points, {minClusterSize: 5})');
}

/** @throws InvalidParameterError  if an option of `createHdbscan` is unknown */
export function checkCreateOptions(options: object): void {
  checkKnownOptions(options, RUNNER_OPTIONS, 'options', "an object: createHdbscan({backend: 'workers'})");
}

/** The request among the options of `hdbscan`. */
export function requestOf(options: object): HdbscanRequest {
  return Object.fromEntries(Object.entries(options).filter(([name]) => REQUEST_NAMES.includes(name)));
}

/**
 * Converts points and parameters for a variant. Errors are thrown in this order: of the points, of the parameters, of
 * the points in the metric.
 *
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError
 */
export function prepareRun(
  input: PointsInput,
  request: HdbscanRequest,
  options: HdbscanRunOptions,
): {readonly points: PointSet; readonly params: HdbscanParams} {
  const points = toPoints(input);
  return afterPoints(points, () => {
    checkKnownOptions(request, REQUEST_NAMES, 'params', 'an object: run(points, {minClusterSize: 5})');
    checkKnownOptions(options, RUN_NAMES, 'options', 'an object such as {signal, onProgress}');
    const {metric: _, angles: __, epsUnit: ___, ...params} = request;
    checkParams(params);
    throwIfAborted(options.signal, 'start');
    const {metric} = metricRadius(1, request);
    // Core distances and the tree are Euclidean. Unit vectors bring haversine and cosine there.
    if (metric !== 'euclidean') {
      throw new InvalidParameterError('metric', metric, 'euclidean, haversine or cosine for hdbscan');
    }
    return {points: metricPoints(points, request), params: {...params, ...selectionInSpace(request)}};
  });
}

/** The selection epsilon in the space of the metric. */
function selectionInSpace(
  request: HdbscanRequest,
): Pick<HdbscanParams, 'clusterSelectionEpsilon' | 'clusterSelectionEpsilon2'> {
  const {clusterSelectionEpsilon = 0} = request;
  if (clusterSelectionEpsilon === 0) return {};
  const {eps, eps2} = metricRadius(clusterSelectionEpsilon, request);
  return {clusterSelectionEpsilon: eps, clusterSelectionEpsilon2: eps2};
}

/** A result whose cuts take radii in the unit of the metric. */
export function inMetric<Result extends HdbscanResult>(result: Result, request: HdbscanRequest): Result {
  const {dbscanClustering} = result;
  const cut = (eps: number): Int32Array => {
    const radius = metricRadius(eps, request);
    return dbscanClustering(radius.eps, radius.eps2);
  };
  return {...result, dbscanClustering: cut};
}
