import {
  checkInteger,
  checkKnownOptions,
  InvalidParameterError,
  squaredEps,
  throwIfAborted,
  validateDim,
  validatePoints,
  validatePointShape,
  type PointSet,
} from '@epsball/clustering';
import type {HdbscanParams, HdbscanRunOptions, HdbscanSelectionParams, HdbscanTreeParams} from './algorithm.ts';

export const TREE_PARAMS: readonly string[] = ['minSamples', 'countSelf', 'duplicates', 'sampleWeight'];

/** Names of `HdbscanSelectionParams` that callers of the front door set. */
export const SELECTION_PARAMS: readonly string[] = [
  'minClusterSize',
  'selection',
  'clusterSelectionEpsilon',
  'maxClusterSize',
  'allowSingleCluster',
];

/** Names of `HdbscanRunOptions`. */
export const RUN_NAMES: readonly string[] = ['signal', 'onProgress'];

/** Of the variants. */
const SELECTION_NAMES: readonly string[] = [...SELECTION_PARAMS, 'clusterSelectionEpsilon2'];

/** As scikit-learn's. */
const MIN_CLUSTER_SIZE = 5;

export interface CheckedTree {
  /** The rank of the core distance, the point itself counted. */
  readonly rank: number;
  readonly duplicates: 'count' | 'once';
  /** Unchecked: `placesOf` knows how many there must be. */
  readonly sampleWeight: ArrayLike<number> | undefined;
}

export interface CheckedSelection {
  readonly minClusterSize: number;
  readonly selection: 'eom' | 'leaf';
  /** Whether there is a selection epsilon. Its square may be 0. */
  readonly hasSelectionEpsilon: boolean;
  /** The bound of squared distances for the selection epsilon. */
  readonly selectionSquared: number;
  readonly maxClusterSize: number;
  readonly allowSingleCluster: boolean;
}

/**
 * Checks the input of a run before anything is allocated.
 *
 * @param looksForNonFinite  whether the run itself finds coordinates that are not finite
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, RunAbortedError
 */
export function checkInput(
  points: PointSet,
  options: HdbscanRunOptions,
  {maxDim, looksForNonFinite = false}: {readonly maxDim: number; readonly looksForNonFinite?: boolean},
): void {
  checkRunOptions(options);
  (looksForNonFinite ? validatePointShape : validatePoints)(points);
  validateDim(points.dim, 'hdbscan', maxDim);
  throwIfAborted(options.signal, 'start');
}

/** @throws InvalidParameterError  if an option is unknown */
export function checkRunOptions(options: HdbscanRunOptions): void {
  checkKnownOptions(options, RUN_NAMES, 'options', 'an object such as {signal, onProgress}');
}

/**
 * Checks the parameters of a run and fills in defaults.
 *
 * @throws InvalidParameterError  if a parameter is unknown or out of range
 */
export function checkParams(params: HdbscanParams = {}): CheckedTree & CheckedSelection {
  checkKnownOptions(params, [...TREE_PARAMS, ...SELECTION_NAMES], 'params', 'an object');
  const {minSamples, countSelf, duplicates, sampleWeight, ...rest} = params;
  const selection = checkSelection(rest);
  const tree = {minSamples: minSamples ?? selection.minClusterSize, countSelf, duplicates, sampleWeight};
  return {...selection, ...checkTree(tree)};
}

/** @throws InvalidParameterError  if a parameter is unknown, missing or out of range */
export function checkTree(params: HdbscanTreeParams): CheckedTree {
  checkKnownOptions(params, TREE_PARAMS, 'params', 'an object such as {minSamples: 5}');
  const {minSamples, countSelf = true, duplicates = 'count', sampleWeight} = params;
  checkInteger('minSamples', minSamples, 1);
  checkFlag('countSelf', countSelf);
  if (duplicates !== 'count' && duplicates !== 'once') {
    throw new InvalidParameterError('duplicates', duplicates, "'count' or 'once'");
  }
  return {rank: countSelf ? minSamples : minSamples + 1, duplicates, sampleWeight};
}

/** @throws InvalidParameterError  if a parameter is unknown or out of range */
export function checkSelection(params: HdbscanSelectionParams = {}): CheckedSelection {
  checkKnownOptions(params, SELECTION_NAMES, 'params', 'an object: select({minClusterSize: 5})');
  const {
    minClusterSize = MIN_CLUSTER_SIZE,
    selection = 'eom',
    clusterSelectionEpsilon = 0,
    clusterSelectionEpsilon2: selectionSquared = squaredEps(clusterSelectionEpsilon),
    maxClusterSize = Infinity,
    allowSingleCluster = false,
  } = params;
  checkInteger('minClusterSize', minClusterSize, 2);
  if (maxClusterSize !== Infinity) checkInteger('maxClusterSize', maxClusterSize, 1);
  checkFlag('allowSingleCluster', allowSingleCluster);
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
  const hasSelectionEpsilon = clusterSelectionEpsilon > 0;
  return {minClusterSize, selection, hasSelectionEpsilon, selectionSquared, maxClusterSize, allowSingleCluster};
}

function checkFlag(name: string, value: boolean): void {
  if (typeof value !== 'boolean') throw new InvalidParameterError(name, value, 'true or false');
}
