import {constants, type Stats} from 'node:fs';
import {open, stat, type FileHandle} from 'node:fs/promises';
import {because, DatasetFormatError} from './errors.ts';

/** Opens a regular file, as `withOpenFile` says. */
export async function openPath(
  path: string,
  expected?: string,
): Promise<{
  path: string;
  size: number;
  readInto: (bytes: Uint8Array, position: number) => Promise<number>;
  close: () => Promise<void>;
}> {
  let handle: FileHandle | undefined;
  try {
    // Opening a device can act on it (rewind a tape), so its kind is checked first. Without O_NONBLOCK, opening a pipe
    // that took the file's place in between would wait for a writer.
    requireRegular(path, await stat(path), expected);
    const opened = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    handle = opened;
    const status = await opened.stat();
    requireRegular(path, status, expected);
    if (status.size === 0) throw new DatasetFormatError(path, `is empty; expected ${expected ?? 'points'}`);
    return {
      path,
      size: status.size,
      readInto: async (bytes, position) => (await opened.read(bytes, 0, bytes.length, position)).bytesRead,
      close: () => opened.close(),
    };
  } catch (error) {
    await handle?.close();
    if (error instanceof DatasetFormatError) throw error;
    const message = `cannot be read${because(error)}; expected ${expected ?? 'a data file'}`;
    throw new DatasetFormatError(path, message, {cause: error});
  }
}

function requireRegular(path: string, status: Stats, expected: string | undefined): void {
  if (status.isFile()) return;
  const other = status.isDirectory() ? 'a data file' : 'a regular file, or - to read CSV from standard input';
  throw new DatasetFormatError(path, `is ${kindOf(status)}; expected ${expected ?? other}`);
}

/** What a path leads to, in words. */
export function kindOf(status: Stats): string {
  if (status.isFile()) return 'a regular file';
  if (status.isDirectory()) return 'a folder';
  if (status.isFIFO()) return 'a named pipe';
  return status.isSocket() ? 'a socket' : 'a device';
}
