import {findCoordinates} from '@epsball/clustering';
import {DatasetFormatError, listed, quoted} from './errors.ts';
import type {LoadedColumns, LoadedPoints, ReadPrecision} from './numbers.ts';

/** Which columns of a table hold coordinates, and which ones weights, times and groups. */
export interface ColumnChoice {
  /**
   * Names or numbers of the columns, axis by axis; `place`: the latitude and the longitude, found by name; or a choice
   * among the columns of numbers, by their names. Default: all columns but the others here.
   */
  readonly columns?: NamedColumns | ((ofNumbers: readonly string[]) => readonly string[]) | undefined;
  /** Name or number of a column with weights of the points. */
  readonly weightColumn?: string | number | undefined;
  /** Name or number of a column with times of the points: numbers, or timestamps, which are read as seconds. */
  readonly timeColumn?: string | number | undefined;
  /** Name or number of a column with the groups of the points: text or numbers, compared as text. */
  readonly groupColumn?: string | number | undefined;
}

/** The columns that are no coordinates. */
export type OtherColumns = Pick<ColumnChoice, 'weightColumn' | 'timeColumn' | 'groupColumn'>;

type NamedColumns = readonly (string | number)[] | 'place';

/** A choice that needs no look at the values. */
export interface NamedChoice extends OtherColumns {
  readonly columns?: NamedColumns | undefined;
}

/** The columns to read: coordinates axis by axis, then weights, times and groups. Undefined for all columns. */
export function columnsToRead(
  path: string,
  names: readonly string[],
  {columns, ...chosen}: NamedChoice,
): readonly (string | number)[] | undefined {
  const axes = columns === 'place' ? columnsOfPlace(path, names) : columns;
  const others = othersOf(chosen);
  if (others.length === 0) return axes;
  const isOther = (name: string, k: number): boolean => others.some((one) => name === one || k === Number(one));
  return [...(axes ?? names.map((_, k) => k).filter((k) => !isOther(names[k], k))), ...others];
}

function othersOf({weightColumn, timeColumn, groupColumn}: OtherColumns): (string | number)[] {
  return [weightColumn, timeColumn, groupColumn].filter((column) => column !== undefined);
}

function columnsOfPlace(path: string, names: readonly string[]): readonly string[] {
  const place = findCoordinates(names) ?? findAxes(names);
  if (place !== undefined) return place.map((k) => names[k]);
  throw new DatasetFormatError(
    path,
    `has the columns ${listed(names)}; expected one latitude and one longitude by name (the words lat or latitude, ` +
      'and lon, lng, long or longitude), or both chosen by columns',
  );
}

/**
 * The columns y and x, as exports of geographic software have them, where no other name tells of a place, and no z of
 * points in space.
 */
function findAxes(names: readonly string[]): readonly [y: number, x: number] | undefined {
  const others = names.filter((name) => /lat|lng|lon|^\s*z\s*$/i.test(name));
  const [ys, xs] = ['y', 'x'].map((axis) =>
    names.flatMap((name, k) => (name.trim().toLowerCase() === axis ? [k] : [])),
  );
  return others.length === 0 && ys.length === 1 && xs.length === 1 ? [ys[0], xs[0]] : undefined;
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

/** The number of columns to read for points of `dim` coordinates: weights, times and groups count. */
export function dimWithOthers({
  dim,
  ...chosen
}: OtherColumns & {readonly dim?: number | undefined}): number | undefined {
  return dim && dim + othersOf(chosen).length;
}

/** The precision to read a table in: float32 has steps of two minutes for the seconds of these years. */
export function precisionWithOthers({
  precision,
  timeColumn,
  groupColumn,
}: OtherColumns & {readonly precision?: ReadPrecision | undefined}): ReadPrecision {
  return timeColumn === undefined && groupColumn === undefined ? (precision ?? 'source') : 'float64';
}

/** Whether a column is the chosen one. */
export function isColumn(name: string, k: number, chosen: string | number | undefined): boolean {
  return chosen !== undefined && (name === chosen || k === columnNumber(chosen));
}

/** Takes groups, times and weights out of the coordinates, whose precision they do not share. */
export function splitColumns(
  {groupNames: names = [], ...read}: LoadedColumns,
  {weightColumn, timeColumn, groupColumn, precision}: OtherColumns & {readonly precision?: ReadPrecision | undefined},
): LoadedPoints {
  const [inGroups, of] = splitLast(read, groupColumn);
  const [inTime, times] = splitLast(inGroups, timeColumn);
  const [points, weights] = splitLast(inTime, weightColumn);
  const isNarrower = points.coords instanceof Float64Array && precision === 'float32';
  return {
    ...points,
    ...(isNarrower ? {coords: Float32Array.from(points.coords)} : {}),
    ...(weights && {weights}),
    ...(times && {times}),
    ...(of && {groups: {names, of: Int32Array.from(of, (k) => (Number.isNaN(k) ? -1 : k))}}),
  };
}

/** @returns  the points without their last axis, and its values; the same points if no column was chosen for it */
function splitLast(
  points: LoadedPoints,
  column: string | number | undefined,
): readonly [points: LoadedPoints, last?: Float64Array] {
  if (column === undefined) return [points];
  const {coords, dim, columns, ...others} = points;
  const n = coords.length / dim;
  const rest = coords instanceof Float32Array ? new Float32Array(n * (dim - 1)) : new Float64Array(n * (dim - 1));
  const last = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let d = 0; d < dim - 1; d++) rest[i * (dim - 1) + d] = coords[i * dim + d];
    last[i] = coords[i * dim + dim - 1];
  }
  const named = columns === undefined ? {} : {columns: columns.slice(0, -1)};
  return [{...others, ...named, coords: rest, dim: dim - 1}, last];
}
