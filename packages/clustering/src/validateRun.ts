import {validateDbscanParams, type DbscanParams} from './dbscan.ts';
import {UnsupportedDimensionError} from './errors.ts';
import {validatePoints, validatePointShape, type PointSet} from './points.ts';
import {throwIfAborted} from './progress.ts';

/** Limits and abort signal that `validateRun` checks a run against. */
export interface VariantLimits {
  /** The variant's name in messages: its catalogue id. */
  readonly variant: string;
  /** Maximum dimensions; `Infinity` if there is no limit. */
  readonly maxDim: number;
  /** Whether the variant itself rejects coordinates that are not finite, in its first pass. Default: false. */
  readonly looksForNonFinite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Checks the input of a variant's `run` before anything is allocated.
 *
 * @param points  not modified
 * @throws InvalidParameterError      if `eps`, `minPts` or `dim` is out of range
 * @throws InvalidPointsError         if the coordinates do not form whole points, or, without `looksForNonFinite`, are
 *                                    not finite
 * @throws UnsupportedDimensionError  if the points have more than `maxDim` dimensions
 * @throws RunAbortedError            if the signal has fired
 * @complexity O(n · dim); O(1) with `looksForNonFinite`. No allocation
 */
export function validateRun(
  points: PointSet,
  params: DbscanParams,
  {variant, maxDim, looksForNonFinite = false, signal}: VariantLimits,
): void {
  validateDbscanParams(params);
  if (looksForNonFinite) validatePointShape(points);
  else validatePoints(points);
  validateDim(points.dim, variant, maxDim);
  throwIfAborted(signal, 'start');
}

/**
 * @param variant  name of the variant, for the message
 * @throws UnsupportedDimensionError  if `dim` exceeds `maxDim`
 */
export function validateDim(dim: number, variant: string, maxDim: number): void {
  if (dim > maxDim) throw new UnsupportedDimensionError(variant, dim, maxDim);
}
