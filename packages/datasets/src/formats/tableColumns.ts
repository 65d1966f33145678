import {DatasetFormatError, quoted} from './errors.ts';
import {GroupNames} from './groups.ts';
import {
  allocate,
  exactNumber,
  sourcePrecision,
  type Coords,
  type LoadedColumns,
  type NumberType,
  type ReadPrecision,
} from './numbers.ts';
import {coordinateOf} from './pointColumns.ts';

/** A chosen column of a table in a container. */
export interface Column {
  readonly name: string;
  readonly type: NumberType;
  /** Of a coordinate of points: their column, and the position of the coordinate. */
  readonly point?: {readonly column: string; readonly axis: number};
  /** Of the column of groups: the name that a value stands for. */
  readonly nameOf?: (value: unknown) => string | undefined;
}

/** Where values go. */
export interface Target {
  readonly coords: Coords;
  /** Columns axis by axis. */
  readonly columns: readonly Column[];
  readonly groups: GroupNames;
  /** Whether null becomes NaN. */
  readonly mayMiss: boolean;
}

/** Rows of a part of the file that are wanted: [start, end) goes to the rows of the result from `to` on. */
export interface WantedRows {
  readonly start: number;
  readonly end: number;
  readonly to: number;
}

/** The names of columns, and no points. */
export function namesOnly(columns: readonly string[]): LoadedColumns {
  return {coords: new Float32Array(0), dim: 1, columns};
}

/** @throws DatasetFormatError  if a column is chosen twice, or there are not as many as dimensions */
export function checkColumns(path: string, chosen: readonly Column[], dim: number | undefined): void {
  if (dim !== undefined && dim !== chosen.length) {
    throw new DatasetFormatError(path, `has ${chosen.length} columns chosen; expected dim = ${dim}`);
  }
  const names = new Set(chosen.map(({name}) => name));
  if (names.size < chosen.length) throw new DatasetFormatError(path, 'has a column chosen twice; expected once');
}

/** Makes room for n rows. */
export function targetOf(
  path: string,
  columns: readonly Column[],
  {
    n,
    precision,
    missing,
  }: {readonly n: number; readonly precision: ReadPrecision; readonly missing: string | undefined},
): Target {
  const coords = allocate(path, n * columns.length, commonPrecision(columns, precision));
  return {coords, columns, groups: new GroupNames(), mayMiss: missing === 'nan'};
}

export function loadedOf({coords, columns, groups}: Target, groupColumn: string | number | undefined): LoadedColumns {
  return {
    coords,
    dim: columns.length,
    columns: columns.map(({name}) => name),
    ...(groupColumn === undefined ? {} : {groupNames: groups.names}),
  };
}

/** The column of the file. */
export function sourceOf({name, point}: Column): string {
  return point?.column ?? name;
}

/** Copies the wanted values of a column into the result, and counts them. */
export function placeColumn(
  path: string,
  {columnData, rowStart}: {readonly columnData: ArrayLike<unknown>; readonly rowStart: number},
  {coords, columns, groups, mayMiss}: Target,
  axis: number,
  {start, end, to}: WantedRows,
): number {
  const {name: columnName, nameOf, point} = columns[axis];
  const dim = columns.length;
  const first = Math.max(start, rowStart);
  // The last page may hold more rows than the group claims.
  const next = Math.min(end, rowStart + columnData.length);
  if (nameOf === undefined && (columnData instanceof Float32Array || columnData instanceof Float64Array)) {
    for (let row = first, at = (to + first - start) * dim + axis; row < next; row++, at += dim) {
      coords[at] = columnData[row - rowStart];
    }
    return Math.max(0, next - first);
  }
  for (let row = first, at = (to + first - start) * dim + axis; row < next; row++, at += dim) {
    const given = columnData[row - rowStart];
    if (mayMiss && (given === null || given === undefined)) {
      coords[at] = NaN;
      continue;
    }
    const name = nameOf?.(given);
    const own = point === undefined ? given : coordinateOf(given, point.axis);
    const value = name === undefined ? own : groups.indexOf(name);
    if (nameOf !== undefined && name === undefined) {
      throw new DatasetFormatError(path, `row ${row}: ${columnName} = ${quoted(String(given))}; expected a group`);
    }
    if (typeof value === 'number') coords[at] = value;
    else if (typeof value === 'bigint') coords[at] = exactNumber(path, `row ${row}: ${columnName}`, value);
    else {
      const expected = point === undefined ? 'a number' : 'a point';
      throw new DatasetFormatError(path, `row ${row}: ${columnName} = ${String(value)}; expected ${expected}`);
    }
  }
  return Math.max(0, next - first);
}

/** The day of a group that is a date. */
export function dayOf(seconds: unknown): string | undefined {
  return typeof seconds === 'number' ? new Date(1000 * seconds).toISOString().slice(0, 10) : undefined;
}

/** The moment of a group that is a timestamp, in UTC to microseconds: `2024-05-01 12:30:00.5`. */
export function momentOf(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number') return undefined;
  const microseconds = Math.round(1e6 * seconds);
  const whole = Math.floor(microseconds / 1e6);
  const fraction = String(microseconds - 1e6 * whole)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const text = new Date(1000 * whole).toISOString().replace('T', ' ').slice(0, -5);
  return fraction === '' ? text : `${text}.${fraction}`;
}

function commonPrecision(columns: readonly Column[], precision: ReadPrecision): 'float32' | 'float64' {
  if (precision !== 'source') return precision;
  return columns.every((column) => sourcePrecision(column.type) === 'float32') ? 'float32' : 'float64';
}
