import {checkRunNames, validateDbscanParams, type DbscanParams, type DbscanRunOptions} from './dbscan.ts';
import {InvalidParameterError, InvalidPointsError, UnsupportedDimensionError} from './errors.ts';
import type {VariantMetric} from './metric/metric.ts';
import {pointCount, validatePoints, validatePointShape, type PointSet} from './points.ts';
import {throwIfAborted} from './progress.ts';
import {toWeights} from './weights/weights.ts';

/** Limits and options that `validateRun` checks a run against. */
export interface VariantLimits {
  /** The variant's name in messages: its catalogue id. */
  readonly variant: string;
  /** Maximum dimensions; `Infinity` if there is no limit. */
  readonly maxDim: number;
  /** Whether the variant itself rejects coordinates that are not finite, in its first pass. Default: false. */
  readonly looksForNonFinite?: boolean | undefined;
  readonly options?: DbscanRunOptions | undefined;
  /** The metrics that the variant computes. Default: euclidean only. */
  readonly metrics?: readonly VariantMetric[] | undefined;
  /** Whether the variant takes weights. Default: false. */
  readonly takesWeights?: boolean | undefined;
  /** Whether the variant takes `epsTime`. Default: false. */
  readonly takesTime?: boolean | undefined;
}

/**
 * Checks the input of a variant's `run` before anything is allocated.
 *
 * @param points  not modified
 * @throws InvalidParameterError      if a name is unknown; if `eps`, `minPts` or `dim` is out of range, or the variant
 *                                    lacks the metric, weights or times
 * @throws InvalidPointsError         if the coordinates do not form whole points, or, without `looksForNonFinite`, are
 *                                    not finite; if there is no axis but that of time
 * @throws UnsupportedDimensionError  if the points have more than `maxDim` dimensions
 * @throws RunAbortedError            if the signal has fired
 * @complexity O(n · dim); O(1) with `looksForNonFinite`. No allocation
 */
export function validateRun(points: PointSet, params: DbscanParams, limits: VariantLimits): void {
  const {variant, maxDim, looksForNonFinite = false, options} = limits;
  checkRunNames(params, options);
  validateDbscanParams(params);
  validateFeatures(params, limits);
  if (looksForNonFinite) validatePointShape(points);
  else validatePoints(points);
  validateDim(points.dim, variant, maxDim);
  if (params.epsTime !== undefined && points.dim < 2) {
    throw new InvalidPointsError(
      `dim = ${points.dim}; expected 2 or more with epsTime: the last coordinate is the time`,
    );
  }
  if (params.sampleWeight !== undefined) toWeights(params.sampleWeight, pointCount(points));
  throwIfAborted(options?.signal, 'start');
}

/** @throws UnsupportedDimensionError  if `dim` exceeds `maxDim` */
export function validateDim(dim: number, variant: string, maxDim: number): void {
  if (dim > maxDim) throw new UnsupportedDimensionError(variant, dim, maxDim);
}

/** @throws InvalidParameterError  if a variant does not take the metric, weights or times. No variant ignores them */
export function validateFeatures(
  {
    metric = 'euclidean',
    sampleWeight,
    epsTime,
  }: Pick<DbscanParams, 'metric' | 'epsTime'> & {readonly sampleWeight?: unknown},
  {
    variant,
    metrics = ['euclidean'],
    takesWeights = false,
    takesTime = false,
  }: Pick<VariantLimits, 'variant' | 'metrics' | 'takesWeights' | 'takesTime'>,
): void {
  if (!metrics.includes(metric)) {
    throw new InvalidParameterError('metric', metric, `${metrics.join(' or ')} for ${variant}`);
  }
  if (sampleWeight !== undefined && !takesWeights) {
    throw new InvalidParameterError('sampleWeight', sampleWeight, `no weights for ${variant}`);
  }
  if (epsTime !== undefined && !takesTime) {
    throw new InvalidParameterError('epsTime', epsTime, `no epsTime for ${variant}`);
  }
}
