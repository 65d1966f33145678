import {throwIfAborted, validateDim, validatePoints, type PointSet} from '@epsball/clustering';
import type {HdbscanParams, HdbscanRunOptions} from './algorithm.ts';
import {checkParams, type CheckedParams} from './checkParams.ts';

/**
 * Checks the input of a run before anything is allocated.
 *
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, RunAbortedError
 */
export function checkRun(
  points: PointSet,
  params: HdbscanParams | undefined,
  {signal}: HdbscanRunOptions,
  maxDim: number,
): CheckedParams {
  const checked = checkParams(params);
  validatePoints(points);
  validateDim(points.dim, 'hdbscan', maxDim);
  throwIfAborted(signal, 'start');
  return checked;
}
