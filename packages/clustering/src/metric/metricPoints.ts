import {InvalidParameterError, InvalidPointsError} from '../errors.ts';
import {KeptPoints} from '../keptPoints.ts';
import {validatePoints, type PointSet} from '../points.ts';
import {directionVectors} from './cosine.ts';
import {
  angleOfDistance,
  ANGLES,
  chordOfAngle,
  EARTH_RADIUS,
  EPS_UNITS,
  METRES,
  sphereVectors,
  type Angles,
  type EpsUnit,
} from './haversine.ts';
import {validateMetric, type Metric, type VariantMetric} from './metric.ts';
import {orderOnSphere} from './placeNames.ts';

/** The metric of a run. */
export interface MetricOptions {
  /** Default: `euclidean`. */
  readonly metric?: Metric | undefined;
  /** Unit of latitudes and longitudes. Required with `haversine`, and only then. */
  readonly angles?: Angles | undefined;
  /** Unit of eps. Required with `haversine`, and only then. The sphere has a radius of 6371.0088 km. */
  readonly epsUnit?: EpsUnit | undefined;
}

export const METRIC_OPTIONS = ['metric', 'angles', 'epsUnit'] as const;

/** Points whose columns have names. */
export type NamedPoints = PointSet & {readonly columns?: readonly string[]};

/** A radius as variants take it. */
export interface MetricRadius {
  readonly eps: number;
  /** The metric that variants compute. */
  readonly metric: VariantMetric;
  /** The bound of squared distances, where it is not eps · eps. */
  readonly eps2?: number;
}

/**
 * The radius for points as `metricPoints` returns them.
 *
 * Haversine: the chord 2 · sin(eps / 2) of unit vectors. Cosine: squared distances of unit vectors up to 2 · eps.
 *
 * @param eps  in the unit of the metric
 * @throws InvalidParameterError  if eps is not finite and > 0, the metric is unknown, or its options do not fit
 */
export function metricRadius(eps: number, options: MetricOptions): MetricRadius {
  const metric = checkedMetric(options);
  if (!Number.isFinite(eps) || eps <= 0) throw new InvalidParameterError('eps', eps, 'a finite number > 0');
  if (metric === 'haversine') {
    const chord = chordOfAngle(angleOfDistance(eps, options.epsUnit ?? 'rad'));
    return {eps: chord, metric: 'euclidean'};
  }
  if (metric !== 'cosine') return {eps, metric};
  // Distances go from 0 to 2, so every pair is within 2. Rounded unit vectors are less than 4 apart.
  if (eps >= 2) return {eps: 4, metric: 'euclidean'};
  return {...radiusOfSquare(2 * eps), metric: 'euclidean'};
}

/** A Euclidean distance of `metricPoints`, in the unit of the metric. */
export function metricDistance(distance: number, {metric, epsUnit = 'rad'}: MetricOptions): number {
  if (metric === 'cosine') return (distance * distance) / 2;
  if (metric !== 'haversine') return distance;
  // Beyond the diameter there is rounding only.
  return (2 * Math.asin(Math.min(1, distance / 2)) * EARTH_RADIUS) / METRES[epsUnit];
}

/**
 * The points in whose space a variant computes the metric: unit vectors for haversine and cosine, else the same points.
 *
 * @param points  not modified. Haversine: 2-D, and names of columns tell the latitude as `orderOnSphere` says
 * @returns       the argument, or new float64 points
 * @throws InvalidParameterError  if the metric is unknown, or its options do not fit
 * @throws InvalidPointsError     if the points are not valid: not 2-D for haversine, two latitudes by name, a latitude
 *                                outside ±90°, a zero vector for cosine
 */
export function metricPoints(points: NamedPoints, options: MetricOptions): PointSet {
  const metric = checkedMetric(options);
  if (metric !== 'haversine' && metric !== 'cosine') return points;
  const map = (): PointSet => vectorsOf(points, metric, options);
  return points instanceof KeptPoints ? points.mapped(`${metric} ${options.angles}`, map) : map();
}

function vectorsOf(points: NamedPoints, metric: 'haversine' | 'cosine', options: MetricOptions): PointSet {
  validatePoints(points);
  if (metric === 'cosine') return directionVectors(points);
  if (points.coords.length === 0) return {coords: new Float64Array(0), dim: 3};
  if (points.dim !== 2) {
    throw new InvalidPointsError(
      `dim = ${points.dim}; expected 2 for the metric haversine: a latitude and a longitude`,
    );
  }
  return sphereVectors(points, {angles: options.angles ?? 'degrees', order: orderOnSphere(points.columns)});
}

/** The metric, once its options are checked: those of haversine are never guessed. */
function checkedMetric({metric = 'euclidean', angles, epsUnit}: MetricOptions): Metric {
  validateMetric(metric);
  const given = {angles, epsUnit};
  const choices = {angles: ANGLES, epsUnit: EPS_UNITS};
  for (const name of ['angles', 'epsUnit'] as const) {
    const value = given[name];
    const words = `one of ${choices[name].join(', ')}`;
    if (metric === 'haversine') {
      if (!choices[name].some((choice) => choice === value)) {
        throw new InvalidParameterError(name, value, `${words} with the metric haversine`);
      }
    } else if (value !== undefined) {
      throw new InvalidParameterError(name, value, `no ${name} with the metric ${metric}; it belongs to haversine`);
    }
  }
  return metric;
}

/** An eps with fl(eps²) ≥ eps2, at most two steps larger than √eps2: an index with this reach loses no pair. */
function radiusOfSquare(eps2: number): {readonly eps: number; readonly eps2?: number} {
  let eps = Math.sqrt(eps2);
  // Below, squares lose bits. Squared distances of unit vectors are not that small, unless they are 0.
  if (eps2 < 2 ** -960) return {eps};
  if (eps * eps < eps2) eps *= 1 + 2 ** -52;
  return eps * eps === eps2 ? {eps} : {eps, eps2};
}
