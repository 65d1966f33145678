import {validateDbscanParams, type DbscanParams} from './dbscan.ts';
import {UnsupportedDimensionError} from './errors.ts';
import {validatePoints, validatePointShape, type PointSet} from './points.ts';
import {throwIfAborted} from './progress.ts';

/** Limits and abort signal that `validateRun` checks a run against. */
export interface VariantLimits {
  /** The variant's name in messages: its catalogue id. */
  readonly variant: string;
  /** Most dimensions it takes; `Infinity` where any number will do. */
  readonly maxDim: number;
  /** The variant looks for coordinates that are not finite by itself, where its first pass over them does so in passing. */
  readonly looksForNonFinite?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The preamble of every variant's `run`: refuses what no run may start with, before anything is allocated.
 *
 * @param points  not modified
 * @throws InvalidParameterError      if `eps`, `minPts` or `dim` is out of range
 * @throws InvalidPointsError         if the coordinates are not whole, finite points; finite only where the variant does not look
 * @throws UnsupportedDimensionError  if the points have more than `maxDim` dimensions
 * @throws RunAbortedError            if the signal has fired
 * @complexity O(n · dim), no allocation; O(1) where the variant looks
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
 * @param variant  its name in the message
 * @throws UnsupportedDimensionError  if `dim` exceeds `maxDim`
 */
export function validateDim(dim: number, variant: string, maxDim: number): void {
  if (dim > maxDim) throw new UnsupportedDimensionError(variant, dim, maxDim);
}
