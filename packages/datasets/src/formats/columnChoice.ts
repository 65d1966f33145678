import {findCoordinates} from '@epsball/clustering';
import {DatasetFormatError, listed, quoted} from './errors.ts';
import type {LoadedPoints, ReadPrecision} from './numbers.ts';

/** Which columns of a table hold coordinates, and which ones weights and times. */
export interface ColumnChoice {
  /**
   * Names or numbers of the columns, axis by axis; `place`: the latitude and the longitude, found by name; or a choice
   * among the columns of numbers, by their names. Default: all columns but the weights and the times.
   */
  readonly columns?: NamedColumns | ((ofNumbers: readonly string[]) => readonly string[]) | undefined;
  /** Name or number of a column with weights of the points. */
  readonly weightColumn?: string | number | undefined;
  /** Name or number of a column with times of the points: numbers, or timestamps, which are read as seconds. */
  readonly timeColumn?: string | number | undefined;
}

type NamedColumns = readonly (string | number)[] | 'place';

/** A choice that needs no look at the values. */
export interface NamedChoice extends Pick<ColumnChoice, 'weightColumn' | 'timeColumn'> {
  readonly columns?: NamedColumns | undefined;
}

/** The columns to read: coordinates axis by axis, then the weights, then the times. Undefined for all columns. */
export function columnsToRead(
  path: string,
  names: readonly string[],
  {columns, weightColumn, timeColumn}: NamedChoice,
): readonly (string | number)[] | undefined {
  const axes = columns === 'place' ? columnsOfPlace(path, names) : columns;
  const others = [weightColumn, timeColumn].filter((column) => column !== undefined);
  if (others.length === 0) return axes;
  const isOther = (name: string, k: number): boolean => others.some((one) => name === one || k === Number(one));
  return [...(axes ?? names.map((_, k) => k).filter((k) => !isOther(names[k], k))), ...others];
}

function columnsOfPlace(path: string, names: readonly string[]): readonly string[] {
  const place = findCoordinates(names);
  if (place !== undefined) return place.map((k) => names[k]);
  throw new DatasetFormatError(
    path,
    `has the columns ${listed(names)}; expected one latitude and one longitude by name (the words lat or latitude, ` +
      'and lon, lng, long or longitude), or both chosen by columns',
  );
}

/** A column given by its number: 2, or '2'. */
export function columnNumber(column: string | number): number | undefined {
  if (typeof column === 'number') return column;
  return /^\d+$/.test(column) ? Number(column) : undefined;
}

/** The place of a column among the names of all. */
export function findColumn(
  path: string,
  names: readonly string[],
  column: string | number,
  expected = `one of ${listed(names)}`,
): number {
  const byName = names.findIndex((name) => name === column);
  const k = byName < 0 ? columnNumber(column) : byName;
  if (k !== undefined && k in names) return k;
  const shown = typeof column === 'number' ? String(column) : quoted(column);
  throw new DatasetFormatError(path, `has no column ${shown}; expected ${expected}`);
}

/** The number of columns to read for points of `dim` coordinates: those of the weights and the times count. */
export function dimWithOthers({
  dim,
  weightColumn,
  timeColumn,
}: Pick<ColumnChoice, 'weightColumn' | 'timeColumn'> & {readonly dim?: number | undefined}): number | undefined {
  return dim && dim + Number(weightColumn !== undefined) + Number(timeColumn !== undefined);
}

/** Whether a column is the one with times. */
export function isTimeColumn(name: string, k: number, {timeColumn}: Pick<ColumnChoice, 'timeColumn'>): boolean {
  return timeColumn !== undefined && (name === timeColumn || k === columnNumber(timeColumn));
}

/** Takes the times and the weights out of the coordinates, whose precision the times do not share. */
export function splitColumns(
  read: LoadedPoints,
  {
    weightColumn,
    timeColumn,
    precision,
  }: Pick<ColumnChoice, 'weightColumn' | 'timeColumn'> & {readonly precision?: ReadPrecision | undefined},
): LoadedPoints {
  const inTime = timeColumn === undefined ? read : splitLast(read, 'times');
  const points = weightColumn === undefined ? inTime : splitLast(inTime, 'weights');
  if (timeColumn === undefined || precision !== 'float32') return points;
  return {...points, coords: Float32Array.from(points.coords)};
}

function splitLast({coords, dim, columns, ...others}: LoadedPoints, name: 'weights' | 'times'): LoadedPoints {
  const n = coords.length / dim;
  const rest = coords instanceof Float32Array ? new Float32Array(n * (dim - 1)) : new Float64Array(n * (dim - 1));
  const last = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let d = 0; d < dim - 1; d++) rest[i * (dim - 1) + d] = coords[i * dim + d];
    last[i] = coords[i * dim + dim - 1];
  }
  const points = {...others, coords: rest, dim: dim - 1, [name]: last};
  return columns === undefined ? points : {...points, columns: columns.slice(0, -1)};
}
