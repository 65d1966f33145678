import type {PointSet} from '@epsball/clustering';
import {ByteWriter, ParquetWriter, type SchemaElement} from 'hyparquet-writer';
import {writeBlocks} from './outputFile.ts';
import {axisNames, blockRanges, type TableColumn, type WriteOptions, type WrittenColumn} from './rows.ts';

/** Rows of a group, and its values: a group is in memory as a whole. */
const GROUP_ROWS_MAX = 2 ** 18;
const GROUP_VALUES_MAX = 2 ** 24;

type ColumnValues = Float32Array | TableColumn | unknown[];

/** Writes columns x, y, z (x0, x1 … from four dimensions on) in the precision of the coordinates. */
export function writeParquet(path: string, {coords, dim}: PointSet, options: WriteOptions): Promise<void> {
  const isSingle = coords instanceof Float32Array;
  const names = axisNames(dim);
  const schema = names.map((name) => required(name, isSingle ? 'FLOAT' : 'DOUBLE'));
  const group = (start: number, end: number): readonly ColumnValues[] =>
    names.map((_, d) => {
      const column = isSingle ? new Float32Array(end - start) : new Float64Array(end - start);
      for (let i = start; i < end; i++) column[i - start] = coords[i * dim + d];
      return column;
    });
  return writeGroups(path, schema, coords.length / dim, group, options);
}

/**
 * Writes columns by name: INT32, DOUBLE or INT64 by their type, BOOLEAN for bytes. Values with gaps are
 * optional INT64, DOUBLE or text.
 */
export function writeParquetColumns(
  path: string,
  columns: Readonly<Record<string, WrittenColumn>>,
  options: WriteOptions,
): Promise<void> {
  const schema = Object.entries(columns).map(([name, values]) => schemaOf(name, values));
  const group = (start: number, end: number): readonly ColumnValues[] =>
    Object.values(columns).map((values) => {
      if (!ArrayBuffer.isView(values)) return values.slice(start, end);
      const part = values.subarray(start, end);
      return part instanceof Uint8Array ? Array.from(part, (flag) => flag === 1) : part;
    });
  return writeGroups(path, schema, Object.values(columns)[0]?.length ?? 0, group, options);
}

function schemaOf(name: string, values: WrittenColumn): SchemaElement {
  if (values instanceof BigInt64Array) return required(name, 'INT64');
  if (values instanceof Uint8Array) return required(name, 'BOOLEAN');
  if (ArrayBuffer.isView(values)) return required(name, values instanceof Int32Array ? 'INT32' : 'DOUBLE');
  const kind = typeof values.find((value) => value !== null);
  const gaps = {name, repetition_type: 'OPTIONAL'} as const;
  if (kind === 'bigint' || kind === 'number') return {...gaps, type: kind === 'bigint' ? 'INT64' : 'DOUBLE'};
  return {...gaps, type: 'BYTE_ARRAY', converted_type: 'UTF8'};
}

function required(name: string, type: 'FLOAT' | 'DOUBLE' | 'INT32' | 'INT64' | 'BOOLEAN'): SchemaElement {
  return {name, type, repetition_type: 'REQUIRED'};
}

function writeGroups(
  path: string,
  columns: readonly SchemaElement[],
  rowCount: number,
  group: (start: number, end: number) => readonly ColumnValues[],
  {signal, onProgress}: WriteOptions,
): Promise<void> {
  const rows = Math.max(1, Math.min(GROUP_ROWS_MAX, Math.floor(GROUP_VALUES_MAX / columns.length)));
  const blocks = async function* (): AsyncGenerator<Uint8Array> {
    const schema: SchemaElement[] = [{name: 'root', num_children: columns.length}, ...columns];
    const written = new ByteWriter();
    const writer = new ParquetWriter({writer: written, schema});
    for (const [start, end] of blockRanges(rowCount, rows, onProgress)) {
      const values = group(start, end);
      await writer.write({
        columnData: columns.map(({name}, k) => ({name, data: values[k], ...plainIfFloat(values[k])})),
        rowGroupSize: rows,
      });
      yield written.getBytes();
      // The next group takes the place of this one.
      written.index = 0;
    }
    await writer.finish();
    yield written.getBytes();
  };
  return writeBlocks(path, blocks(), signal);
}

/** Coordinates rarely repeat, so the search for a dictionary of them is skipped. */
function plainIfFloat(values: ColumnValues): {encoding?: 'PLAIN'} {
  return values instanceof Float32Array || values instanceof Float64Array ? {encoding: 'PLAIN'} : {};
}
