import type {DuckDBVector} from '@duckdb/node-api';
import type {PointSet} from '@epsball/clustering';
import {DatasetFormatError} from '@epsball/datasets';
import {sqlName, sqlPath, withDuckDB} from './duckdb.ts';

/** What a Parquet file says about its points. */
export interface ParquetLayout {
  readonly rowCount: number;
  /** Chosen columns, axis by axis. */
  readonly columns: readonly string[];
  readonly precision: 'float32' | 'float64';
}

/** Types that float32 holds, as in core. */
const FLOAT32_TYPES = new Set(['FLOAT', 'TINYINT', 'UTINYINT', 'SMALLINT', 'USMALLINT']);
const WIDE_TYPES = new Set(['BIGINT', 'UBIGINT']);
const FLOAT64_TYPES = new Set(['DOUBLE', 'INTEGER', 'UINTEGER', ...WIDE_TYPES]);

/**
 * Describes a Parquet file.
 *
 * @param columns  names or numbers of the columns, axis by axis. Default: all
 * @throws DatasetFormatError  if the file is not Parquet, a column is missing or not a number, or an integer is not
 *                             below 2^53 in magnitude
 */
export async function describeParquet(path: string, columns?: readonly string[]): Promise<ParquetLayout> {
  return withDuckDB(async (connection) => {
    const rowsOf = async (sql: string): Promise<readonly unknown[][]> => {
      try {
        return (await connection.runAndReadAll(sql)).getRows();
      } catch (error) {
        throw unreadable(path, error);
      }
    };
    const schema = await rowsOf(`DESCRIBE SELECT * FROM read_parquet(${sqlPath(path)})`);
    const typeOf = new Map(schema.map(([name, type]) => [String(name), String(type)]));
    const names = [...typeOf.keys()];
    const chosen = (columns ?? names).map((column) => chooseColumn(path, names, column));
    const types = chosen.map((name) => typeOf.get(name) ?? '');
    const other = types.findIndex((type) => !FLOAT32_TYPES.has(type) && !FLOAT64_TYPES.has(type));
    if (other >= 0) {
      throw new DatasetFormatError(path, `column ${chosen[other]} has type ${types[other]}; expected numbers`);
    }
    for (const name of chosen.filter((_, k) => WIDE_TYPES.has(types[k]))) {
      // The statistics of row groups leave most of them unread.
      const [first] = await rowsOf(
        `SELECT file_row_number, ${sqlName(name)} FROM read_parquet(${sqlPath(path)}, file_row_number = true) ` +
          `WHERE ${sqlName(name)} NOT BETWEEN ${-Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER} LIMIT 1`,
      );
      if (first === undefined) continue;
      const expected = 'integers below 2^53 in magnitude, which float64 holds';
      throw new DatasetFormatError(
        path,
        `row ${String(first[0])}: ${name} = ${String(first[1])}; expected ${expected}`,
      );
    }
    const [[rows]] = await rowsOf(`SELECT sum(num_rows)::DOUBLE FROM parquet_file_metadata(${sqlPath(path)})`);
    const precision = types.every((type) => FLOAT32_TYPES.has(type)) ? 'float32' : 'float64';
    return {rowCount: Number(rows), columns: chosen, precision};
  });
}

/**
 * Reads ranges of rows of a Parquet file, one after another. A missing value becomes NaN.
 *
 * @throws DatasetFormatError  if the file has fewer rows
 */
export async function readParquetRows(
  path: string,
  {columns, precision}: Omit<ParquetLayout, 'rowCount'>,
  ranges: readonly (readonly [start: number, end: number])[],
): Promise<PointSet> {
  const dim = columns.length;
  const rowCount = ranges.reduce((sum, [start, end]) => sum + end - start, 0);
  const coords = precision === 'float32' ? new Float32Array(rowCount * dim) : new Float64Array(rowCount * dim);
  const type = precision === 'float32' ? 'FLOAT' : 'DOUBLE';
  const values = columns.map((name) => `coalesce(${sqlName(name)}::${type}, 'nan'::${type})`).join(', ');
  const table = `read_parquet(${sqlPath(path)}, file_row_number = true)`;
  await withDuckDB(async (connection) => {
    let done = 0;
    for (const [start, end] of ranges) {
      const range = `file_row_number >= ${start} AND file_row_number < ${end}`;
      const before = done;
      const fail = (error: unknown): never => {
        throw unreadable(path, error);
      };
      const result = await connection.stream(`SELECT ${values} FROM ${table} WHERE ${range}`).catch(fail);
      for (;;) {
        const chunk = await result.fetchChunk().catch(fail);
        if (chunk === null || chunk.rowCount === 0) break;
        for (let axis = 0; axis < dim; axis++) {
          scatter(itemsOf(chunk.getColumnVector(axis)), coords, done * dim + axis, dim, chunk.rowCount);
        }
        done += chunk.rowCount;
      }
      if (done - before !== end - start) {
        throw new DatasetFormatError(path, `has ${start + done - before} rows; expected ${end}`);
      }
    }
  });
  return {coords, dim};
}

function unreadable(path: string, error: unknown): DatasetFormatError {
  const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
  return new DatasetFormatError(path, `cannot be read as Parquet (${reason})`, {cause: error});
}

/** The values of a vector as one array. Its typings hide it; the public `getItem` takes twice the time. */
function itemsOf(vector: DuckDBVector): Float64Array | Float32Array {
  const items = 'items' in vector ? vector.items : undefined;
  if (items instanceof Float64Array || items instanceof Float32Array) return items;
  throw new TypeError(`DuckDB returned a ${vector.constructor.name} without items; expected floats`);
}

function scatter(
  items: ArrayLike<number>,
  coords: Float32Array | Float64Array,
  start: number,
  dim: number,
  count: number,
): void {
  for (let k = 0, at = start; k < count; k++, at += dim) coords[at] = items[k];
}

function chooseColumn(path: string, names: readonly string[], column: string): string {
  if (names.includes(column)) return column;
  const byNumber = /^\d+$/.test(column) ? names[Number(column)] : undefined;
  if (byNumber !== undefined) return byNumber;
  throw new DatasetFormatError(path, `has no column ${column}; expected one of ${names.join(', ')}`);
}
