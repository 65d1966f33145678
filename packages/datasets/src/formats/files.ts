import {randomBytes} from 'node:crypto';
import {constants, type Stats} from 'node:fs';
import {open, realpath, rename, rm, stat, type FileHandle} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {DatasetFormatError, DatasetWriteError, systemReason} from './errors.ts';

/** Bytes asked of one read: the system refuses 2 GiB and more. */
const READ_BYTES_MAX = 2 ** 30;

/** A file open for reading, under the name that error messages use. */
export interface OpenFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file for reading, passes it to `read`, and closes it. Never waits for a pipe and never opens a device.
 *
 * @throws DatasetFormatError  if the file is missing, unreadable, not a regular file, or empty
 */
export async function withOpenFile<Result>(path: string, read: (file: OpenFile) => Promise<Result>): Promise<Result> {
  let handle: FileHandle;
  try {
    // Opening a device can act on it (rewind a tape), so its kind is checked first. Without O_NONBLOCK, opening a pipe
    // that took the file's place in between would wait for a writer.
    requireRegular(path, await stat(path));
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (error instanceof DatasetFormatError) throw error;
    throw new DatasetFormatError(path, `cannot be read (${systemReason(error)}); expected a data file`, {cause: error});
  }
  try {
    const status = await handle.stat();
    requireRegular(path, status);
    if (status.size === 0) throw new DatasetFormatError(path, 'is empty; expected points');
    return await read({path, handle, size: status.size});
  } finally {
    await handle.close();
  }
}

function requireRegular(path: string, status: Stats): void {
  if (status.isFile()) return;
  if (status.isDirectory()) throw new DatasetFormatError(path, 'is a folder; expected a data file');
  const kind = status.isFIFO() ? 'a named pipe' : status.isSocket() ? 'a socket' : 'a device';
  throw new DatasetFormatError(path, `is ${kind}; expected a regular file, or - to read CSV from standard input`);
}

/**
 * Fills `bytes` from a place in the file.
 *
 * @throws DatasetFormatError  if the file ends before
 */
export async function readBytes(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const length = Math.min(READ_BYTES_MAX, bytes.length - done);
    const {bytesRead} = await file.handle.read(bytes, done, length, position + done);
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
 * Writes a file so that its path always holds either what it held before or the whole new content: `write` fills a
 * temporary file beside it, which takes the name when it is complete. A symbolic link keeps pointing where it did.
 *
 * @param write  gets the temporary path; creates or overwrites that file
 * @param signal  looked at before the temporary file takes the name; `write` itself may end earlier
 * @throws DatasetWriteError    if the folder is missing, the disk full, the path no regular file …
 * @throws the signal's reason  if `signal` fires; the temporary file is gone then
 */
export async function writeFileAtomically(
  path: string,
  write: (temporaryPath: string) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  // Hidden, and without the extension: nobody who lists the folder takes it for data.
  const temporaryPath = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const existing = await stat(target).catch(() => undefined);
    if (existing !== undefined && !existing.isFile()) throw new Error('it is no regular file');
    signal?.throwIfAborted();
    await write(temporaryPath);
    signal?.throwIfAborted();
    await rename(temporaryPath, target);
  } catch (error) {
    await rm(temporaryPath, {force: true}).catch(() => undefined);
    signal?.throwIfAborted();
    // A mistake of the caller keeps its own error.
    if (error instanceof Error && 'code' in error && error.code === 'INVALID_PARAMETER') throw error;
    throw new DatasetWriteError(path, error);
  }
}

/** Atomic writing through a handle, for formats that are written front to back. */
export async function writeAtomically(
  path: string,
  write: (handle: FileHandle) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await writeFileAtomically(
    path,
    async (temporaryPath) => {
      const handle = await open(temporaryPath, 'wx');
      try {
        await write(handle);
        // On disk before it takes the name: a crash in between must not leave an empty file there.
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    signal,
  );
}

/** The bytes of a typed array, not copied. */
export function bytesOf(array: ArrayBufferView): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Writes all of `bytes` at the handle's position. */
export async function writeBytes(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const {bytesWritten} = await handle.write(bytes, done, Math.min(READ_BYTES_MAX, bytes.length - done));
    done += bytesWritten;
  }
}
