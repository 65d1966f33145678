import * as zlib from 'node:zlib';
import {
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet';
import type {DecodeOptions} from './decodeInWorker.ts';
import {columnsToRead, type ColumnChoice} from './columnChoice.ts';
import {DatasetFormatError, listed, quoted} from './errors.ts';
import {readBytes, withOpenFile, type OpenFile} from './inputFile.ts';
import {
  allocate,
  sourcePrecision,
  type Coords,
  type LoadedPoints,
  type NumberType,
  type ReadPrecision,
} from './numbers.ts';

/** Bytes read between two ticks. */
const READ_BYTES = 2 ** 24;

/** A chosen column. */
interface Column {
  readonly name: string;
  readonly type: NumberType;
}

/**
 * Decodes columns of a Parquet file. Runs on a thread of its own: on a damaged file the library may not return.
 *
 * @param tick  called after each page and each block of bytes
 * @throws DatasetFormatError  if the file is damaged, a column is missing (lists the columns), not a number, or has a
 *                             null
 */
export function decodeParquet(
  path: string,
  _size: number,
  {columns, weightColumn, dim, precision}: DecodeOptions,
  tick: () => void,
): Promise<LoadedPoints> {
  return withOpenFile(path, async (file) => {
    try {
      const source = bufferOf(file, tick);
      const metadata = await parquetMetadataAsync(source);
      const chosen = chooseColumns(path, parquetSchema(metadata), {columns, weightColumn});
      if (dim !== undefined && dim !== chosen.length) {
        throw new DatasetFormatError(path, `has ${chosen.length} columns chosen; expected dim = ${dim}`);
      }
      const places = new Map(chosen.map((column, axis) => [column.name, axis]));
      if (places.size < chosen.length) throw new DatasetFormatError(path, 'has a column chosen twice; expected once');
      requireCodecs(path, metadata, places);
      const rowCount = countRows(path, metadata);
      const coords = allocate(path, rowCount * chosen.length, commonPrecision(chosen, precision));
      await readGroups(path, source, metadata, places, coords, tick);
      return {coords, dim: chosen.length, columns: chosen.map((column) => column.name)};
    } catch (error) {
      if (error instanceof DatasetFormatError) throw error;
      const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
      throw new DatasetFormatError(path, `is damaged (${reason}); expected a whole Parquet file`, {cause: error});
    }
  });
}

/** Each chosen column must be compressed in a way that can be undone. */
function requireCodecs(path: string, metadata: FileMetaData, places: ReadonlyMap<string, number>): void {
  const known = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(compressors())];
  for (const {meta_data: chunk} of metadata.row_groups.flatMap(({columns}) => columns)) {
    if (chunk === undefined || !places.has(chunk.path_in_schema[0]) || known.includes(chunk.codec)) continue;
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

/** One row group after the other, so that only one is in memory beside the result. */
async function readGroups(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  places: ReadonlyMap<string, number>,
  coords: Coords,
  tick: () => void,
): Promise<void> {
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    let failure: unknown;
    let placed = 0;
    await parquetRead({
      file,
      metadata,
      columns: [...places.keys()],
      rowStart,
      rowEnd,
      compressors: compressors(),
      onPage: tick,
      onChunk: (chunk) => {
        try {
          const axis = places.get(chunk.columnName);
          if (axis !== undefined) placed += placeColumn(path, chunk, coords, places.size, axis, rowEnd);
        } catch (error) {
          // The library does not wait for this callback: what it throws would be an unhandled rejection.
          failure ??= error;
        }
      },
    });
    if (failure !== undefined) throw failure;
    const expected = (rowEnd - rowStart) * places.size;
    if (placed !== expected) {
      throw new DatasetFormatError(path, `is damaged (${placed} values in a row group); expected ${expected}`);
    }
    rowStart = rowEnd;
  }
}

/** Copies a column's values into the result, and counts them. */
function placeColumn(
  path: string,
  chunk: {readonly columnName: string; readonly columnData: ArrayLike<unknown>; readonly rowStart: number},
  coords: Coords,
  dim: number,
  axis: number,
  rowEnd: number,
): number {
  const {columnName, columnData, rowStart} = chunk;
  // The last page may hold more rows than the group claims.
  const count = Math.min(columnData.length, rowEnd - rowStart);
  for (let k = 0; k < count; k++) {
    const value = columnData[k];
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || (typeof value === 'bigint' && !Number.isSafeInteger(number))) {
      const expected = typeof value === 'bigint' ? 'integers below 2^53 in magnitude, which float64 holds' : 'a number';
      throw new DatasetFormatError(path, `row ${rowStart + k}: ${columnName} = ${String(value)}; expected ${expected}`);
    }
    coords[(rowStart + k) * dim + axis] = number;
  }
  return count;
}

function chooseColumns(path: string, schema: SchemaTree, choice: ColumnChoice): readonly Column[] {
  const names = schema.children.map((child) => child.element.name);
  const wanted = columnsToRead(path, names, choice) ?? names;
  if (wanted.length === 0) throw new DatasetFormatError(path, 'has no columns; expected columns of numbers');
  return wanted.map((column) => {
    const byName = names.indexOf(String(column));
    const index = byName < 0 && /^\d+$/.test(String(column)) ? Number(column) : byName;
    const leaf = schema.children[index];
    if (leaf === undefined) {
      throw new DatasetFormatError(
        path,
        `has no column ${typeof column === 'number' ? column : quoted(column)}; expected one of ${listed(names)}`,
      );
    }
    return {name: names[index], type: numberType(path, leaf)};
  });
}

function numberType(path: string, leaf: SchemaTree): NumberType {
  const {name, type, logical_type: logical, converted_type: converted} = leaf.element;
  // Dates are INT32 and decimals INT64 as well; only columns without such a meaning are numbers.
  const isPlain =
    logical === undefined ? converted === undefined || /^U?INT_/.test(converted) : logical.type === 'INTEGER';
  if (leaf.children.length === 0 && leaf.element.repetition_type !== 'REPEATED' && isPlain) {
    if (type === 'FLOAT') return {kind: 'float', bytes: 4, isBigEndian: false};
    if (type === 'DOUBLE') return {kind: 'float', bytes: 8, isBigEndian: false};
    if (type === 'INT32') return {kind: 'int', bytes: 4, isBigEndian: false};
    if (type === 'INT64') return {kind: 'int', bytes: 8, isBigEndian: false};
  }
  const meaning = logical?.type ?? converted ?? type ?? 'a group';
  throw new DatasetFormatError(path, `column ${name} is ${meaning}; expected FLOAT, DOUBLE, INT32 or INT64`);
}

function commonPrecision(columns: readonly Column[], precision: ReadPrecision): 'float32' | 'float64' {
  if (precision !== 'source') return precision;
  return columns.every((column) => sourcePrecision(column.type) === 'float32') ? 'float32' : 'float64';
}

/** Snappy is the library's; the others are Node's, zstd from 22.15 on. No page grows beyond the size in its header. */
function compressors(): Compressors {
  const {zstdDecompressSync} = zlib;
  return {
    GZIP: (input, size) => zlib.gunzipSync(input, {maxOutputLength: size}),
    BROTLI: (input, size) => zlib.brotliDecompressSync(input, {maxOutputLength: size}),
    ...(typeof zstdDecompressSync === 'function'
      ? {ZSTD: (input: Uint8Array, size: number) => zstdDecompressSync(input, {maxOutputLength: size})}
      : {}),
  };
}

/** The file as the library reads it. */
function bufferOf(file: OpenFile, tick: () => void): AsyncBuffer {
  return {
    byteLength: file.size,
    slice: async (start, end = file.size) => {
      if (!(start >= 0 && end >= start && end <= file.size)) {
        throw new RangeError(`bytes ${start} to ${end} of ${file.size}`);
      }
      const bytes = new Uint8Array(end - start);
      for (let done = 0; done < bytes.length; done += READ_BYTES) {
        await readBytes(file, bytes.subarray(done, done + READ_BYTES), start + done);
        tick();
      }
      return bytes.buffer;
    },
  };
}
