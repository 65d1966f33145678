import {randomBytes} from 'node:crypto';
import {closeSync, openSync, rmSync, type Stats} from 'node:fs';
import {chmod, chown, open, rename, rm, stat, type FileHandle} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {DatasetWriteError} from './errors.ts';
import {bytesOf} from './numbers.ts';
import {copyToStream} from './outputStream.ts';
import {findTarget, type OutputTarget} from './outputTarget.ts';

/** Bytes of one write. The system refuses 2 GiB and more. */
const WRITE_BYTES_MAX = 2 ** 30;

/** Bytes that may wait for the disk: a file of gigabytes would wait long in one step, at its end. */
const UNSYNCED_BYTES_MAX = 2 ** 26;

/**
 * Checks, before the work that leads to it, that a file can be written: its folder takes new files, and an old file at
 * the path is a regular file or a named pipe that may be written. Creates an empty temporary file and removes it.
 *
 * @throws DatasetWriteError  with the reason that `writeFileAtomically` would give
 */
export async function checkWritable(path: string): Promise<void> {
  try {
    const temporaryPath = temporaryPathOf(await findTarget(path));
    // In one go: a signal that ends the process between two turns of the event loop would leave the file behind.
    try {
      closeSync(openSync(temporaryPath, 'wx'));
    } finally {
      rmSync(temporaryPath, {force: true});
    }
  } catch (error) {
    throw new DatasetWriteError(path, error);
  }
}

/**
 * Writes a file so that its path always holds either the old content or the whole new content: `write` fills a
 * temporary file in the same folder, which then replaces the old one. An old file's mode is kept. A symbolic link
 * stays, and its target is written, also where the target does not exist yet.
 *
 * A named pipe, `/dev/stdout` and other open files of the process are not replaced: they receive the whole new content,
 * which is then in the system's temporary folder. A pipe waits for a reader.
 *
 * @param write   receives the path of the temporary file, which exists and is empty
 * @param signal  checked before the temporary file replaces the old one; `write` may end earlier
 * @throws DatasetWriteError    if the folder is missing, the disk full, the old file read-only, a folder or a device …
 * @throws the signal's reason  if `signal` fires; the temporary file is removed
 */
export async function writeFileAtomically(
  path: string,
  write: (temporaryPath: string) => Promise<void> | void,
  signal?: AbortSignal,
): Promise<void> {
  let temporaryPath: string | undefined;
  try {
    signal?.throwIfAborted();
    const target = await findTarget(path);
    temporaryPath = temporaryPathOf(target);
    // Until it has the old file's mode, only the user may read it.
    await (await open(temporaryPath, 'wx', target.existing === undefined ? 0o666 : 0o600)).close();
    await write(temporaryPath);
    signal?.throwIfAborted();
    if (target.stream === undefined) {
      await finish(temporaryPath, target.existing);
      await rename(temporaryPath, target.path);
    } else {
      await copyToStream(temporaryPath, target.path, target.stream, signal);
      await rm(temporaryPath);
    }
  } catch (error) {
    if (temporaryPath !== undefined) await rm(temporaryPath, {force: true}).catch(() => undefined);
    signal?.throwIfAborted();
    // An error about an argument of the caller stays as it is.
    if (error instanceof Error && 'code' in error && error.code === 'INVALID_PARAMETER') throw error;
    throw new DatasetWriteError(path, error);
  }
}

/** Writes a content that is complete, as `writeFileAtomically` does. */
export function writeContent(path: string, content: string | Uint8Array, signal?: AbortSignal): Promise<void> {
  return writeBlocks(path, [content], signal);
}

/** A part of a file: text as UTF-8, or the bytes of an array. */
export type Block = string | ArrayBufferView;

/** Writes a file block by block, as `writeFileAtomically` does. Checks the signal before each block. */
export function writeBlocks(
  path: string,
  blocks: Iterable<Block> | AsyncIterable<Block>,
  signal?: AbortSignal,
): Promise<void> {
  const write = async (temporaryPath: string): Promise<void> => {
    const handle = await open(temporaryPath, 'w');
    const sync = syncInPieces(handle);
    try {
      for await (const block of blocks) {
        signal?.throwIfAborted();
        const bytes = typeof block === 'string' ? Buffer.from(block) : bytesOf(block);
        for (let done = 0; done < bytes.length;) {
          const length = Math.min(WRITE_BYTES_MAX, bytes.length - done);
          done += (await handle.write(bytes, done, length)).bytesWritten;
        }
        await sync(bytes.length);
      }
    } finally {
      await handle.close();
    }
  };
  return writeFileAtomically(path, write, signal);
}

/** Waits for the disk when many bytes wait for it. The result takes the bytes of each write. */
export function syncInPieces(handle: FileHandle): (bytes: number) => Promise<void> {
  let unsynced = 0;
  return async (bytes) => {
    unsynced += bytes;
    if (unsynced < UNSYNCED_BYTES_MAX) return;
    await handle.datasync();
    unsynced = 0;
  };
}

/** Hidden, and without an extension of data. A name may have 255 bytes. */
function temporaryPathOf({path, stream}: OutputTarget): string {
  const folder = stream === undefined ? dirname(path) : tmpdir();
  return join(folder, `.${basename(path).slice(0, 50)}.${randomBytes(6).toString('hex')}.tmp`);
}

/** Gives the temporary file the old file's owner and mode, and waits until its content is on disk. */
async function finish(temporaryPath: string, existing: Stats | undefined): Promise<void> {
  const handle = await open(temporaryPath, 'r+');
  try {
    // Before it takes the name: a crash in between must not leave an empty file there.
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (existing === undefined) return;
  const {uid, gid} = await stat(temporaryPath);
  if (uid !== existing.uid || gid !== existing.gid) {
    // Only the superuser may give a file away.
    await chown(temporaryPath, existing.uid, existing.gid).catch(() => undefined);
  }
  await chmod(temporaryPath, existing.mode & 0o777);
}
