import {
  checkKnownOptions,
  filled,
  InvalidParameterError,
  metricPoints,
  pointCount,
  pointsAt,
  toPoints,
  UnsupportedDimensionError,
  validatePoints,
  type MetricOptions,
  type MissingRows,
  type NamedPoints,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {KD_DIM_MAX} from '@epsball/kd-tree';

/** Which points a model takes. */
export interface ModelPoints {
  readonly params: MetricOptions;
  /** Dimensions of the points. */
  readonly dim: number;
  /** Names of their coordinates, if they had names. */
  readonly columns?: readonly string[] | undefined;
}

export interface PredictOptions {
  /**
   * What becomes of points that lack a coordinate, and with `cosine` of zero vectors: an error that names the first, or
   * the label −1. Default: `error`.
   */
  readonly missing?: 'error' | 'noise' | undefined;
}

/** New points in the space where the metric is computed, in float64. */
export interface NewPoints {
  readonly n: number;
  readonly dim: number;
  readonly coords: Float64Array;
}

/** What a result has of points. */
interface OfPoints {
  readonly labels: Int32Array;
  readonly coreMask?: Uint8Array | undefined;
}

/** The points that were clustered, and what the result has of them: without those that lacked something. */
export function clusteredOf<Result extends OfPoints>(
  input: PointsInput,
  {rows, ...result}: Result & MissingRows,
): {readonly points: NamedPoints; readonly result: Omit<Result & MissingRows, 'rows'>} {
  if (rows === undefined) return {points: toPoints(input), result};
  const all = toPoints(input, undefined, 'nan');
  const {labels, coreMask} = result;
  const n = pointCount(all);
  const own = {
    labels: labels.length === n ? filled(new Int32Array(rows.length), (k) => labels[rows[k]]) : labels,
    ...(coreMask && {
      coreMask: coreMask.length === n ? filled(new Uint8Array(rows.length), (k) => coreMask[rows[k]]) : coreMask,
    }),
  };
  return {points: {...all, ...pointsAt(all, rows)}, result: {...result, ...own}};
}

/**
 * What becomes of new points that lack something.
 *
 * @throws InvalidParameterError  if the options are unknown, or the rule leaves points out
 */
export function isNoiseAllowed(options: PredictOptions): boolean {
  checkKnownOptions(options, ['missing'], 'options', "an object such as {missing: 'noise'}");
  const {missing = 'error'}: {readonly missing?: unknown} = options;
  if (missing === 'error' || missing === 'noise') return missing === 'noise';
  throw new InvalidParameterError('missing', missing, "'error' or 'noise': predict returns a label for every point");
}

/** @throws InvalidPointsError, InvalidParameterError  if the points are not valid, or of other dimensions */
export function newPointsOf({params, dim, columns}: ModelPoints, input: PointsInput): NewPoints {
  const points = inOrderOf(columns, toPoints(input));
  validatePoints(points);
  const n = pointCount(points);
  if (n === 0) return {n, dim, coords: new Float64Array(0)};
  if (points.dim !== dim) throw new InvalidParameterError('dim', points.dim, `${dim}, as the points of the model`);
  return {n, ...inFloat64(metricPoints(points, params))};
}

/**
 * The points of a clustering in the space of the metric.
 *
 * @throws InvalidParameterError      if the labels are not as many
 * @throws UnsupportedDimensionError  beyond 1536 dimensions
 */
export function clusteredPoints(points: NamedPoints, params: MetricOptions, labels: Int32Array): PointSet {
  const mapped = metricPoints(points, params);
  const n = pointCount(mapped);
  if (labels.length !== n) throw new InvalidParameterError('labels.length', labels.length, `${n}, one label a point`);
  if (mapped.dim > KD_DIM_MAX) throw new UnsupportedDimensionError('a model', mapped.dim, KD_DIM_MAX);
  return mapped;
}

/** What a model keeps of the points beside coordinates. */
export function namesOf({dim, columns}: NamedPoints): Omit<ModelPoints, 'params'> {
  return columns === undefined ? {dim} : {dim, columns: [...columns]};
}

export function inFloat64({coords, dim}: PointSet): PointSet & {readonly coords: Float64Array} {
  return {coords: coords instanceof Float64Array ? coords : Float64Array.from(coords), dim};
}

/** The points with their coordinates in the order of these names, if they have the same names in another order. */
function inOrderOf(names: readonly string[] | undefined, points: NamedPoints): NamedPoints {
  const {coords, columns, dim} = points;
  if (names === undefined || columns === undefined || columns.length !== names.length) return points;
  const axes = names.map((name) => columns.indexOf(name));
  if (axes.includes(-1) || axes.every((axis, d) => axis === d)) return points;
  const ordered = filled(new Float64Array(coords.length), (k) => coords[k - (k % dim) + axes[k % dim]]);
  return {coords: ordered, dim, columns: names};
}
