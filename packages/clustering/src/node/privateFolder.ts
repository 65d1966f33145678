import {constants, rmSync} from 'node:fs';
import {chmod, lstat, mkdtemp, open, readdir, rename, rm, writeFile} from 'node:fs/promises';
import {homedir, tmpdir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {InvalidParameterError} from '../errors.ts';
import {makeFolder} from './makeFolder.ts';

/** Mode bits that let other users write. */
const OTHER_WRITERS = 0o022;

/**
 * Finds or creates a folder that only this user can read and write: in `$XDG_CACHE_HOME/epsball` or
 * `~/.cache/epsball`, else in `epsball-<uid>` of the system's temporary folder, else in a new folder there, which is
 * removed at the end of the process. Concurrent calls and processes are safe.
 *
 * Files of other users cannot be in it. The caller still verifies content that a crash or a full disk may have damaged.
 *
 * @param name  of the folder: letters, digits, `-`, `_` and `.`
 * @param fill  fills the folder. If it fails, the next place is tried
 * @throws InvalidParameterError  if the name has other characters
 * @throws Error                  if no folder can be used; gives the reason for each
 */
export async function privateFolder(name: string, fill?: (folder: string) => Promise<void>): Promise<string> {
  if (!/^[\w-][\w.-]*$/.test(name)) throw new InvalidParameterError('name', name, 'letters, digits, "-", "_" and "."');
  const failures: string[] = [];
  for (const root of [userCache, temporaryCache, freshCache]) {
    try {
      const cache = await root();
      const folder = join(cache, name);
      await ensurePrivateFolder(cache);
      await ensurePrivateFolder(folder);
      await fill?.(folder);
      return folder;
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  throw new Error(`no private folder for ${name} (${failures.join('; ')})`);
}

/**
 * Makes a folder private: it belongs to this user and is closed to all others. Creates it if it is missing, and empties
 * it if other users could write to it. On Windows, where the user's own folders are closed to others, it only creates.
 *
 * @throws Error  if the path is not a folder, is a symbolic link, belongs to another user, or cannot be created
 */
export async function ensurePrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  // Of the path itself: a symbolic link is not followed.
  const status = await lstat(folder);
  if (!status.isDirectory()) throw new Error(`${folder} is not a folder`);
  const own = process.getuid?.();
  if (own === undefined) return;
  if (status.uid !== own) throw new Error(`${folder} belongs to user ${status.uid}`);
  if ((status.mode & 0o777) !== 0o700) await chmod(folder, 0o700);
  if ((status.mode & OTHER_WRITERS) === 0) return;
  for (const name of await readdir(folder)) await rm(join(folder, name), {recursive: true, force: true});
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

function userCache(): string {
  const {XDG_CACHE_HOME = ''} = process.env;
  // Its specification says to ignore a relative path.
  return join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'epsball');
}

/** For a home folder that is not writable, as in many containers. Another user may have created this folder first. */
function temporaryCache(): string {
  return join(tmpdir(), `epsball-${process.getuid?.() ?? 'user'}`);
}

/** One folder a process: a driver from it stays loaded as long as the process runs. */
let fresh: Promise<string> | undefined;

function freshCache(): Promise<string> {
  fresh ??= makeFreshCache().catch((error: unknown) => {
    fresh = undefined;
    throw error;
  });
  return fresh;
}

async function makeFreshCache(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'epsball-'));
  process.once('exit', () => rmSync(folder, {recursive: true, force: true}));
  return folder;
}
