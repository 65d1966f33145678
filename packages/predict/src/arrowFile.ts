import {countAt, FlatTable} from './flatTable.ts';

const MAGIC = 'ARROW1';
/** Magic at both ends, two bytes of padding after the first, and the length of the footer. */
const BYTES_MIN = 8 + 4 + MAGIC.length;

/** Bytes of the structs Block, FieldNode and Buffer. */
const BLOCK_BYTES = 24;
const NODE_BYTES = 16;
const BUFFER_BYTES = 16;

/** Members of the unions Type and MessageHeader, and of the enum Precision. */
const TYPE_INT = 2;
const TYPE_FLOAT = 3;
const HEADER_RECORD_BATCH = 3;
const PRECISION_DOUBLE = 2;

/** More columns are refused: damaged counts then cost no time. */
const COLUMNS_MAX = 256;

export interface ArrowFile {
  /** Metadata of the schema. */
  readonly metadata: ReadonlyMap<string, string>;
  readonly rowCount: number;
  readonly columns: ReadonlyMap<string, Float64Array | Int32Array>;
}

interface Column {
  readonly name: string;
  readonly isFloat: boolean;
}

interface Batch {
  readonly rowCount: number;
  readonly values: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Reads an Arrow file (the IPC file format) of float64 and int32 columns without nulls. apache-arrow does not check
 * offsets: on damaged bytes it may not return. Here no loop is longer than a count that the bytes have room for.
 *
 * @throws RangeError  if the bytes are no such file, or are damaged
 * @source       Arrow columnar format, section "IPC file format"; Schema.fbs, Message.fbs, File.fbs
 */
export function readArrowFile(bytes: Uint8Array): ArrowFile {
  const footer = footerOf(bytes);
  const schema = footer.table(1);
  if (schema === undefined || schema.int16(0) !== 0) throw new RangeError('its schema is missing');
  const columns = columnsOf(schema);
  const {at, length} = footer.items(3, BLOCK_BYTES);
  const batches: Batch[] = [];
  let bytesLeft = bytes.length;
  for (let k = 0; k < length; k++) {
    const batch = batchAt(bytes, footer.view, at + k * BLOCK_BYTES, columns);
    // Batches that overlap would need more memory than the file has bytes.
    bytesLeft -= batch.values.reduce((sum, values) => sum + values.length, 0);
    if (bytesLeft < 0) throw new RangeError('its batches overlap');
    batches.push(batch);
  }
  return {
    metadata: new Map(schema.tables(2).map((pair) => [pair.text(0), pair.text(1)])),
    rowCount: batches.reduce((sum, {rowCount}) => sum + rowCount, 0),
    columns: new Map(columns.map(({name, isFloat}, c) => [name, joined(batches, c, isFloat)])),
  };
}

function footerOf(bytes: Uint8Array): FlatTable {
  const textAt = (start: number): string => String.fromCharCode(...bytes.subarray(start, start + MAGIC.length));
  const end = bytes.length - MAGIC.length;
  if (bytes.length < BYTES_MIN || textAt(0) !== MAGIC) throw new RangeError(`it does not begin with ${MAGIC}`);
  if (textAt(end) !== MAGIC) throw new RangeError(`it is cut: it does not end with ${MAGIC}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(end - 4, true);
  if (length > end - 4) throw new RangeError(`its footer has ${length} bytes`);
  return FlatTable.root(new DataView(bytes.buffer, bytes.byteOffset + end - 4 - length, length));
}

function columnsOf(schema: FlatTable): Column[] {
  if (schema.items(1, 4).length > COLUMNS_MAX) throw new RangeError(`it has over ${COLUMNS_MAX} columns`);
  const columns = schema.tables(1).map((field) => {
    const name = field.text(0);
    const [kind, type] = [field.uint8(2), field.table(3)];
    const isFloat = kind === TYPE_FLOAT && type?.int16(0) === PRECISION_DOUBLE;
    const isInt = kind === TYPE_INT && type?.int32(0) === 32 && type.uint8(1) === 1;
    const isDictionary = field.table(4) !== undefined;
    if (isDictionary || !(isFloat || isInt)) throw new RangeError(`its column ${name} is neither float64 nor int32`);
    return {name, isFloat};
  });
  if (new Set(columns.map(({name}) => name)).size < columns.length) throw new RangeError('two columns have one name');
  return columns;
}

/** The record batch that a block of the footer leads to. */
function batchAt(bytes: Uint8Array, blocks: DataView, block: number, columns: readonly Column[]): Batch {
  const offset = countAt(blocks, block);
  const metadataBytes = blocks.getInt32(block + 8, true);
  // The DataView checks both against the buffer, `subarray` would clamp them.
  if (offset + metadataBytes > bytes.length) throw new RangeError(`a batch at byte ${offset}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, metadataBytes);
  // Before version 0.15 the message had no marker in front of its length.
  const message = FlatTable.root(view, view.getUint32(0, true) === 0xffff_ffff ? 8 : 4);
  const batch = message.uint8(1) === HEADER_RECORD_BATCH ? message.table(2) : undefined;
  if (batch === undefined) throw new RangeError(`no record batch at byte ${offset}`);
  if (batch.table(3) !== undefined) throw new RangeError('its columns are compressed');
  const rowCount = batch.count(0);
  const nodes = batch.items(1, NODE_BYTES);
  const buffers = batch.items(2, BUFFER_BYTES);
  if (nodes.length !== columns.length || buffers.length !== 2 * columns.length) {
    throw new RangeError('a batch has other columns than the schema');
  }
  const values = columns.map(({name, isFloat}, c) => {
    const node = nodes.at + c * NODE_BYTES;
    if (countAt(view, node) !== rowCount) throw new RangeError(`its column ${name} has another length`);
    if (countAt(view, node + 8) !== 0) throw new RangeError(`its column ${name} has nulls`);
    // The first buffer of a column marks nulls.
    const buffer = buffers.at + (2 * c + 1) * BUFFER_BYTES;
    const needed = rowCount * (isFloat ? 8 : 4);
    const start = offset + metadataBytes + countAt(view, buffer);
    if (countAt(view, buffer + 8) < needed || start + needed > bytes.length) {
      throw new RangeError(`it is cut within column ${name}`);
    }
    // Copies, so that the values are aligned.
    return bytes.slice(start, start + needed);
  });
  return {rowCount, values};
}

function joined(batches: readonly Batch[], column: number, isFloat: boolean): Float64Array | Int32Array {
  const parts = batches.map(({values}) => values[column]);
  const bytes = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0));
  let done = 0;
  for (const part of parts) {
    bytes.set(part, done);
    done += part.length;
  }
  return isFloat ? new Float64Array(bytes.buffer) : new Int32Array(bytes.buffer);
}
