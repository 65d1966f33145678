import {constants, type Stats} from 'node:fs';
import {open, stat, type FileHandle} from 'node:fs/promises';
import {DatasetFormatError, systemReason} from './errors.ts';
import {kindOf} from './fileKind.ts';

/** Bytes of one read. The system refuses 2 GiB and more. */
const READ_BYTES_MAX = 2 ** 30;
/** Bytes of one block of `fileBlocks`. */
const BLOCK_BYTES = 2 ** 20;

/** A file open for reading, under the name that error messages use. */
export interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file for reading, passes it to `read`, and closes it. Never waits for a pipe and never opens a
 * device.
 *
 * @param expected  what the messages of errors expect. Default: a data file, or `-` for standard input
 * @throws DatasetFormatError  if the file is missing, unreadable, not a regular file, or empty
 */
export async function withOpenFile<Result>(
  path: string,
  read: (file: OpenFile) => Promise<Result>,
  expected?: string,
): Promise<Result> {
  const file = await openFile(path, expected);
  try {
    return await read(file);
  } finally {
    await file.handle.close();
  }
}

/** Opens a file as `withOpenFile` does. The caller closes its handle. */
export async function openFile(path: string, expected?: string): Promise<OpenFile> {
  let handle: FileHandle | undefined;
  try {
    // Opening a device can act on it (rewind a tape), so its kind is checked first. Without O_NONBLOCK, opening a pipe
    // that took the file's place in between would wait for a writer.
    requireRegular(path, await stat(path), expected);
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const status = await handle.stat();
    requireRegular(path, status, expected);
    if (status.size === 0) throw new DatasetFormatError(path, `is empty; expected ${expected ?? 'points'}`);
    return {path, handle, size: status.size};
  } catch (error) {
    await handle?.close();
    if (error instanceof DatasetFormatError) throw error;
    const message = `cannot be read (${systemReason(error)}); expected ${expected ?? 'a data file'}`;
    throw new DatasetFormatError(path, message, {cause: error});
  }
}

function requireRegular(path: string, status: Stats, expected: string | undefined): void {
  if (status.isFile()) return;
  const other = status.isDirectory() ? 'a data file' : 'a regular file, or - to read CSV from standard input';
  throw new DatasetFormatError(path, `is ${kindOf(status)}; expected ${expected ?? other}`);
}

/**
 * Fills `bytes` from a place in the file.
 *
 * @throws DatasetFormatError  if the file ends earlier or cannot be read
 */
export async function readBytes(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const length = Math.min(READ_BYTES_MAX, bytes.length - done);
    const {bytesRead} = await file.handle.read(bytes, done, length, position + done).catch((cause: unknown) => {
      throw new DatasetFormatError(file.path, `cannot be read (${systemReason(cause)})`, {cause});
    });
    if (bytesRead === 0) {
      throw new DatasetFormatError(
        file.path,
        `is truncated: ends at byte ${position + done}; expected ${position + bytes.length} bytes`,
      );
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
