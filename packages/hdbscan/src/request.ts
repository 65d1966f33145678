import {
  checkKnownOptions,
  checkMissing,
  InvalidParameterError,
  METRIC_OPTIONS,
  metricPoints,
  metricRadius,
  pointCount,
  throwIfAborted,
  toPoints,
  type MetricOptions,
  type MissingOptions,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {afterPoints, RUNNER_OPTIONS} from '@epsball/clustering/catalogue';
import type {HdbscanHierarchy, HdbscanParams, HdbscanRunOptions, HdbscanTreeParams} from './algorithm.ts';
import {
  checkParams,
  checkRunOptions,
  checkSelection,
  checkTree,
  RUN_NAMES,
  SELECTION_PARAMS,
  TREE_PARAMS,
} from './checkParams.ts';
import {checkWeights} from './weightParts.ts';

/** The parameters of a run, as a caller of the front door states them. Distances are in the unit of the metric. */
export type HdbscanRequest = Omit<HdbscanParams, 'clusterSelectionEpsilon2'> & MetricOptions & MissingOptions;

/** The parameters of a hierarchy, as a caller of the front door states them. */
export type HierarchyRequest = HdbscanTreeParams & MetricOptions & MissingOptions;

const TREE_NAMES: readonly string[] = [...TREE_PARAMS, ...METRIC_OPTIONS, 'missing'];
const REQUEST_NAMES: readonly string[] = [...SELECTION_PARAMS, ...TREE_NAMES];

/** What one call asks for: clusters, or a hierarchy. */
export interface Asked<Params> {
  /** Names of its options beside those of runs and backends. */
  readonly names: readonly string[];
  readonly example: string;
  readonly check: (params: Params) => void;
}

export const CLUSTERS: Asked<HdbscanParams> = {
  names: REQUEST_NAMES,
  example: '{minClusterSize: 5}',
  check: checkParams,
};

export const HIERARCHY: Asked<HdbscanTreeParams> = {
  names: TREE_NAMES,
  example: '{minSamples: 5}',
  check: checkTree,
};

/** @throws InvalidParameterError  if an option of a one-shot call is unknown; names the nearest known one */
export function checkOptions(options: object, call: string, {names, example}: Asked<never>): void {
  const known = [...names, ...RUNNER_OPTIONS, ...RUN_NAMES];
  checkKnownOptions(options, known, 'options', `an object: ${call}(points, ${example})`);
}

/** @throws InvalidParameterError  if an option of `createHdbscan` is unknown */
export function checkCreateOptions(options: object): void {
  checkKnownOptions(options, RUNNER_OPTIONS, 'options', "an object: createHdbscan({backend: 'workers'})");
}

/** The options that a call asks with, among all of a one-shot call. */
export function requestOf<Options extends object>(options: Options, {names}: Asked<never>): Options {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all options are optional but those of `names`
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name))) as Options;
}

/**
 * Converts points and parameters for a variant. Errors are thrown in this order: of the points, of the parameters, of
 * the points in the metric.
 *
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError
 */
export function prepareRun<Params extends HdbscanParams>(
  input: PointsInput,
  request: Params & MetricOptions & MissingOptions,
  options: HdbscanRunOptions,
  {names, example, check}: Asked<Params>,
): {readonly points: PointSet; readonly params: Params} {
  const points = toPoints(input);
  return afterPoints(points, () => {
    checkKnownOptions(request, names, 'params', `an object such as ${example}`);
    checkRunOptions(options);
    const {metric: _, angles: __, epsUnit: ___, missing, ...rest} = request;
    checkMissing(missing);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of Params & MetricOptions
    const params = rest as unknown as Params;
    check(params);
    if (params.sampleWeight !== undefined) checkWeights(params.sampleWeight, pointCount(points));
    throwIfAborted(options.signal, 'start');
    const {metric} = metricRadius(1, request);
    // Core distances and the tree are Euclidean. Unit vectors bring haversine and cosine there.
    if (metric !== 'euclidean') {
      throw new InvalidParameterError('metric', metric, 'euclidean, haversine or cosine for hdbscan');
    }
    return {points: metricPoints(points, request), params: inSpace(params, request)};
  });
}

/** Parameters with the selection epsilon in the space of the metric. */
function inSpace<Params extends HdbscanParams>(params: Params, metric: MetricOptions): Params {
  const {clusterSelectionEpsilon = 0} = params;
  if (clusterSelectionEpsilon === 0) return params;
  const {eps, eps2} = metricRadius(clusterSelectionEpsilon, metric);
  return {...params, clusterSelectionEpsilon: eps, clusterSelectionEpsilon2: eps2};
}

/** A hierarchy whose settings and cuts take distances in the unit of the metric. */
export function inMetric(hierarchy: HdbscanHierarchy, metric: MetricOptions): HdbscanHierarchy {
  return {
    ...hierarchy,
    select: (params = {}) => {
      checkKnownOptions(params, SELECTION_PARAMS, 'params', 'an object: select({minClusterSize: 5})');
      checkSelection(params);
      return hierarchy.select(inSpace(params, metric));
    },
    cut: (eps) => {
      const radius = metricRadius(eps, metric);
      return hierarchy.cut(radius.eps, radius.eps2);
    },
  };
}
