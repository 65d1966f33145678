import {openPath} from '#host';
import {ProgressMeter, type ProgressListener} from '@epsball/clustering';
import {because, DatasetFormatError} from './errors.ts';

/** Bytes of one read. The system refuses 2 GiB and more. */
const READ_BYTES_MAX = 2 ** 30;
const BLOCK_BYTES = 2 ** 20;

/** Bytes that can be read at any place: a file on a disk, a blob, an object of a store. */
export interface OpenFile {
  /** Names the file in errors. Its extension is the format. */
  readonly path: string;
  readonly size: number;
  /** Fills the begin of `bytes` from a place on; returns the number of bytes that it read, 0 at the end of the file. */
  readInto(bytes: Uint8Array, position: number): Promise<number>;
}

/** The path of a file, a blob with a name (the `File` of a page), or an open file. */
export type Input = string | Blob | OpenFile;

/** The name of an input in errors. */
export function nameOf(input: Input): string {
  if (typeof input === 'string') return input;
  return 'path' in input ? input.path : 'name' in input ? String(input.name) : 'a blob';
}

/** Opens an input as `withOpenFile` does. The caller closes it. */
export async function openFile(
  input: Input,
  expected?: string,
): Promise<OpenFile & {readonly close?: () => Promise<void>}> {
  if (typeof input === 'string') return openPath(input, expected);
  if ('path' in input) return input;
  const path = nameOf(input);
  if (input.size === 0) throw new DatasetFormatError(path, `is empty; expected ${expected ?? 'points'}`);
  return {
    path,
    size: input.size,
    readInto: async (bytes, position) => {
      const part = new Uint8Array(await input.slice(position, position + bytes.length).arrayBuffer());
      bytes.set(part);
      return part.length;
    },
  };
}

/**
 * Opens a file for reading, passes it to `read`, and closes it. A path must lead to a regular file: it never waits for
 * a pipe and never opens a device.
 *
 * @param expected  what the messages of errors expect. Default: a data file, or `-` for standard input
 * @throws DatasetFormatError  if the file is missing, unreadable, not a regular file, or empty
 */
export async function withOpenFile<Result>(
  input: Input,
  read: (file: OpenFile) => Promise<Result>,
  expected?: string,
): Promise<Result> {
  const file = await openFile(input, expected);
  try {
    return await read(file);
  } finally {
    await file.close?.();
  }
}

/** Reports the bytes of a file that have been used when the next ones are read. */
export function reporting(file: OpenFile, onProgress: ProgressListener<'read'>): OpenFile {
  const meter = new ProgressMeter(file.size, onProgress);
  let done = 0;
  const readInto: OpenFile['readInto'] = async (bytes, position) => {
    // Heads are read first, and tell no rate.
    if (done > file.size / 100) meter.report('read', done);
    const count = await file.readInto(bytes, position);
    done += count;
    return count;
  };
  return {path: file.path, size: file.size, readInto};
}

/**
 * Fills `bytes` from a place in the file.
 *
 * @throws DatasetFormatError  if the file ends earlier or cannot be read
 */
export async function readBytes(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const part = bytes.subarray(done, done + READ_BYTES_MAX);
    const bytesRead = await file.readInto(part, position + done).catch((cause: unknown) => {
      throw new DatasetFormatError(file.path, `cannot be read${because(cause)}`, {cause});
    });
    if (bytesRead === 0) {
      const expected = `${position + bytes.length} bytes`;
      throw new DatasetFormatError(file.path, `is truncated: ends at byte ${position + done}; expected ${expected}`);
    }
    done += bytesRead;
  }
}

/** The bytes of a file in blocks, front to back. Streams of Node close a handle of their own in Yarn's PnP. */
export async function* fileBlocks(file: OpenFile): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.size; at += BLOCK_BYTES) {
    const block = new Uint8Array(Math.min(BLOCK_BYTES, file.size - at));
    await readBytes(file, block, at);
    yield block;
  }
}

/**
 * Reads a whole file.
 *
 * @param bytesMax  most bytes that the file may have
 * @throws DatasetFormatError  if it has more, ends earlier or cannot be read
 */
export async function readWholeFile(file: OpenFile, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  if (file.size > bytesMax) {
    throw new DatasetFormatError(file.path, `has ${file.size} bytes; expected at most ${bytesMax}`);
  }
  const bytes = new Uint8Array(file.size);
  await readBytes(file, bytes, 0);
  return bytes;
}
