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
import {because, DatasetFormatError} from './errors.ts';
import {groupNameOf} from './groups.ts';
import {lengthOf, type LoadedColumns, type NumberType, type RowRange} from './numbers.ts';
import {readWholePages, type GroupOf} from './parquetPages.ts';
import {pointAxes, withPointAxes, type PointColumns} from './pointColumns.ts';
import {
  checkColumns,
  dayOf,
  loadedOf,
  momentOf,
  namesOnly,
  placeColumn,
  sourceOf,
  targetOf,
  type Column,
  type Target,
  type WantedRows,
} from './tableColumns.ts';

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
    const {found, points} = columnsOf(schema);
    const names = found.map(({name}) => name);
    const kindOf = (k: number): string | undefined =>
      found[k].axis === undefined && typeOf(found[k].leaf) === undefined
        ? (meaningOf(found[k].leaf) ?? 'a group')
        : undefined;
    if (columns === 'names') return namesOnly(names);
    if (columns === 'numbers') return namesOnly(names.filter((_, k) => kindOf(k) === undefined));
    const {wanted, left} = columnsToRead(path, names, {columns: withPointAxes(columns, points), ...others}, kindOf);
    const chosen = typedColumns(path, found, names, {wanted, ...others});
    checkColumns(path, chosen, dim);
    requireCodecs(path, metadata, new Set(chosen.map(sourceOf)));
    const rowCount = countRows(path, metadata);
    const ranges = rows ?? [[0, rowCount] as const];
    const end = ranges.reduce((most, range) => Math.max(most, range[1]), 0);
    if (end > rowCount) throw new DatasetFormatError(path, `has ${rowCount} rows; expected ${end}`);
    const target = targetOf(path, chosen, {n: lengthOf(ranges), precision, missing});
    let first = 0;
    for (const group of metadata.row_groups) {
      const next = first + Number(group.num_rows);
      const within = rowsWithin(ranges, first, next);
      if (within.length > 0) await readGroup(path, source, {metadata, schema, group, first}, within, target, tick);
      first = next;
    }
    return {...loadedOf(target, others.groupColumn), ...(left && {left}), ...(rows && {rowCount})};
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
function requireCodecs(path: string, metadata: FileMetaData, chosen: ReadonlySet<string>): void {
  const known = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors())];
  for (const {meta_data: chunk} of metadata.row_groups.flatMap(({columns}) => columns)) {
    if (chunk === undefined || !chosen.has(chunk.path_in_schema[0]) || known.includes(chunk.codec)) continue;
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
  groupOf: GroupOf,
  wanted: readonly WantedRows[],
  target: Target,
  tick: () => void,
): Promise<void> {
  let placed = 0;
  const left: number[] = [];
  for (const [axis, {name, nameOf, point}] of target.columns.entries()) {
    const isNumber = nameOf === undefined && point === undefined;
    const pages = isNumber ? await readWholePages(file, groupOf, name, wanted, tick) : undefined;
    if (pages === undefined) left.push(axis);
    for (const page of pages ?? []) {
      for (const rows of wanted) placed += placeColumn(path, page, target, axis, rows);
    }
  }
  if (left.length > 0) placed += await readByLibrary(path, file, groupOf.metadata, left, wanted, target, tick);
  const expected = wanted.reduce((sum, {start, end}) => sum + end - start, 0) * target.columns.length;
  if (placed !== expected) {
    throw new DatasetFormatError(path, `is damaged (${placed} values in a row group); expected ${expected}`);
  }
}

/** @param axes  of the columns of the target that it reads */
async function readByLibrary(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  axes: readonly number[],
  wanted: readonly WantedRows[],
  target: Target,
  tick: () => void,
): Promise<number> {
  let failure: unknown;
  let placed = 0;
  await parquetRead({
    file,
    metadata,
    columns: [...new Set(axes.map((axis) => sourceOf(target.columns[axis])))],
    rowStart: Math.min(...wanted.map(({start}) => start)),
    rowEnd: Math.max(...wanted.map(({end}) => end)),
    compressors: compressors(),
    parsers: SECONDS,
    onPage: tick,
    onChunk: (chunk) => {
      try {
        for (const axis of axes) {
          if (sourceOf(target.columns[axis]) !== chunk.columnName) continue;
          for (const rows of wanted) placed += placeColumn(path, chunk, target, axis, rows);
        }
      } catch (error) {
        // The library does not wait for this callback: what it throws would be an unhandled rejection.
        failure ??= error;
      }
    },
  });
  if (failure !== undefined) throw failure;
  return placed;
}

/** A column of the file, or a coordinate of its points. */
interface FoundColumn {
  readonly name: string;
  readonly leaf: SchemaTree;
  readonly axis?: number;
}

/** Replaces each column of points (WKB in GeoParquet) by one column for each coordinate. */
function columnsOf({children}: SchemaTree): {readonly found: readonly FoundColumn[]; readonly points: PointColumns} {
  const points = new Map<string, readonly string[]>();
  const found = children.flatMap((leaf): FoundColumn[] => {
    const {name, logical_type: logical, repetition_type: repetition} = leaf.element;
    const isGeometry = logical?.type === 'GEOMETRY' || logical?.type === 'GEOGRAPHY';
    if (!isGeometry || repetition === 'REPEATED') return [{name, leaf}];
    const axes = pointAxes(name, logical.crs);
    points.set(name, axes);
    return axes.map((one, axis) => ({name: one, leaf, axis}));
  });
  return {found, points};
}

function typedColumns(
  path: string,
  found: readonly FoundColumn[],
  names: readonly string[],
  {wanted, timeColumn, groupColumn}: OtherColumns & {readonly wanted: readonly (string | number)[]},
): readonly Column[] {
  if (wanted.length === 0) throw new DatasetFormatError(path, 'has no columns; expected columns of numbers');
  return wanted.map((column) => {
    const index = findColumn(path, names, column);
    const {leaf, axis} = found[index];
    if (axis !== undefined) {
      return {name: names[index], type: TYPES['DOUBLE'], point: {column: leaf.element.name, axis}};
    }
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

/** Digits of decimals that float64 holds. */
const DECIMAL_DIGITS = 15;

/** A column of groups: text, numbers and booleans name them as they are, dates and times in ISO 8601. */
function groupColumnOf(path: string, name: string, leaf: SchemaTree): Column {
  const {repetition_type: repetition, converted_type: converted, precision = Infinity, scale = 0} = leaf.element;
  const meaning = meaningOf(leaf) ?? 'a group';
  const isPlain = leaf.children.length === 0 && repetition !== 'REPEATED';
  const isName = ['STRING', 'UTF8', 'ENUM', 'BYTE_ARRAY', 'BOOLEAN'].includes(meaning);
  const type = TYPES['DOUBLE'];
  if (isPlain && (isName || typeOf(leaf) !== undefined)) return {name, type, nameOf: groupNameOf};
  if (typeOfTime(leaf) !== undefined) return {name, type, nameOf: meaning === 'DATE' ? dayOf : momentOf};
  if (isPlain && converted === 'DECIMAL' && precision <= DECIMAL_DIGITS) {
    return {name, type, nameOf: (value) => (typeof value === 'number' ? value.toFixed(scale) : undefined)};
  }
  const expected = `text, numbers, BOOLEAN, DATE, TIMESTAMP or DECIMAL of ${DECIMAL_DIGITS} digits`;
  throw new DatasetFormatError(path, `column ${name} is ${meaning}; expected ${expected}`);
}

/** What the values of a column mean, or how they are stored. */
function meaningOf({element}: SchemaTree): string | undefined {
  const {type: stored, logical_type: logical, converted_type: converted} = element;
  return logical?.type ?? converted ?? stored;
}
