import {compressors} from '#host';
import {
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type AsyncBuffer,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet';
import {columnsToRead, findColumn, isColumn, type OtherColumns} from './columnChoice.ts';
import type {DecodeOptions} from './containers.ts';
import {because, DatasetFormatError, quoted} from './errors.ts';
import {GroupNames, groupNameOf} from './groups.ts';
import {
  allocate,
  exactNumber,
  lengthOf,
  sourcePrecision,
  type Coords,
  type LoadedColumns,
  type NumberType,
  type ReadPrecision,
  type RowRange,
} from './numbers.ts';

interface Column {
  readonly name: string;
  readonly type: NumberType;
  /** Of the column of groups: the name that a value stands for. */
  readonly nameOf?: (value: unknown) => string | undefined;
}

/** Where values go. */
interface Target {
  readonly coords: Coords;
  /** Columns axis by axis. */
  readonly columns: readonly Column[];
  readonly groups: GroupNames;
  /** Whether null becomes NaN. */
  readonly mayMiss: boolean;
}

/** Rows of a group that are wanted: [start, end) goes to the rows of the result from `to` on. */
interface WantedRows {
  readonly start: number;
  readonly end: number;
  readonly to: number;
}

/** Seconds of the epoch. The library would make dates of them, which have no microseconds. */
const SECONDS = {
  timestampFromMilliseconds: (value: bigint) => Number(value) / 1e3,
  timestampFromMicroseconds: (value: bigint) => Number(value) / 1e6,
  timestampFromNanoseconds: (value: bigint) => Number(value) / 1e9,
  dateFromDays: (days: number) => 86_400 * days,
};

/** Decodes columns of a Parquet file. On a damaged file the library may not return. Calls `tick` after each page. */
export async function decodeParquet(
  path: string,
  file: AsyncBuffer,
  {columns, dim, precision, rows, missing, ...others}: Omit<DecodeOptions, 'dataset'>,
  tick: () => void,
): Promise<LoadedColumns> {
  try {
    const source = withinFile(file);
    const metadata = await parquetMetadataAsync(source);
    const schema = parquetSchema(metadata);
    const names = schema.children.map(({element}) => element.name);
    if (columns === 'names') return {coords: new Float32Array(0), dim: 1, columns: names};
    const ofNumbers = names.filter((_, k) => typeOf(schema.children[k]) !== undefined);
    const some = columns === 'numbers' ? ofNumbers : columnsToRead(path, names, {columns, ...others});
    const chosen = chooseColumns(path, schema, names, {wanted: some ?? names, ...others});
    if (dim !== undefined && dim !== chosen.length) {
      throw new DatasetFormatError(path, `has ${chosen.length} columns chosen; expected dim = ${dim}`);
    }
    const axes = new Map(chosen.map((column, axis) => [column.name, axis]));
    if (axes.size < chosen.length) throw new DatasetFormatError(path, 'has a column chosen twice; expected once');
    requireCodecs(path, metadata, axes);
    const rowCount = countRows(path, metadata);
    const ranges = rows ?? [[0, rowCount] as const];
    const end = ranges.reduce((most, range) => Math.max(most, range[1]), 0);
    if (end > rowCount) throw new DatasetFormatError(path, `has ${rowCount} rows; expected ${end}`);
    const coords = allocate(path, lengthOf(ranges) * chosen.length, commonPrecision(chosen, precision));
    const target = {coords, columns: chosen, groups: new GroupNames(), mayMiss: missing === 'nan'};
    let first = 0;
    for (const group of metadata.row_groups) {
      const next = first + Number(group.num_rows);
      const wanted = rowsWithin(ranges, first, next);
      if (wanted.length > 0) await readGroup(path, source, metadata, wanted, target, tick);
      first = next;
    }
    return {
      coords,
      dim: chosen.length,
      columns: chosen.map((column) => column.name),
      ...(rows && {rowCount}),
      ...(others.groupColumn === undefined ? {} : {groupNames: target.groups.names}),
    };
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    throw new DatasetFormatError(path, `is damaged${because(error)}; expected a whole Parquet file`, {
      cause: error,
    });
  }
}

/** A damaged footer may name any place. */
function withinFile(file: AsyncBuffer): AsyncBuffer {
  const {byteLength} = file;
  return {
    byteLength,
    slice: async (start, end = byteLength) => {
      if (start >= 0 && end >= start && end <= byteLength) return file.slice(start, end);
      throw new Error(`bytes ${start} to ${end} of ${byteLength}`);
    },
  };
}

/** Each chosen column must be compressed in a way that can be undone. */
function requireCodecs(path: string, metadata: FileMetaData, axes: ReadonlyMap<string, number>): void {
  const known = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors())];
  for (const {meta_data: chunk} of metadata.row_groups.flatMap(({columns}) => columns)) {
    if (chunk === undefined || !axes.has(chunk.path_in_schema[0]) || known.includes(chunk.codec)) continue;
    const where = known.includes('ZSTD') ? '' : ', and ZSTD from Node 22.15 on';
    const what = `column ${chunk.path_in_schema[0]} is compressed with ${chunk.codec}`;
    throw new DatasetFormatError(path, `${what}; expected ${known.join(', ')}${where}`);
  }
}

/** Rows of the file, if its row groups have as many. */
function countRows(path: string, metadata: FileMetaData): number {
  const rowCount = Number(metadata.num_rows);
  const inGroups = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0);
  const isCount = metadata.row_groups.every((group) => Number(group.num_rows) >= 0);
  if (isCount && inGroups === rowCount) return rowCount;
  throw new DatasetFormatError(path, `is damaged (${rowCount} rows, ${inGroups} in its groups); expected equal counts`);
}

function rowsWithin(ranges: readonly RowRange[], first: number, next: number): WantedRows[] {
  let to = 0;
  return ranges.flatMap(([from, until]) => {
    const [start, end] = [Math.max(from, first), Math.min(until, next)];
    const wanted = {start, end, to: to + start - from};
    to += until - from;
    return start < end ? [wanted] : [];
  });
}

/** Reads one row group, so that only one is in memory beside the result. */
async function readGroup(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  wanted: readonly WantedRows[],
  target: Target,
  tick: () => void,
): Promise<void> {
  let failure: unknown;
  let placed = 0;
  await parquetRead({
    file,
    metadata,
    columns: target.columns.map(({name}) => name),
    rowStart: Math.min(...wanted.map(({start}) => start)),
    rowEnd: Math.max(...wanted.map(({end}) => end)),
    compressors: compressors(),
    parsers: SECONDS,
    onPage: tick,
    onChunk: (chunk) => {
      try {
        const axis = target.columns.findIndex(({name}) => name === chunk.columnName);
        if (axis < 0) return;
        for (const rows of wanted) placed += placeColumn(path, chunk, target, axis, rows);
      } catch (error) {
        // The library does not wait for this callback: what it throws would be an unhandled rejection.
        failure ??= error;
      }
    },
  });
  if (failure !== undefined) throw failure;
  const expected = wanted.reduce((sum, {start, end}) => sum + end - start, 0) * target.columns.length;
  if (placed !== expected) {
    throw new DatasetFormatError(path, `is damaged (${placed} values in a row group); expected ${expected}`);
  }
}

/** Copies the wanted values of a column into the result, and counts them. */
function placeColumn(
  path: string,
  chunk: {readonly columnName: string; readonly columnData: ArrayLike<unknown>; readonly rowStart: number},
  {coords, columns, groups, mayMiss}: Target,
  axis: number,
  {start, end, to}: WantedRows,
): number {
  const {columnName, columnData, rowStart} = chunk;
  const {nameOf} = columns[axis];
  const dim = columns.length;
  const first = Math.max(start, rowStart);
  // The last page may hold more rows than the group claims.
  const next = Math.min(end, rowStart + columnData.length);
  for (let row = first, at = (to + first - start) * dim + axis; row < next; row++, at += dim) {
    const given = columnData[row - rowStart];
    if (mayMiss && (given === null || given === undefined)) {
      coords[at] = NaN;
      continue;
    }
    const name = nameOf?.(given);
    const value = name === undefined ? given : groups.indexOf(name);
    if (nameOf !== undefined && name === undefined) {
      throw new DatasetFormatError(path, `row ${row}: ${columnName} = ${quoted(String(given))}; expected a group`);
    }
    if (typeof value === 'number') coords[at] = value;
    else if (typeof value === 'bigint') coords[at] = exactNumber(path, `row ${row}: ${columnName}`, value);
    else throw new DatasetFormatError(path, `row ${row}: ${columnName} = ${String(value)}; expected a number`);
  }
  return Math.max(0, next - first);
}

function chooseColumns(
  path: string,
  schema: SchemaTree,
  names: readonly string[],
  {wanted, timeColumn, groupColumn}: OtherColumns & {readonly wanted: readonly (string | number)[]},
): readonly Column[] {
  if (wanted.length === 0) throw new DatasetFormatError(path, 'has no columns; expected columns of numbers');
  return wanted.map((column) => {
    const index = findColumn(path, names, column);
    const leaf = schema.children[index];
    const isTime = isColumn(names[index], index, timeColumn);
    if (isColumn(names[index], index, groupColumn)) return groupColumnOf(path, names[index], leaf);
    const type = typeOf(leaf) ?? (isTime ? typeOfTime(leaf) : undefined);
    if (type !== undefined) return {name: names[index], type};
    const meaning = meaningOf(leaf) ?? 'a group';
    const expected = isTime ? 'TIMESTAMP, DATE, FLOAT, DOUBLE, INT32 or INT64' : 'FLOAT, DOUBLE, INT32 or INT64';
    throw new DatasetFormatError(path, `column ${names[index]} is ${meaning}; expected ${expected}`);
  });
}

const TYPES: Readonly<Record<string, NumberType>> = {
  FLOAT: {kind: 'float', bytes: 4, isBigEndian: false},
  DOUBLE: {kind: 'float', bytes: 8, isBigEndian: false},
  INT32: {kind: 'int', bytes: 4, isBigEndian: false},
  INT64: {kind: 'int', bytes: 8, isBigEndian: false},
};

/** Dates are INT32 and decimals INT64 as well; only columns without such a meaning are numbers. */
function typeOf({children, element}: SchemaTree): NumberType | undefined {
  const {type = '', logical_type: logical, converted_type: converted} = element;
  const isPlain =
    logical === undefined ? converted === undefined || /^U?INT_/.test(converted) : logical.type === 'INTEGER';
  return children.length === 0 && element.repetition_type !== 'REPEATED' && isPlain ? TYPES[type] : undefined;
}

/** Timestamps and dates, which `SECONDS` turns into numbers. */
function typeOfTime({children, element}: SchemaTree): NumberType | undefined {
  const {type, logical_type: logical, converted_type: converted} = element;
  const isTime = logical?.type === 'TIMESTAMP' || /^(?:DATE|TIMESTAMP_)/.test(logical?.type ?? converted ?? '');
  const isPlain = children.length === 0 && element.repetition_type !== 'REPEATED';
  return isPlain && (isTime || type === 'INT96') ? TYPES['DOUBLE'] : undefined;
}

/** A column of groups: text, numbers and booleans name them as they are, dates in ISO 8601. */
function groupColumnOf(path: string, name: string, leaf: SchemaTree): Column {
  const meaning = meaningOf(leaf) ?? 'a group';
  const isPlain = leaf.children.length === 0 && leaf.element.repetition_type !== 'REPEATED';
  const isName = ['STRING', 'UTF8', 'ENUM', 'BYTE_ARRAY', 'BOOLEAN', 'DATE'].includes(meaning);
  if (isPlain && (isName || typeOf(leaf) !== undefined)) {
    return {name, type: TYPES['DOUBLE'], nameOf: meaning === 'DATE' ? dayOf : groupNameOf};
  }
  throw new DatasetFormatError(path, `column ${name} is ${meaning}; expected text, numbers, BOOLEAN or DATE`);
}

function dayOf(seconds: unknown): string | undefined {
  return typeof seconds === 'number' ? new Date(1000 * seconds).toISOString().slice(0, 10) : undefined;
}

/** What the values of a column mean, or how they are stored. */
function meaningOf({element}: SchemaTree): string | undefined {
  const {type: stored, logical_type: logical, converted_type: converted} = element;
  return logical?.type ?? converted ?? stored;
}

function commonPrecision(columns: readonly Column[], precision: ReadPrecision): 'float32' | 'float64' {
  if (precision !== 'source') return precision;
  return columns.every((column) => sourcePrecision(column.type) === 'float32') ? 'float32' : 'float64';
}
