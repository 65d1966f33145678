import {
  Bool,
  Float64,
  Int64,
  makeData,
  makeVector,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
  type Vector,
} from 'apache-arrow';
import type {LabelColumn, LabelColumns} from './rows.ts';

/** The bytes of an Arrow file (the IPC file format) with the columns of a Parquet file of labels. */
export function arrowTable({labels, coreMask, rows, columns}: LabelColumns): Uint8Array {
  const vectors: [string, Vector][] = [
    ...(rows === undefined ? [] : [['row', makeVector(rows)] satisfies [string, Vector]]),
    ['label', makeVector(labels)],
    ...(coreMask === undefined ? [] : [['core', flagVector(coreMask)] satisfies [string, Vector]]),
    ...Object.entries(columns).map(([name, values]): [string, Vector] => [name, vectorOf(values)]),
  ];
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'file');
}

/** Flags take a bit each. */
function flagVector(flags: Uint8Array): Vector {
  const data = new Uint8Array(Math.ceil(flags.length / 8));
  for (let i = 0; i < flags.length; i++) data[i >> 3] |= flags[i] << (i & 7);
  return makeVector(makeData({type: new Bool(), length: flags.length, nullCount: 0, data}));
}

function vectorOf(values: LabelColumn): Vector {
  if (values instanceof BigInt64Array || values instanceof Float64Array) return makeVector(values);
  const kind = typeof values.find((value) => value !== null);
  return vectorFromArray(values, kind === 'bigint' ? new Int64() : kind === 'number' ? new Float64() : new Utf8());
}
