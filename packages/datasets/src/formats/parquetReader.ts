import * as zlib from 'node:zlib';
import {
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type Compressors,
  type FileMetaData,
  type SchemaTree,
} from 'hyparquet';
import {DatasetFormatError} from './errors.ts';
import {readBytes, withOpenFile, type OpenFile} from './inputFile.ts';
import {
  allocate,
  sourcePrecision,
  type Coords,
  type LoadedPoints,
  type NumberType,
  type ReadPrecision,
} from './numbers.ts';

/** A chosen column. */
interface Column {
  readonly name: string;
  readonly type: NumberType;
}

/**
 * Reads columns of numbers.
 *
 * @param columns  names or numbers of the columns, axis by axis; all unless given
 * @throws DatasetFormatError  if the file is no Parquet or truncated, a column is missing (lists the columns), no number,
 *                             or has a null
 */
export function readParquet(
  path: string,
  columns: readonly (string | number)[] | undefined,
  dim: number | undefined,
  precision: ReadPrecision,
): Promise<LoadedPoints> {
  return withOpenFile(path, async (file) => {
    const source = {byteLength: file.size, slice: (start: number, end?: number) => readSlice(file, start, end)};
    const metadata = await explained(path, () => parquetMetadataAsync(source), 'is truncated or no Parquet file');
    const chosen = chooseColumns(path, parquetSchema(metadata), columns);
    if (dim !== undefined && dim !== chosen.length) {
      throw new DatasetFormatError(path, `has ${chosen.length} columns chosen; expected dim = ${dim}`);
    }
    const places = new Map(chosen.map((column, axis) => [column.name, axis]));
    if (places.size < chosen.length) throw new DatasetFormatError(path, 'has a column chosen twice; expected once');
    const coords = allocate(path, Number(metadata.num_rows) * chosen.length, commonPrecision(chosen, precision));
    await explained(path, () => readGroups(path, source, metadata, places, coords));
    return {coords, dim: chosen.length, columns: chosen.map((column) => column.name)};
  });
}

/** One row group after the other, so that only one is in memory beside the result. */
async function readGroups(
  path: string,
  file: {byteLength: number; slice: (start: number, end?: number) => Promise<ArrayBuffer>},
  metadata: FileMetaData,
  places: ReadonlyMap<string, number>,
  coords: Coords,
): Promise<void> {
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    const rowEnd = rowStart + Number(group.num_rows);
    let failure: unknown;
    await parquetRead({
      file,
      metadata,
      columns: [...places.keys()],
      rowStart,
      rowEnd,
      compressors: compressors(),
      onChunk: (chunk) => {
        try {
          const axis = places.get(chunk.columnName);
          if (axis !== undefined) placeColumn(path, chunk, coords, places.size, axis);
        } catch (error) {
          // The library does not wait for this callback: what it throws would be an unhandled rejection.
          failure ??= error;
        }
      },
    });
    if (failure !== undefined) throw failure;
    rowStart = rowEnd;
  }
}

function placeColumn(
  path: string,
  chunk: {readonly columnName: string; readonly columnData: ArrayLike<unknown>; readonly rowStart: number},
  coords: Coords,
  dim: number,
  axis: number,
): void {
  const {columnName, columnData, rowStart} = chunk;
  for (let k = 0; k < columnData.length; k++) {
    const value = columnData[k];
    const number = typeof value === 'bigint' ? Number(value) : value;
    if (typeof number !== 'number' || (typeof value === 'bigint' && !Number.isSafeInteger(number))) {
      const expected = typeof value === 'bigint' ? 'integers within ±2^53, which float64 holds' : 'a number';
      throw new DatasetFormatError(path, `row ${rowStart + k}: ${columnName} = ${String(value)}; expected ${expected}`);
    }
    coords[(rowStart + k) * dim + axis] = number;
  }
}

function chooseColumns(
  path: string,
  schema: SchemaTree,
  columns: readonly (string | number)[] | undefined,
): readonly Column[] {
  const names = schema.children.map((child) => child.element.name);
  const wanted = columns ?? names;
  return wanted.map((column) => {
    const byName = names.indexOf(String(column));
    const index = byName < 0 && /^\d+$/.test(String(column)) ? Number(column) : byName;
    const leaf = schema.children[index];
    if (leaf === undefined) {
      throw new DatasetFormatError(
        path,
        `has no column ${JSON.stringify(column)}; expected one of ${names.join(', ')}`,
      );
    }
    return {name: names[index], type: numberType(path, leaf)};
  });
}

function numberType(path: string, leaf: SchemaTree): NumberType {
  const {name, type, logical_type: logical, converted_type: converted} = leaf.element;
  // A date is an INT32 and a decimal an INT64 too: a number is what has no other meaning.
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

/** Snappy is the library's own; these are Node's. zstd came with Node 22.15. */
function compressors(): Compressors {
  const {zstdDecompressSync} = zlib;
  return {
    GZIP: (input) => zlib.gunzipSync(input),
    BROTLI: (input) => zlib.brotliDecompressSync(input),
    ...(typeof zstdDecompressSync === 'function' ? {ZSTD: (input: Uint8Array) => zstdDecompressSync(input)} : {}),
  };
}

async function readSlice(file: OpenFile, start: number, end = file.size): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(end - start);
  await readBytes(file, bytes, start);
  return bytes.buffer;
}

/** Names the file in what the library throws. */
async function explained<Result>(
  path: string,
  run: () => Result | Promise<Result>,
  what = 'is no readable Parquet file',
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
    throw new DatasetFormatError(path, `${what} (${reason})`, {cause: error});
  }
}
