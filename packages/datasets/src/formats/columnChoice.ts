import {chooseColumns, filled, type LeftColumn, type OpenColumns} from '@epsball/clustering';
import {DatasetFormatError, listed, quoted} from './errors.ts';
import type {LoadedColumns, LoadedPoints, ReadPrecision} from './numbers.ts';

/** Which columns of a table hold coordinates, and which ones weights, times and groups. */
export interface ColumnChoice {
  /**
   * Names or numbers of the columns, axis by axis; `auto`: those that names and values tell (`chooseColumns` of
   * `@epsball/clustering`), without numbers of rows and times; `place`: the latitude and the longitude, found by name;
   * or a choice among the columns of numbers, by their names. Default: all columns but the others here.
   */
  readonly columns?: NamedColumns | ((ofNumbers: readonly string[]) => readonly string[]) | undefined;
  /** Name or number of a column with weights of the points. */
  readonly weightColumn?: string | number | undefined;
  /** Name or number of a column with times of the points: numbers, or timestamps, which are read as seconds. */
  readonly timeColumn?: string | number | undefined;
  /** Name or number of a column with the groups of the points: text or numbers, compared as text. */
  readonly groupColumn?: string | number | undefined;
  /** Names of columns that are not coordinates unless `columns` names them, or their names mark a place or axes. */
  readonly besides?: readonly string[] | undefined;
}

/** The columns that are no coordinates. */
export type OtherColumns = Pick<ColumnChoice, 'weightColumn' | 'timeColumn' | 'groupColumn' | 'besides'>;

type NamedColumns = readonly (string | number)[] | 'auto' | 'place';

/** A choice that needs no look at the values. */
export interface NamedChoice extends OtherColumns {
  readonly columns?: NamedColumns | undefined;
}

/** The columns to read, and those that names tell to leave. */
export interface ColumnsToRead {
  /** Coordinates axis by axis, then weights, times and groups. */
  readonly wanted: readonly (string | number)[];
  readonly left?: readonly LeftColumn[];
}

/** @param kindOf  what a column holds instead of numbers; undefined for numbers */
export function columnsToRead(
  path: string,
  names: readonly string[],
  {columns, besides = [], ...chosen}: NamedChoice,
  kindOf: (column: number) => string | undefined,
): ColumnsToRead {
  const others = othersOf(chosen);
  const isOther = (k: number): boolean => others.some((one) => names[k] === one || k === Number(one));
  const free = Array.from(names.keys()).filter((k) => !isOther(k));
  if (columns === 'auto' || columns === 'place') {
    const isGlobe = columns === 'place';
    const found = chooseColumns(
      free.map((k) => names[k]),
      (k) => (besides.includes(names[free[k]]) ? 'beside the points' : kindOf(free[k])),
      isGlobe,
    );
    if ('choices' in found) throw openColumns(path, names, free, found, isGlobe);
    const taken = found.taken.map((k) => free[k]);
    // Only on a globe the order matters.
    const wanted = [...(isGlobe ? taken : taken.toSorted((a, b) => a - b)), ...others];
    return {wanted, left: found.left.filter(({name}) => !besides.includes(name))};
  }
  return {wanted: [...(columns ?? free.filter((k) => !besides.includes(names[k]))), ...others]};
}

function othersOf({weightColumn, timeColumn, groupColumn}: OtherColumns): (string | number)[] {
  return [weightColumn, timeColumn, groupColumn].filter((column) => column !== undefined);
}

const CHOICES_SHOWN = 3;

/** Names that do not tell, with what the caller may choose. */
function openColumns(
  path: string,
  names: readonly string[],
  free: readonly number[],
  {choices}: OpenColumns,
  isGlobe: boolean,
): DatasetFormatError {
  const textOf = (choice: readonly number[]): string => {
    const chosen = choice.map((k) => (/^\d*$|,/.test(names[free[k]]) ? String(free[k]) : names[free[k]]));
    const text = chosen.join(',');
    return /^[\w,.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
  };
  const shown = choices.slice(0, CHOICES_SHOWN).map(textOf).join(' or ');
  const chosen = `chosen by columns${shown === '' ? '' : ` ${shown}`}`;
  const has = `has the columns ${listed(names)}`;
  const words = '(the words lat or latitude, and lon, lng, long or longitude)';
  if (isGlobe || choices.length > 1) {
    const expected = `one latitude and one longitude by name ${words}, or both ${chosen}`;
    const reason = names.some((name) => /(?:east|north)ing/i.test(name))
      ? `${has}, of a projection; haversine takes degrees; expected ${expected}`
      : `${has}; expected ${expected}`;
    return new DatasetFormatError(path, reason);
  }
  if (choices.length === 0) {
    // One column is often a delimiter that was not found.
    const other = names.length === 1 ? ', or another delimiter' : '';
    return new DatasetFormatError(path, `${has}; expected columns of numbers${other}`);
  }
  return new DatasetFormatError(path, `${has}, identifiers and times by their names; expected coordinates ${chosen}`);
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
    ...(of && {groups: {names, of: filled(new Int32Array(of.length), (i) => (Number.isNaN(of[i]) ? -1 : of[i]))}}),
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
