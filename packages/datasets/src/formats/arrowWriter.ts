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
import type {WrittenColumn} from './rows.ts';

/** The bytes of an Arrow file (the IPC file format) with columns by name. */
export function arrowTable(columns: Readonly<Record<string, WrittenColumn>>): Uint8Array {
  const vectors = Object.entries(columns).map(([name, values]) => [name, vectorOf(values)] as const);
  return tableToIPC(new Table(Object.fromEntries(vectors)), 'file');
}

/** Flags take a bit each. */
function flagVector(flags: Uint8Array): Vector {
  const data = new Uint8Array(Math.ceil(flags.length / 8));
  for (let i = 0; i < flags.length; i++) data[i >> 3] |= flags[i] << (i & 7);
  return makeVector(makeData({type: new Bool(), length: flags.length, nullCount: 0, data}));
}

function vectorOf(values: WrittenColumn): Vector {
  if (values instanceof Uint8Array) return flagVector(values);
  if (ArrayBuffer.isView(values)) return makeVector(values);
  const kind = typeof values.find((value) => value !== null);
  return vectorFromArray(values, kind === 'bigint' ? new Int64() : kind === 'number' ? new Float64() : new Utf8());
}
