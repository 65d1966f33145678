import {
  checkInteger,
  checkKnownOptions,
  InvalidParameterError,
  InvalidPointsError,
  METRIC_OPTIONS,
  metricPoints,
  metricRadius,
  limitOf,
  toPoints,
  toWeights,
  UnsupportedDimensionError,
  validatePoints,
  type Angles,
  type EpsUnit,
  type PointsInput,
} from '@epsball/clustering';
import {cellGeometry, EPS_MAX, EPS_MIN, type CellGeometry} from './cellGeometry.ts';

/** How points that come and go are clustered. */
export interface DynamicDbscanOptions {
  /** Radius, in the unit of the metric; finite, > 0. A distance of exactly eps counts. */
  readonly eps: number;
  /** Points within eps that make a point core, itself included; integer ≥ 1. With weights, the sum that does. */
  readonly minPts: number;
  /** Coordinates per point, 1 to 4; 2 with haversine. */
  readonly dim: number;
  /** Default: `euclidean`. */
  readonly metric?: 'euclidean' | 'haversine' | undefined;
  /** Unit of latitudes and longitudes. Required with `haversine`, and only then. */
  readonly angles?: Angles | undefined;
  /** Unit of eps. Required with `haversine`, and only then. */
  readonly epsUnit?: EpsUnit | undefined;
  /** Whether points have weights. Default: false. */
  readonly sampleWeight?: boolean | undefined;
}

/** Of `DynamicDbscanOptions`. */
export const OPTION_NAMES: readonly string[] = ['eps', 'minPts', 'dim', 'sampleWeight', ...METRIC_OPTIONS];

/** Options, once they are checked. */
export interface CheckedOptions {
  readonly options: DynamicDbscanOptions;
  readonly geometry: CellGeometry;
  /** The bound of squared distances. */
  readonly limit: number;
}

const MAX_DIM = 4;

/**
 * @throws InvalidParameterError      if an option is unknown, missing or out of range
 * @throws UnsupportedDimensionError  if `dim` exceeds 4
 */
export function checkOptions(options: DynamicDbscanOptions): CheckedOptions {
  checkKnownOptions(options, OPTION_NAMES, 'options', 'an object such as {eps, minPts, dim}');
  const {eps, minPts, dim, metric = 'euclidean', sampleWeight = false} = options;
  const known: readonly string[] = ['euclidean', 'haversine'];
  if (!known.includes(metric)) throw new InvalidParameterError('metric', metric, 'euclidean or haversine');
  const radius = metricRadius(eps, options);
  checkInteger('minPts', minPts, 1);
  checkInteger('dim', dim, 1);
  if (dim > MAX_DIM) throw new UnsupportedDimensionError('dbscan-dynamic', dim, MAX_DIM);
  if (metric === 'haversine') checkInteger('dim', dim, 2, 2, '2 with haversine: a latitude and a longitude');
  if (typeof sampleWeight !== 'boolean') {
    throw new InvalidParameterError('sampleWeight', sampleWeight, 'true or false; weights come with the points');
  }
  if (radius.eps < EPS_MIN || radius.eps > EPS_MAX) {
    throw new InvalidParameterError('eps', eps, 'a number from 2^-400 to 2^400');
  }
  const geometry = cellGeometry(metric === 'haversine' ? 3 : dim, radius.eps);
  return {options: {...options}, geometry, limit: limitOf(radius)};
}

/**
 * Coordinates in the space of the metric.
 *
 * @throws InvalidParameterError, InvalidPointsError  if the points are not valid, or too far from 0; names the first
 */
export function checkPoints(input: PointsInput, {options, geometry}: CheckedOptions): Float64Array {
  const points = toPoints(input);
  validatePoints(points);
  if (points.coords.length === 0) return new Float64Array(0);
  if (points.dim !== options.dim) {
    throw new InvalidPointsError(`dim = ${points.dim}; expected ${options.dim}, as the options say`);
  }
  const {coords} = metricPoints(points, options);
  for (let k = 0; k < coords.length; k++) {
    if (Math.abs(coords[k]) <= geometry.reach) continue;
    const index = Math.floor(k / geometry.dim);
    throw new InvalidPointsError(
      `point ${index}, axis ${k % geometry.dim} = ${coords[k]}; expected at most ${geometry.reach}: ` +
        `2^40 cells of eps / √dim from 0`,
      index,
    );
  }
  return coords instanceof Float64Array ? coords : Float64Array.from(coords);
}

/** @throws InvalidParameterError  if there are weights and none are expected, or the other way round */
export function checkWeights(
  weights: ArrayLike<number> | undefined,
  n: number,
  {options}: CheckedOptions,
): Float64Array | undefined {
  if (options.sampleWeight === true) {
    if (weights === undefined && n === 0) return new Float64Array(0);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `toWeights` refuses undefined
    return toWeights(weights as ArrayLike<number>, n);
  }
  if (weights === undefined) return undefined;
  throw new InvalidParameterError('sampleWeight', weights, 'no weights, or createDynamicDbscan({sampleWeight: true})');
}
