import {randomUUID} from 'node:crypto';
import {lstat, mkdir, readdir, rename, rm, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';
import {makeFolder} from '@epsball/clustering/node';
import {DatasetWriteError, findInput, parquetColumns} from '@epsball/datasets';
import type {InputFile} from './run.ts';

const PART = /^part-\d{5,}\.parquet$/;
/** Where parts are written. Hidden, so that no pattern of readers finds it. */
const STAGING = /^\.[0-9a-f-]+\.partial$/;

export function partName(part: number): string {
  return `part-${String(part).padStart(5, '0')}.parquet`;
}

/**
 * Checks that a folder of labels may be written or replaced: it is missing or empty, or has parts alone.
 *
 * @returns the names of its parts
 */
export async function checkLabelFolder(out: string, inputs: readonly InputFile[]): Promise<string[]> {
  const status = await stat(out).catch(() => undefined);
  if (status === undefined) {
    if (await lstat(out).catch(() => undefined)) throw new InvalidParameterError('out', out, 'no link to nothing');
    return [];
  }
  if (!status.isDirectory()) throw new InvalidParameterError('out', out, 'a folder');
  const entries = await readdir(out, {withFileTypes: true});
  const parts = entries.filter((entry) => entry.isFile() && PART.test(entry.name)).map(({name}) => name);
  const own = entries.find(({name}) => !parts.includes(name) && !STAGING.test(name));
  const labelsAlone = 'an empty folder, or the labels of an earlier run alone';
  if (own !== undefined) throw new InvalidParameterError('out', out, `${labelsAlone}; it has ${own.name}`);
  const input = await inputBehind(out, inputs);
  if (input !== undefined) throw new InvalidParameterError('out', out, `a folder without the input ${input}`);
  const foreign = await findForeign(parts.map((name) => join(out, name)));
  if (foreign !== undefined) {
    throw new InvalidParameterError('out', out, `${labelsAlone}; ${basename(foreign)} has other columns`);
  }
  return parts;
}

/**
 * Replaces the parts of a folder as a whole: until `write` has written all new ones, the folder keeps the old ones. A
 * process that is killed during the change leaves some of the old ones or some of the new ones, never both.
 *
 * @param write  fills a folder with parts
 */
export async function replaceParts(
  out: string,
  inputs: readonly InputFile[],
  write: (folder: string) => Promise<void>,
): Promise<void> {
  await checkLabelFolder(out, inputs);
  await makeFolder(out).catch((error: unknown) => Promise.reject(new DatasetWriteError(out, error)));
  for (const name of await readdir(out)) if (STAGING.test(name)) await rm(join(out, name), {recursive: true});
  // In the folder itself, which may be a link or a mount point: those cannot be renamed.
  const staging = join(out, `.${randomUUID()}.partial`);
  await mkdir(staging).catch((error: unknown) => Promise.reject(new DatasetWriteError(out, error)));
  try {
    await write(staging);
    // Listed again: another process may have finished meanwhile.
    for (const name of await checkLabelFolder(out, inputs)) await rm(join(out, name));
    for (const name of await readdir(staging)) await rename(join(staging, name), join(out, name));
  } finally {
    await rm(staging, {recursive: true, force: true});
  }
}

/** Columns of the parts that `writeRunLabels` writes. */
const COLUMNS = new Set(['label', 'core', 'row']);

/** Parts that are looked at together: each needs a thread. */
const PARTS_AT_ONCE = 8;

/** The first of some files that holds no labels of a run: another file of the user with the name of a part. */
async function findForeign(paths: readonly string[]): Promise<string | undefined> {
  for (let start = 0; start < paths.length; start += PARTS_AT_ONCE) {
    const some = paths.slice(start, start + PARTS_AT_ONCE);
    // A part that is damaged may be anything.
    const columns = await Promise.all(some.map((path) => parquetColumns(path).catch((): string[] => [])));
    const foreign = columns.findIndex((names) => !names.includes('label') || !names.every((name) => COLUMNS.has(name)));
    if (foreign >= 0) return some[foreign];
  }
  return undefined;
}

/** The input that a write to `out` would change, if any. */
export function inputBehind(out: string, inputs: readonly InputFile[]): Promise<string | undefined> {
  return findInput(
    out,
    inputs.map(({path}) => path).filter((path) => !path.startsWith('s3://')),
  );
}
