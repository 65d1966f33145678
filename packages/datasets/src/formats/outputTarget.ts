import {constants, fstatSync, type BigIntStats, type Stats} from 'node:fs';
import {access, readdir, readlink, realpath, stat} from 'node:fs/promises';
import {basename, dirname, isAbsolute, join, resolve} from 'node:path';
import {kindOf} from './openPath.ts';

/** Symbolic links that one path may go through; Linux allows as many. */
const LINKS_MAX = 40;

/** Where Linux and macOS show the open files of a process: `/dev/stdout` leads there. */
const DESCRIPTOR = /^\/(?:proc\/(\d+)|dev)\/fd\/(\d+)$/;

export interface OutputTarget {
  /** Behind symbolic links. */
  readonly path: string;
  /** The old file there, if any. */
  readonly existing: Stats | undefined;
  /** What is written to and not replaced: a named pipe, or an open file of this process by its number. */
  readonly stream: 'pipe' | number | undefined;
}

/** Finds what to write for a path. */
export async function findTarget(path: string): Promise<OutputTarget> {
  if (/[\\/]$/.test(path)) throw new Error('it names a folder; expected the name of a file');
  const target = await followLinks(path);
  const descriptor = descriptorOf(target);
  if (descriptor !== undefined) return {path: target, existing: fstatSync(descriptor), stream: descriptor};
  const existing = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (existing === undefined) return {path: target, existing, stream: undefined};
  const isPipe = existing.isFIFO();
  if (!existing.isFile() && !isPipe) throw new Error(`it is ${kindOf(existing)}; expected a regular file`);
  // Renaming would replace a read-only file as well.
  await access(target, constants.W_OK);
  return {path: target, existing, stream: isPipe ? 'pipe' : undefined};
}

/**
 * What all names of one file have in common, hard links too: its device and inode; the path behind symbolic links where
 * there is no file yet.
 */
export async function identify(path: string): Promise<string> {
  const status = await stat(path, {bigint: true}).catch(() => undefined);
  if (status !== undefined) return identityOf(status);
  return followLinks(path).catch(() => resolve(path));
}

/**
 * Finds an input that a write to an output would change: the same file, also by another name, or a file in a folder
 * that is replaced.
 *
 * @param inputs  paths of files; those that do not exist are no inputs
 * @returns       undefined if there is none
 */
export async function findInput(output: string, inputs: readonly string[]): Promise<string | undefined> {
  const status = await stat(output, {bigint: true}).catch(() => undefined);
  if (status === undefined) return undefined;
  const written = new Set([identityOf(status)]);
  const isFolder = status.isDirectory();
  if (isFolder) for (const name of await readdir(output)) written.add(await identify(join(output, name)));
  for (const input of inputs) {
    let path = await realpath(input).catch(() => undefined);
    while (path !== undefined) {
      if (written.has(await identify(path))) return input;
      const parent = dirname(path);
      path = isFolder && parent !== path ? parent : undefined;
    }
  }
  return undefined;
}

function identityOf({dev, ino}: BigIntStats): string {
  return `${dev}:${ino}`;
}

/** The number of an open file of this process. */
function descriptorOf(path: string): number | undefined {
  const [, owner, number] = DESCRIPTOR.exec(path) ?? [];
  if (number === undefined || (owner !== undefined && owner !== String(process.pid))) return undefined;
  return Number(number);
}

/** The path behind symbolic links. Unlike `realpath`, takes a last link whose target does not exist. */
async function followLinks(path: string): Promise<string> {
  let target = path;
  for (let count = 0; count < LINKS_MAX; count++) {
    const folder = await realpath(dirname(target));
    target = join(folder, basename(target));
    // Its link names the file or the pipe behind, which may be gone.
    if (descriptorOf(target) !== undefined) return target;
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
