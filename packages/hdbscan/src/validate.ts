import {checkKnownOptions, throwIfAborted, validateDim, validatePoints, type PointSet} from '@epsball/clustering';
import type {HdbscanParams, HdbscanRunOptions} from './algorithm.ts';
import {checkParams, type CheckedParams} from './checkParams.ts';

/** Names of `HdbscanRunOptions`. */
export const RUN_NAMES: readonly string[] = ['signal', 'onProgress'];

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
