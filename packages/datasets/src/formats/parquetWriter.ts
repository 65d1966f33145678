import {setImmediate} from 'node:timers/promises';
import type {PointSet} from '@epsball/clustering';
import {fileWriter, ParquetWriter, type SchemaElement} from 'hyparquet-writer';
import {writeFileAtomically} from './outputFile.ts';
import {axisNames, type TableColumn, type WrittenColumn} from './rows.ts';

const GROUP_ROWS = 2 ** 18;

type ColumnValues = Float32Array | TableColumn | unknown[];

/** Writes columns x, y, z (x0, x1 … from four dimensions on) in the precision of the coordinates. */
export function writeParquet(path: string, {coords, dim}: PointSet, signal?: AbortSignal): Promise<void> {
  const isSingle = coords instanceof Float32Array;
  const names = axisNames(dim);
  const schema = names.map((name) => required(name, isSingle ? 'FLOAT' : 'DOUBLE'));
  const group = (start: number, end: number): readonly ColumnValues[] =>
    names.map((_, d) => {
      const column = isSingle ? new Float32Array(end - start) : new Float64Array(end - start);
      for (let i = start; i < end; i++) column[i - start] = coords[i * dim + d];
      return column;
    });
  return writeGroups(path, schema, coords.length / dim, group, signal);
}

/**
 * Writes columns by name: INT32, DOUBLE or INT64 by their type, BOOLEAN for bytes. Values with gaps are
 * optional INT64, DOUBLE or text.
 */
export function writeParquetColumns(
  path: string,
  columns: Readonly<Record<string, WrittenColumn>>,
  signal?: AbortSignal,
): Promise<void> {
  const schema = Object.entries(columns).map(([name, values]) => schemaOf(name, values));
  const group = (start: number, end: number): readonly ColumnValues[] =>
    Object.values(columns).map((values) => {
      if (!ArrayBuffer.isView(values)) return values.slice(start, end);
      const part = values.subarray(start, end);
      return part instanceof Uint8Array ? Array.from(part, (flag) => flag === 1) : part;
    });
  return writeGroups(path, schema, Object.values(columns)[0]?.length ?? 0, group, signal);
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
  signal?: AbortSignal,
): Promise<void> {
  return writeFileAtomically(
    path,
    async (temporaryPath) => {
      const schema: SchemaElement[] = [{name: 'root', num_children: columns.length}, ...columns];
      const writer = new ParquetWriter({writer: fileWriter(temporaryPath), schema});
      for (let start = 0; start < rowCount; start += GROUP_ROWS) {
        // The writer is synchronous; without this turn of the event loop Ctrl-C could not fire the signal.
        if (signal !== undefined) await setImmediate();
        signal?.throwIfAborted();
        const values = group(start, Math.min(rowCount, start + GROUP_ROWS));
        await writer.write({
          columnData: columns.map(({name}, k) => ({name, data: values[k], ...plainIfFloat(values[k])})),
          rowGroupSize: GROUP_ROWS,
        });
      }
      await writer.finish();
    },
    signal,
  );
}

/** Coordinates rarely repeat, so the search for a dictionary of them is skipped. */
function plainIfFloat(values: ColumnValues): {encoding?: 'PLAIN'} {
  return values instanceof Float32Array || values instanceof Float64Array ? {encoding: 'PLAIN'} : {};
}
