import {
  ANGLES,
  EPS_UNITS,
  METRICS,
  orderOfCoordinates,
  orderOnSphere,
  toWeights,
  pointCount,
  type Angles,
  type EpsUnit,
  type Metric,
  type PlaceOrder,
} from '@epsball/clustering';
import type {LoadedPoints} from '@epsball/datasets';
import type {DbscanRequest} from '@epsball/dbscan';
import {UsageError} from '../errors.ts';
import {positiveNumber} from '../options.ts';

/** The flags that choose the metric and the weights. */
export interface MetricFlags {
  readonly eps?: Radius;
  readonly minPts?: number;
  readonly metric: Metric;
  readonly angles?: Angles;
  readonly columns?: readonly string[] | undefined;
  readonly weightColumn?: string;
}

/** A radius as it is typed: `0.5`, or `20km`. */
export interface Radius {
  readonly text: string;
  readonly value: number;
  readonly unit: EpsUnit | undefined;
}

/** Input whose columns may have names: all but arrays. A reader refuses an unknown extension. */
export const WITH_COLUMNS: RegExp = /(?<!\.(?:npy|f32|f64|bin|h5|hdf5))$/i;

/** Choices for help texts and parsers. */
export const METRIC_CHOICES: readonly Metric[] = METRICS;
export const ANGLE_CHOICES: readonly Angles[] = ANGLES;

/** A number with a unit behind it. */
const WITH_UNIT = /^([^a-z]*(?:e[+-]?\d+)?)\s*([a-z]+)$/i;

/** A parser for commander: a number > 0, with or without a unit of length or angle. */
export function radius(flag: string): (text: string) => Radius {
  return (text) => {
    const [, digits, word] = WITH_UNIT.exec(text.trim()) ?? [];
    if (word === undefined) return {text, value: positiveNumber(flag)(text.trim()), unit: undefined};
    const unit = EPS_UNITS.find((one) => one === word);
    const expectation = `a number > 0, with --metric haversine followed by one of ${EPS_UNITS.join(', ')}`;
    if (unit === undefined || digits === '') throw new UsageError(flag, text, expectation);
    return {text, value: positiveNumber(flag)(digits.trim()), unit};
  };
}

/**
 * Checks that the flags fit together, before a file is read.
 *
 * @throws UsageError  if eps has no unit with haversine, or a unit without it; if a flag would be ignored
 */
export function checkMetric({eps, metric, angles, columns}: MetricFlags): void {
  const isGlobe = metric === 'haversine';
  if (isGlobe && eps !== undefined && eps.unit === undefined) {
    throw new UsageError('--eps', eps.text, `a unit with --metric haversine: ${eps.text}km, or m, mi, rad`);
  }
  if (!isGlobe && eps?.unit !== undefined) {
    throw new UsageError('--eps', eps.text, `no unit with --metric ${metric}; lengths need --metric haversine`);
  }
  if (!isGlobe && angles !== undefined) {
    throw new UsageError('--angles', angles, `no angles with --metric ${metric}`);
  }
  if (isGlobe && columns !== undefined && columns.length !== 2) {
    throw new UsageError('--columns', columns.join(','), 'a latitude and a longitude with --metric haversine: LAT,LON');
  }
}

/** The columns to read. On a globe they are found by name; without names, `--columns` must tell. */
export function columnsOf(
  {metric, columns}: Pick<MetricFlags, 'metric' | 'columns'>,
  hasNames: boolean,
): readonly string[] | 'place' | undefined {
  if (metric !== 'haversine') return columns;
  if (hasNames) return columns ?? 'place';
  if (columns === undefined || !columns.every((column) => /^[01]$/.test(column)) || columns[0] === columns[1]) {
    const expectation = '0,1 or 1,0 for a file without names of columns: the positions of LAT,LON';
    throw new UsageError('--columns', columns?.join(','), expectation);
  }
  return undefined;
}

/** The points as the metric takes them. In files without names, `--columns` tells the positions of LAT,LON. */
export function pointsInOrder(
  points: LoadedPoints,
  {metric, columns}: Pick<MetricFlags, 'metric' | 'columns'>,
  hasNames: boolean,
): LoadedPoints {
  if (metric !== 'haversine' || columns === undefined || hasNames) return points;
  return {...points, columns: columns[0] === '1' ? ['lon', 'lat'] : ['lat', 'lon']};
}

/** Which of two columns is the latitude; undefined if they are none. On a globe one of them is. */
export function orderOf(columns: readonly string[] | undefined, metric: Metric | undefined): PlaceOrder | undefined {
  return metric === 'haversine' ? orderOnSphere(columns) : orderOfCoordinates(columns);
}

/** The names of the columns for people, and what they were taken for where the names do not tell. */
export function describeColumns(columns: readonly string[], metric: Metric): string {
  const names = columns.join(', ');
  if (metric !== 'haversine' || orderOfCoordinates(columns) !== undefined) return names;
  return `${names} (${orderOnSphere(columns) === 'lat-lon' ? 'latitude, longitude' : 'longitude, latitude'})`;
}

/** The parameters of the run. */
export function requestOf({eps, minPts, metric, angles}: MetricFlags, points: LoadedPoints): DbscanRequest {
  if (eps === undefined)
    throw new UsageError('--eps', undefined, 'a finite number > 0, or 20km with --metric haversine');
  if (minPts === undefined) throw new UsageError('--min-pts', undefined, 'an integer ≥ 1');
  const {weights} = points;
  const globe = metric === 'haversine' ? {angles: angles ?? 'degrees', epsUnit: eps.unit} : {};
  return {
    eps: eps.value,
    minPts,
    metric,
    ...(weights === undefined ? {} : {sampleWeight: toWeights(weights, pointCount(points))}),
    ...globe,
  };
}
