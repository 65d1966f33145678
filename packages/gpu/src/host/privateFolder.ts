import {constants} from 'node:fs';
import {chmod, lstat, mkdir, open, rename, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/**
 * Makes a folder private: it belongs to this user and is closed to all others. Creates it if it is missing.
 *
 * @throws Error  if the path is not a folder, is a symbolic link, belongs to another user, or cannot be created
 */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, {recursive: true, mode: 0o700});
  const {uid, mode, ...stats} = await statOf(folder);
  if (!stats.isFolder) throw new Error(`${folder} is not a folder`);
  if (uid !== process.getuid?.()) throw new Error(`${folder} belongs to user ${uid}`);
  if ((mode & 0o777) !== 0o700) await chmod(folder, 0o700);
}

/**
 * Makes a file of a private folder have the given content. Writes only if the file is missing or differs, under a
 * temporary name first, so that a process that has the file open keeps the old one.
 */
export async function ensureFile(folder: string, name: string, content: Uint8Array): Promise<void> {
  const path = join(folder, name);
  if (await holds(path, content)) return;
  const staging = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await writeFile(staging, content, {mode: 0o600, flag: 'wx'});
    await rename(staging, path);
  } finally {
    await rm(staging, {force: true});
  }
}

interface FolderFacts {
  readonly isFolder: boolean;
  readonly uid: number;
  readonly mode: number;
}

/** Facts of the path itself: it does not follow a symbolic link. */
async function statOf(path: string): Promise<FolderFacts> {
  const stats = await lstat(path);
  return {isFolder: stats.isDirectory(), uid: stats.uid, mode: stats.mode};
}

/** Whether the path is a regular file, not a symbolic link, with exactly this content. */
async function holds(path: string, content: Uint8Array): Promise<boolean> {
  try {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size !== content.length) return false;
      return (await file.readFile()).equals(content);
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
