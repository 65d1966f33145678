import {InvalidParameterError, InvalidPointsError} from './errors.ts';
import {toPoints, type PointsInput} from './input/toPoints.ts';
import {isMissing} from './input/values.ts';
import {metricPoints, type MetricOptions, type NamedPoints} from './metric/metricPoints.ts';
import {pointCount, pointsAt, validatePoints, validatePointShape} from './points.ts';

/** What becomes of points without a place. */
export const MISSING_RULES = ['error', 'noise', 'drop'] as const;
export type MissingRule = (typeof MISSING_RULES)[number];

export interface MissingOptions {
  /**
   * What becomes of points that lack a coordinate, a weight or a time (NaN, null or undefined), and with `cosine` of
   * zero vectors: an error that names the first; noise; or left out of the result. Default: `error`.
   */
  readonly missing?: MissingRule | undefined;
}

/** The points that are clustered, where others lack something. */
export interface MissingRows {
  /** Indices of the points that were clustered, ascending; absent if all were. */
  readonly rows?: Int32Array | undefined;
}

/** @throws InvalidParameterError  if the rule is unknown */
export function checkMissing(missing: unknown): void {
  if (missing === undefined || MISSING_RULES.some((rule) => rule === missing)) return;
  throw new InvalidParameterError('missing', missing, `one of ${MISSING_RULES.join(', ')}`);
}

/** The points that lack nothing, and what belongs to them. */
export interface CompletePoints<Others> {
  /** Number of all points. */
  readonly n: number;
  readonly points: NamedPoints;
  /** Their indices, ascending; undefined if these are all. */
  readonly rows: Int32Array | undefined;
  readonly others: Others;
}

type Columns = Readonly<Record<string, ArrayLike<number> | undefined>>;

/**
 * Takes the points that lack nothing: no coordinate is NaN, nor is another value, and with `cosine` one coordinate is
 * not 0.
 *
 * @param input   not modified
 * @param metric  its options
 * @param others  by name: one value a point each, such as weights. Null and undefined are missing as well
 * @returns       points and others as they are, or copies of those that lack nothing
 * @throws InvalidParameterError  as `toPoints`; also if a column has not as many values as there are points, or one is
 *                                infinite
 * @throws InvalidPointsError     as `toPoints`; also if a coordinate is infinite or out of the range of the metric
 * @complexity    O(n · dim)
 */
export function takeComplete<Others extends Columns>(
  input: PointsInput,
  metric: MetricOptions,
  others: Others,
): CompletePoints<Others> {
  const points = toPoints(input, undefined, 'nan');
  validatePointShape(points);
  const n = pointCount(points);
  checkColumns(others, n);
  const columns = Object.values(others).filter((column) => column !== undefined);
  const rows = new Int32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const isHere = hasPlace(points, i, metric?.metric === 'cosine') && columns.every((one) => !isMissing(one[i]));
    if (isHere) rows[count++] = i;
  }
  if (count === n) return {n, points, rows: undefined, others};
  const own = rows.slice(0, count);
  const complete = {...points, ...pointsAt(points, own)};
  checkRows(complete, own, metric);
  const taken = Object.entries(others).map(([name, column]) => [name, column && Array.from(own, (i) => column[i])]);
  return {n, points: complete, rows: own, others: Object.fromEntries(taken)};
}

/**
 * `takeComplete` of points in groups.
 *
 * @param keys  the group of each point
 * @throws InvalidParameterError  also if some points lack something and the keys are not as many as the points
 */
export function takeCompleteGroups<Key, Others extends Columns>(
  input: PointsInput,
  keys: ArrayLike<Key>,
  metric: MetricOptions,
  others: Others,
): CompletePoints<Others> & {readonly keys: ArrayLike<Key>} {
  const complete = takeComplete(input, metric, others);
  const {n, rows} = complete;
  if (rows === undefined) return {...complete, keys};
  const count: number | undefined = (keys as Partial<ArrayLike<Key>> | undefined)?.length;
  if (count !== n) throw new InvalidParameterError('keys.length', count, `${n}, one key a point`);
  return {...complete, keys: Array.from(rows, (i) => keys[i])};
}

function checkColumns(others: Columns, n: number): void {
  for (const [name, column] of Object.entries(others)) {
    if (column === undefined) continue;
    if (column.length !== n) throw new InvalidParameterError(`${name}.length`, column.length, `${n}, one a point`);
    for (let i = 0; i < n; i++) {
      const value: unknown = column[i];
      if (isMissing(value) || Number.isFinite(value)) continue;
      throw new InvalidParameterError(`${name}[${i}]`, value, 'a finite number');
    }
  }
}

function hasPlace({coords, dim}: NamedPoints, i: number, isDirection: boolean): boolean {
  let isZero = isDirection;
  for (let at = i * dim; at < (i + 1) * dim; at++) {
    if (Number.isNaN(coords[at])) return false;
    if (coords[at] !== 0) isZero = false;
  }
  return !isZero;
}

/** An error names a point by its index among all. */
function checkRows(points: NamedPoints, rows: Int32Array, metric: MetricOptions): void {
  try {
    validatePoints(points);
    metricPoints(points, metric);
  } catch (error) {
    if (!(error instanceof InvalidPointsError) || error.index < 0) throw error;
    const row = rows[error.index];
    throw new InvalidPointsError(error.message.replace(`point ${error.index}`, `point ${row}`), row);
  }
}

/**
 * Values of some points as values of all: at `rows` the given ones.
 *
 * @param rows  ascending; undefined for all points
 * @param fill  the value of the others
 */
export function scatterRows<Values extends Int32Array | Float64Array | Uint8Array>(
  values: Values,
  rows: Int32Array | undefined,
  n: number,
  fill: number,
): Values {
  if (rows === undefined) return values;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the constructor of its own kind
  const all = new (values.constructor as new (length: number) => Values)(n);
  all.fill(fill);
  for (let k = 0; k < rows.length; k++) all[rows[k]] = values[k];
  return all;
}
