import {
  checkKnownOptions,
  InvalidParameterError,
  squaredEps,
  throwIfAborted,
  validateDim,
  validatePoints,
  type PointSet,
} from '@epsball/clustering';
import type {HdbscanParams, HdbscanRunOptions} from './algorithm.ts';

/** Names of `HdbscanParams` that callers of the front door set. */
export const HDBSCAN_PARAMS: readonly string[] = [
  'minClusterSize',
  'minSamples',
  'countSelf',
  'selection',
  'clusterSelectionEpsilon',
  'maxClusterSize',
  'allowSingleCluster',
  'duplicates',
];

/** Names of `HdbscanRunOptions`. */
export const RUN_NAMES: readonly string[] = ['signal', 'onProgress'];

const VARIANT_PARAMS: readonly string[] = [...HDBSCAN_PARAMS, 'clusterSelectionEpsilon2'];

/** As scikit-learn's. */
const MIN_CLUSTER_SIZE = 5;

export interface CheckedParams {
  readonly minClusterSize: number;
  /** The rank of the core distance, the point itself counted. */
  readonly rank: number;
  readonly selection: 'eom' | 'leaf';
  /** Whether there is a selection epsilon. Its square may be 0. */
  readonly hasSelectionEpsilon: boolean;
  /** The bound of squared distances for the selection epsilon. */
  readonly selectionSquared: number;
  readonly maxClusterSize: number;
  readonly allowSingleCluster: boolean;
  readonly duplicates: 'count' | 'once';
}

/**
 * Checks the input of a run before anything is allocated.
 *
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, RunAbortedError
 */
export function checkRun(
  points: PointSet,
  params: HdbscanParams | undefined,
  options: HdbscanRunOptions,
  maxDim: number,
): CheckedParams {
  const checked = checkParams(params);
  checkKnownOptions(options, RUN_NAMES, 'options', 'an object such as {signal, onProgress}');
  validatePoints(points);
  validateDim(points.dim, 'hdbscan', maxDim);
  throwIfAborted(options.signal, 'start');
  return checked;
}

/**
 * Checks parameters and fills in defaults.
 *
 * @throws InvalidParameterError  if a parameter is unknown or out of range
 */
export function checkParams(params: HdbscanParams = {}): CheckedParams {
  checkKnownOptions(params, VARIANT_PARAMS, 'params', 'an object');
  const {
    minClusterSize = MIN_CLUSTER_SIZE,
    minSamples = minClusterSize,
    countSelf = true,
    selection = 'eom',
    clusterSelectionEpsilon = 0,
    clusterSelectionEpsilon2: selectionSquared = squaredEps(clusterSelectionEpsilon),
    maxClusterSize = Infinity,
    allowSingleCluster = false,
    duplicates = 'count',
  } = params;
  checkInteger('minClusterSize', minClusterSize, 2);
  checkInteger('minSamples', minSamples, 1);
  if (maxClusterSize !== Infinity) checkInteger('maxClusterSize', maxClusterSize, 1);
  checkFlag('countSelf', countSelf);
  checkFlag('allowSingleCluster', allowSingleCluster);
  if (duplicates !== 'count' && duplicates !== 'once') {
    throw new InvalidParameterError('duplicates', duplicates, "'count' or 'once'");
  }
  if (selection !== 'eom' && selection !== 'leaf') {
    throw new InvalidParameterError('selection', selection, "'eom' or 'leaf'");
  }
  if (!(clusterSelectionEpsilon >= 0 && clusterSelectionEpsilon < Infinity)) {
    throw new InvalidParameterError('clusterSelectionEpsilon', clusterSelectionEpsilon, 'a finite number ≥ 0');
  }
  const square = squaredEps(clusterSelectionEpsilon);
  if (!(selectionSquared <= square && selectionSquared >= square * (1 - 2 ** -49))) {
    const expectation = `clusterSelectionEpsilon² = ${square}, or up to 2^-49 of it less`;
    throw new InvalidParameterError('clusterSelectionEpsilon2', selectionSquared, expectation);
  }
  const rank = countSelf ? minSamples : minSamples + 1;
  return {
    minClusterSize,
    rank,
    selection,
    hasSelectionEpsilon: clusterSelectionEpsilon > 0,
    selectionSquared,
    maxClusterSize,
    allowSingleCluster,
    duplicates,
  };
}

function checkInteger(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least) {
    throw new InvalidParameterError(name, value, `an integer ≥ ${least}`);
  }
}

function checkFlag(name: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new InvalidParameterError(name, value, 'true or false');
}
