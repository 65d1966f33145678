import {InvalidParameterError} from '../errors.ts';
import {describeNames} from '../nearestName.ts';

/** Distances between points. docs/contract.md defines each in float64. */
export const METRICS = ['euclidean', 'manhattan', 'chebyshev', 'haversine', 'cosine'] as const;
export type Metric = (typeof METRICS)[number];

/** The metrics that variants compute themselves. Haversine and cosine reach them as Euclidean distances. */
export const VARIANT_METRICS = ['euclidean', 'manhattan', 'chebyshev'] as const;
export type VariantMetric = (typeof VARIANT_METRICS)[number];

/** @throws InvalidParameterError  if the metric is unknown; lists the metrics */
export function validateMetric(metric: string): void {
  if (METRICS.some((known) => known === metric)) return;
  if (metric === 'minkowski') {
    throw new InvalidParameterError('metric', metric, 'manhattan (p = 1), euclidean (p = 2) or chebyshev (p = ∞)');
  }
  throw new InvalidParameterError('metric', metric, describeNames(metric, METRICS));
}
