import {randomBytes} from 'node:crypto';
import {closeSync, constants, openSync, rmSync, type Stats} from 'node:fs';
import {access, chmod, chown, open, readlink, realpath, rename, rm, stat, type FileHandle} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join} from 'node:path';
import {DatasetWriteError} from './errors.ts';
import {kindOf} from './fileKind.ts';

/** Bytes of one write. The system refuses 2 GiB and more. */
const WRITE_BYTES_MAX = 2 ** 30;
/** Symbolic links that one path may go through; Linux allows as many. */
const LINKS_MAX = 40;

/**
 * Checks, before the work that leads to it, that a file can be written: its folder takes new files, and an old file at
 * the path is a regular file that may be overwritten. Creates an empty temporary file in the folder and removes it.
 *
 * @throws DatasetWriteError  with the reason that `writeFileAtomically` would give
 */
export async function checkWritable(path: string): Promise<void> {
  try {
    const {target} = await findTarget(path);
    const temporaryPath = temporaryPathOf(target);
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
 * @param write   receives the path of the temporary file, which exists and is empty
 * @param signal  checked before the temporary file replaces the old one; `write` may end earlier
 * @throws DatasetWriteError    if the folder is missing, the disk full, the old file read-only or not a regular file …
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
    const {target, existing} = await findTarget(path);
    temporaryPath = temporaryPathOf(target);
    // Until it has the old file's mode, only the user may read it.
    await (await open(temporaryPath, 'wx', existing === undefined ? 0o666 : 0o600)).close();
    await write(temporaryPath);
    signal?.throwIfAborted();
    await finish(temporaryPath, existing);
    await rename(temporaryPath, target);
  } catch (error) {
    if (temporaryPath !== undefined) await rm(temporaryPath, {force: true}).catch(() => undefined);
    signal?.throwIfAborted();
    // An error about an argument of the caller stays as it is.
    if (error instanceof Error && 'code' in error && error.code === 'INVALID_PARAMETER') throw error;
    throw new DatasetWriteError(path, error);
  }
}

/** Writes atomically through a handle, for formats that are written front to back. */
export async function writeAtomically(
  path: string,
  write: (handle: FileHandle) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  await writeFileAtomically(
    path,
    async (temporaryPath) => {
      const handle = await open(temporaryPath, 'w');
      try {
        await write(handle);
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
    const {bytesWritten} = await handle.write(bytes, done, Math.min(WRITE_BYTES_MAX, bytes.length - done));
    done += bytesWritten;
  }
}

/** The file to write: what symbolic links lead to, and the status of the old file there, if any. */
async function findTarget(path: string): Promise<{target: string; existing: Stats | undefined}> {
  const target = await followLinks(path);
  const existing = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (existing === undefined) return {target, existing};
  if (!existing.isFile()) throw new Error(`it is ${kindOf(existing)}; expected a regular file`);
  // Renaming would replace a read-only file as well.
  await access(target, constants.W_OK);
  return {target, existing};
}

/** The path behind symbolic links. Unlike `realpath`, takes a last link whose target does not exist. */
async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let count = 0; count < LINKS_MAX; count++) {
    const folder = await realpath(dirname(target));
    target = join(folder, basename(target));
    const link = await readlink(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EINVAL' && error.code !== 'ENOENT' && error.code !== 'UNKNOWN') throw error;
      return undefined;
    });
    if (link === undefined) return target;
    // Not `join`, which takes `..` out of the text: after a linked folder it means that folder's parent.
    target = isAbsolute(link) ? link : `${folder}/${link}`;
  }
  throw new Error('ELOOP: too many symbolic links');
}

/** Hidden, and without an extension of data. A name may have 255 bytes. */
function temporaryPathOf(target: string): string {
  return join(dirname(target), `.${basename(target).slice(0, 50)}.${randomBytes(6).toString('hex')}.tmp`);
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
