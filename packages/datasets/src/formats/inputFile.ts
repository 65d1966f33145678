import {constants, type Stats} from 'node:fs';
import {open, stat, type FileHandle} from 'node:fs/promises';
import {DatasetFormatError, systemReason} from './errors.ts';
import {kindOf} from './fileKind.ts';

/** Bytes of one read. The system refuses 2 GiB and more. */
const READ_BYTES_MAX = 2 ** 30;

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
  let handle: FileHandle;
  try {
    // Opening a device can act on it (rewind a tape), so its kind is checked first. Without O_NONBLOCK, opening a pipe
    // that took the file's place in between would wait for a writer.
    requireRegular(path, await stat(path), expected);
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    const message = `cannot be read (${systemReason(error)}); expected ${expected ?? 'a data file'}`;
    throw new DatasetFormatError(path, message, {cause: error});
  }
  try {
    const status = await handle.stat();
    requireRegular(path, status, expected);
    if (status.size === 0) throw new DatasetFormatError(path, `is empty; expected ${expected ?? 'points'}`);
    return await read({path, handle, size: status.size});
  } finally {
    await handle.close();
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
