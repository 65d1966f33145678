import {createHash, randomUUID} from 'node:crypto';
import {constants} from 'node:fs';
import {lstat, open, readdir, rename, rm, type FileHandle} from 'node:fs/promises';
import {extname, join} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';
import {privateFolder} from '@epsball/clustering/node';
import type {InputFile} from '../run.ts';
import type {S3Store} from '../store/s3Store.ts';

/** Bytes of one request of a copy. */
const PIECE_BYTES = 2 ** 26;

/** Loaded on demand, as the client of S3 is large. */
export async function openBucket(url: string): Promise<{store: S3Store; key: string}> {
  const {parseS3Url, S3Store} = await import('../store/s3Store.ts');
  const {bucket, key} = parseS3Url(url);
  return {store: new S3Store(`s3://${bucket}`), key};
}

/**
 * Bytes of an object, and SHA-256 of its size, its ends and its entity tag, which changes with all of its content.
 *
 * @param edgeBytes  of each end
 * @throws InvalidParameterError  if there is no such object
 */
export async function hashObject(url: string, edgeBytes: number): Promise<Pick<InputFile, 'bytes' | 'hash'>> {
  const {store, key} = await openBucket(url);
  const version = await store.version(key);
  if (version === undefined) throw new InvalidParameterError('input', url, 'an object that exists');
  const {bytes, tag} = version;
  const hash = createHash('sha256').update(String(bytes));
  hash.update(await store.readRange(key, 0, Math.min(edgeBytes, bytes)));
  hash.update(await store.readRange(key, Math.max(0, bytes - edgeBytes), bytes));
  return {bytes, hash: hash.update(tag).digest('hex')};
}

/**
 * Path of a copy of an object in a private folder of the system's temporary one. Copies the object if there is none.
 * Its name contains the SHA-256 of all of its content, which a process verifies once.
 *
 * @param checkUnchanged  called after the copy, before it is used
 * @complexity reads the copy once a process: some 2 s for 1 GB
 */
export async function copyOfObject(file: InputFile, checkUnchanged: () => Promise<void>): Promise<string> {
  const folder = await privateFolder('inputs', {place: 'temporary'});
  // Not the hash itself: a run's file may hold any text, and this becomes part of a path.
  const key = createHash('sha256')
    .update(JSON.stringify([file.path, file.hash]))
    .digest('hex');
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(`${key}-`) || name.endsWith('.partial')) continue;
    if (await isIntact(path)) return path;
    await rm(path, {force: true});
  }
  const partial = join(folder, `${key}.${randomUUID()}.partial`);
  try {
    const contentHash = await download(file, partial);
    await checkUnchanged();
    const path = join(folder, `${key}-${contentHash}${extname(file.path)}`);
    await rename(partial, path);
    verified.set(path, await stateOf(path));
    return path;
  } finally {
    await rm(partial, {force: true});
  }
}

/** Copies whose content this process has verified, and their state at that time. A run reads a copy many times. */
const verified = new Map<string, string>();

/** Whether a copy is a regular file with the content that its name tells. */
async function isIntact(path: string): Promise<boolean> {
  const [, expected] = /-([0-9a-f]{64})\.[^.]*$/.exec(path) ?? [];
  try {
    const state = await stateOf(path);
    if (verified.get(path) === state) return true;
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    const handle = await open(path, flags);
    try {
      if (!(await handle.stat()).isFile() || (await hashOf(handle)) !== expected) return false;
    } finally {
      await handle.close();
    }
    verified.set(path, state);
    return true;
  } catch {
    // Another thread may have removed it.
    return false;
  }
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  const piece = new Uint8Array(2 ** 20);
  for (;;) {
    const {bytesRead} = await handle.read(piece, 0, piece.length);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(piece.subarray(0, bytesRead));
  }
}

/** What changes when a file is replaced or written. */
async function stateOf(path: string): Promise<string> {
  const {ino, size, mtimeNs, ctimeNs} = await lstat(path, {bigint: true});
  return [ino, size, mtimeNs, ctimeNs].join(' ');
}

/** Writes the object to a new file. Returns the SHA-256 of the content. */
async function download({path, bytes}: InputFile, target: string): Promise<string> {
  const {store, key} = await openBucket(path);
  const hash = createHash('sha256');
  const handle = await open(target, 'wx', 0o600);
  try {
    for (let start = 0; start < bytes; start += PIECE_BYTES) {
      const piece = await store.readRange(key, start, Math.min(bytes, start + PIECE_BYTES));
      hash.update(piece);
      await handle.appendFile(piece);
    }
    // A crash must not leave a copy under its final name that is not complete.
    await handle.sync();
  } finally {
    await handle.close();
  }
  return hash.digest('hex');
}
