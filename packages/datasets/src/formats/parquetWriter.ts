import {setImmediate} from 'node:timers/promises';
import type {PointSet} from '@epsball/clustering';
import {fileWriter, ParquetWriter, type SchemaElement} from 'hyparquet-writer';
import {writeFileAtomically} from './outputFile.ts';
import {axisNames, type LabelColumns} from './rows.ts';

const GROUP_ROWS = 2 ** 18;

type ColumnValues = Float32Array | Float64Array | Int32Array | BigInt64Array | boolean[];

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

/** Writes columns label (INT32), with a mask core (BOOLEAN), and more columns (DOUBLE or INT64). */
export function writeParquetLabels(
  path: string,
  {labels, coreMask, columns}: LabelColumns,
  signal?: AbortSignal,
): Promise<void> {
  const schema = [required('label', 'INT32')];
  if (coreMask !== undefined) schema.push(required('core', 'BOOLEAN'));
  for (const [name, values] of Object.entries(columns)) {
    schema.push(required(name, values instanceof BigInt64Array ? 'INT64' : 'DOUBLE'));
  }
  const group = (start: number, end: number): readonly ColumnValues[] => [
    labels.subarray(start, end),
    ...(coreMask === undefined ? [] : [Array.from(coreMask.subarray(start, end), (flag) => flag === 1)]),
    ...Object.values(columns).map((values) => values.subarray(start, end)),
  ];
  return writeGroups(path, schema, labels.length, group, signal);
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
