import {constants} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import {join} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';

/** The cluster pictures of the suites are far smaller: twice 1040 pixels wide, in indexed colours. */
const BYTES_MAX = 2 ** 24;

const PNG_MAGIC = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** An SVG begins with its element, behind a declaration, comments and a document type at most. */
const SVG_START = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE svg[^>[]*>\s*)*<svg[\s>]/;

/** Refuses symbolic links, and opens a named pipe without waiting for a writer. Windows has neither flag. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Reads the picture that a result names, for an `<img>`. The result may come from an untrusted source, so the picture
 * must be a file beside the result and a picture by its content.
 *
 * @param folder  of the result file
 * @param name    a plain file name, as the schema of results takes it
 * @returns       a `data:` URL, or null where there is no such file
 * @throws InvalidParameterError  if it is not a regular file of at most 16 MiB, or neither PNG nor SVG by its first
 *                                bytes
 */
export async function readPicture(folder: string, name: string): Promise<string | null> {
  const path = join(folder, name);
  let file: FileHandle;
  try {
    file = await open(path, OPEN_FLAGS);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return null;
    if (code === 'ELOOP' || code === 'ENXIO') throw notRegular(path);
    throw error;
  }
  try {
    const stats = await file.stat();
    if (!stats.isFile() || stats.size > BYTES_MAX) throw notRegular(path);
    const bytes = Buffer.alloc(stats.size);
    const {bytesRead} = await file.read(bytes, 0, stats.size, 0);
    const picture = bytes.subarray(0, bytesRead);
    return `data:${mediaTypeOf(path, picture)};base64,${picture.toString('base64')}`;
  } finally {
    await file.close();
  }
}

function mediaTypeOf(path: string, picture: Buffer): string {
  if (picture.subarray(0, PNG_MAGIC.length).equals(PNG_MAGIC)) return 'image/png';
  // In an `<img>` an SVG runs no script and loads nothing.
  if (SVG_START.test(picture.toString('utf8', 0, 4096))) return 'image/svg+xml';
  throw new InvalidParameterError('picture', path, 'a PNG or SVG');
}

function notRegular(path: string): InvalidParameterError {
  return new InvalidParameterError('picture', path, 'a regular file of at most 16 MiB');
}
