import {
  AsyncByteQueue,
  Bool,
  Field,
  Float64,
  Int64,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  vectorFromArray,
  type Data,
  type DataType,
} from 'apache-arrow';
import {blockRanges, type WriteOptions, type WrittenColumn} from './rows.ts';

/** Rows of a record batch. */
const BATCH_ROWS = 2 ** 18;

/** Keeps what is written to it. */
class Sink extends AsyncByteQueue {
  readonly blocks: Uint8Array[] = [];

  override write(bytes: Uint8Array): void {
    this.blocks.push(bytes);
  }
}

/** An Arrow file (the IPC file format) with columns by name. */
export function* arrowBlocks(
  columns: Readonly<Record<string, WrittenColumn>>,
  onProgress: WriteOptions['onProgress'],
): Generator<Uint8Array> {
  const all = Object.values(columns);
  const schema = new Schema(Object.entries(columns).map(([name, values]) => fieldOf(name, values)));
  const sink = new Sink();
  const writer = new RecordBatchFileWriter();
  writer.reset(sink, schema);
  for (const [start, end] of blockRanges(all[0].length, BATCH_ROWS, onProgress)) {
    const children = all.map((values, k) => dataOf(values, schema.fields[k].type, start, end));
    const rows = makeData({type: new Struct(schema.fields), length: end - start, nullCount: 0, children});
    writer.write(new RecordBatch(schema, rows));
    yield* sink.blocks.splice(0);
  }
  writer.close();
  yield* sink.blocks;
}

function fieldOf(name: string, values: WrittenColumn): Field {
  if (values instanceof Uint8Array) return new Field(name, new Bool());
  if (ArrayBuffer.isView(values)) return new Field(name, makeVector(values.subarray(0, 0)).type);
  const kind = typeof values.find((value) => value !== null);
  const type = kind === 'bigint' ? new Int64() : kind === 'number' ? new Float64() : new Utf8();
  return new Field(name, type, values.includes(null));
}

function dataOf(values: WrittenColumn, type: DataType, start: number, end: number): Data {
  if (values instanceof Uint8Array) return flagData(values.subarray(start, end));
  if (ArrayBuffer.isView(values)) return makeVector(values.subarray(start, end)).data[0];
  return vectorFromArray(values.slice(start, end), type).data[0];
}

/** Flags take a bit each. */
function flagData(flags: Uint8Array): Data {
  const data = new Uint8Array(Math.ceil(flags.length / 8));
  for (let i = 0; i < flags.length; i++) data[i >> 3] |= flags[i] << (i & 7);
  return makeData({type: new Bool(), length: flags.length, nullCount: 0, data});
}
