import {DatasetFormatError, because, listed} from './errors.ts';
import {inflated} from './inflate.ts';
import {readBytes, type OpenFile} from './openFile.ts';

/** Signatures and sizes of ZIP's records, without names and extra fields. */
const END = {signature: 0x06054b50, bytes: 22};
const ENTRY = {signature: 0x02014b50, bytes: 46};
const LOCAL = {signature: 0x04034b50, bytes: 30};
/** The comment after the end record. */
const COMMENT_MAX = 0xffff;
const STORED = 0;
const DEFLATED = 8;
/** In the place of numbers that do not fit. */
const IN_EXTRA = 0xffffffff;
const ZIP64 = 1;

interface Entry {
  readonly name: string;
  readonly method: number;
  /** Bytes in the archive, and of the array. */
  readonly packed: number;
  readonly size: number;
  /** Byte of the local record. */
  readonly at: number;
}

/**
 * Opens an array of an NPZ archive, as `numpy.savez` and `numpy.savez_compressed` write it, as an NPY file.
 *
 * @param name  of the array. Default: the only one
 * @returns     reads from the archive, or from memory if the array is compressed
 * @throws DatasetFormatError  if the archive is damaged or encrypted, or has no such array (lists the arrays)
 * @source  APPNOTE.TXT, the .ZIP file format specification, 4.3 to 4.5; numpy.lib.npyio
 */
export async function openNpz(file: OpenFile, name: string | undefined): Promise<OpenFile> {
  const entries = await readEntries(file);
  const names = entries.map((entry) => entry.name);
  const entry = name === undefined && entries.length === 1 ? entries[0] : entries.find((one) => one.name === name);
  if (entry === undefined) {
    const has = name === undefined ? `has ${entries.length} arrays` : `has no array "${name}"`;
    const choice = names.length === 0 ? 'an array' : `a name, one of: ${listed(names)}`;
    throw new DatasetFormatError(file.path, `${has}; expected ${choice}`);
  }
  const local = await recordAt(file, entry.at, LOCAL);
  const start = entry.at + LOCAL.bytes + local.getUint16(26, true) + local.getUint16(28, true);
  const path = `${file.path}:${entry.name}`;
  if (entry.method === STORED) {
    if (entry.packed !== entry.size) throw new DatasetFormatError(file.path, 'is damaged; expected a whole archive');
    const readInto: OpenFile['readInto'] = (bytes, position) =>
      file.readInto(bytes.subarray(0, Math.max(0, entry.size - position)), start + position);
    return {path, size: entry.size, readInto};
  }
  if (entry.method !== DEFLATED) {
    throw new DatasetFormatError(path, `is compressed by method ${entry.method}; expected none or deflate`);
  }
  const content = await inflate(file, path, start, entry);
  const readInto: OpenFile['readInto'] = async (bytes, position) => {
    const part = content.subarray(position, position + bytes.length);
    bytes.set(part);
    return part.length;
  };
  return {path, size: content.length, readInto};
}

async function inflate(file: OpenFile, path: string, start: number, {packed, size}: Entry): Promise<Uint8Array> {
  const fail = (why: string, cause?: unknown): never => {
    throw new DatasetFormatError(path, `is damaged${why}; expected a whole archive`, {cause});
  };
  let content: Uint8Array = new Uint8Array(0);
  try {
    content = new Uint8Array(size);
  } catch (error) {
    fail(` (${size} bytes)`, error);
  }
  let length = 0;
  try {
    for await (const block of inflated(blocksOf(file, start, packed), 'deflate-raw')) {
      if (length + block.length > size) fail('');
      content.set(block, length);
      length += block.length;
    }
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    fail(because(error), error);
  }
  return length === size ? content : fail('');
}

async function* blocksOf(file: OpenFile, start: number, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < length; at += 2 ** 20) {
    const block = new Uint8Array(Math.min(2 ** 20, length - at));
    await readBytes(file, block, start + at);
    yield block;
  }
}

/** The arrays of the central directory. */
async function readEntries(file: OpenFile): Promise<readonly Entry[]> {
  const {size, path} = file;
  const tail = new Uint8Array(Math.min(size, END.bytes + COMMENT_MAX));
  await readBytes(file, tail, size - tail.length);
  const view = new DataView(tail.buffer);
  let end = tail.length - END.bytes;
  while (end >= 0 && view.getUint32(end, true) !== END.signature) end--;
  if (end < 0) throw new DatasetFormatError(path, 'is not an NPZ file; expected a ZIP archive of numpy.savez');
  const bytes = view.getUint32(end + 12, true);
  const at = view.getUint32(end + 16, true);
  if (at + bytes > size) throw new DatasetFormatError(path, 'is damaged or larger than 4 GB; expected a ZIP archive');
  const directory = new Uint8Array(bytes);
  await readBytes(file, directory, at);
  const entries: Entry[] = [];
  for (let from = 0; from + ENTRY.bytes <= bytes;) {
    const record = new DataView(directory.buffer, from);
    if (record.getUint32(0, true) !== ENTRY.signature) break;
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((k) => record.getUint16(k, true));
    const next = from + ENTRY.bytes + nameBytes + extraBytes + commentBytes;
    if (next > bytes) break;
    if ((record.getUint16(8, true) & 1) === 1)
      throw new DatasetFormatError(path, 'is encrypted; expected plain arrays');
    const nameAt = from + ENTRY.bytes;
    const fullName = new TextDecoder().decode(directory.subarray(nameAt, nameAt + nameBytes));
    const extra = new DataView(directory.buffer, nameAt + nameBytes, extraBytes);
    if (fullName.endsWith('.npy')) entries.push({name: fullName.slice(0, -4), ...sizesOf(record, extra)});
    from = next;
  }
  return entries;
}

/** Sizes and place of an entry. Those that do not fit are in the ZIP64 field, in this order. */
function sizesOf(record: DataView, extra: DataView): Omit<Entry, 'name'> {
  const large: number[] = [];
  for (let at = 0; at + 4 <= extra.byteLength;) {
    const bytes = extra.getUint16(at + 2, true);
    const end = Math.min(extra.byteLength, at + 4 + bytes);
    if (extra.getUint16(at, true) === ZIP64) {
      for (let k = at + 4; k + 8 <= end; k += 8) large.push(Number(extra.getBigUint64(k, true)));
    }
    at += 4 + bytes;
  }
  const wide = (offset: number): number => {
    const value = record.getUint32(offset, true);
    return value === IN_EXTRA ? (large.shift() ?? value) : value;
  };
  const size = wide(24);
  const packed = wide(20);
  return {method: record.getUint16(10, true), size, packed, at: wide(42)};
}

async function recordAt(file: OpenFile, at: number, {signature, bytes}: typeof LOCAL): Promise<DataView> {
  const record = new Uint8Array(bytes);
  if (at + bytes <= file.size) await readBytes(file, record, at);
  const view = new DataView(record.buffer);
  if (view.getUint32(0, true) === signature) return view;
  throw new DatasetFormatError(file.path, 'is damaged; expected a whole archive');
}
