import {createHash} from 'node:crypto';
import {glob, stat} from 'node:fs/promises';
import {extname, resolve} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';
import {readBytes, withOpenFile, type Input, type OpenFile} from '@epsball/datasets';
import {checkText} from '../checks.ts';
import {ScaleOutError, type InputFile} from '../run.ts';
import {openBucket, openObject} from './s3Input.ts';

const KINDS: Readonly<Record<string, InputFile['kind']>> = {
  '.parquet': 'parquet',
  '.npy': 'npy',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
};

const EDGE_BYTES = 2 ** 16;

/** What the errors about a local file expect. A run reads its input several times. */
const EXPECTED = 'a regular file with points';

/**
 * Lists the input files: one file, a glob of local files, an object of S3, or a glob in the last part of an S3 URL.
 * They are ordered by name, and their rows follow one another in this order.
 *
 * @throws InvalidParameterError  if there is no such file, or it cannot be read out of core
 * @throws DatasetFormatError     if a file is unreadable, empty, or not a regular file; never waits for a pipe
 */
export async function listInputs(input: string): Promise<InputFile[]> {
  checkText('input', input, 'a file, or a pattern that matches files');
  const paths = isObject(input) ? await listObjects(input) : await listFiles(input);
  if (paths.length === 0) throw new InvalidParameterError('input', input, 'a file, or a pattern that matches files');
  const kinds = paths.map((path) => KINDS[extname(path).toLowerCase()]);
  const other = kinds.findIndex((kind) => kind === undefined || kind !== kinds[0]);
  if (other >= 0) {
    const expected = `files of one kind: ${Object.keys(KINDS).join(' ')}`;
    throw new InvalidParameterError('input', paths[other], expected);
  }
  return Promise.all(
    paths.map(async (path, k) => {
      const {bytes, hash} = await hashFile(path);
      return {path, kind: kinds[k], bytes, hash};
    }),
  );
}

/** @throws ScaleOutError  if the file is not the one that the run began with */
export async function checkUnchanged(file: InputFile): Promise<void> {
  const {hash} = await hashFile(file.path);
  if (hash !== file.hash) {
    throw new ScaleOutError(
      'INPUT_CHANGED',
      `${file.path} changed since the run began; start a run of another name (--run)`,
    );
  }
}

/**
 * Reads an input with `readPoints`. An object of S3 is read by ranges, and must be the listed one also after that.
 *
 * @throws ScaleOutError  if the object changed while it was read
 */
export async function readInput<Result>(file: InputFile, read: (input: Input) => Promise<Result>): Promise<Result> {
  if (!isObject(file.path)) return read(file.path);
  const object = await openObject(file);
  return read(object).finally(() => checkUnchanged(file));
}

function isObject(path: string): boolean {
  return path.startsWith('s3://');
}

async function listFiles(input: string): Promise<string[]> {
  const isThere = await stat(input).then(
    () => true,
    () => false,
  );
  if (isThere) return [resolve(input)];
  const paths: string[] = [];
  for await (const path of glob(input)) paths.push(resolve(path));
  return paths.sort();
}

async function listObjects(input: string): Promise<string[]> {
  const folder = input.slice(0, input.lastIndexOf('/'));
  const pattern = input.slice(folder.length + 1);
  if (!pattern.includes('*')) return [input];
  const matches = new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`);
  const {store, key} = await openBucket(`${folder}/`);
  const names = await store.list(key.replace(/\/$/, ''));
  return names.filter((name) => matches.test(name)).map((name) => `${folder}/${name}`);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

async function hashFile(path: string): Promise<Pick<InputFile, 'bytes' | 'hash'>> {
  const hashEnds = async (file: OpenFile, tag = ''): Promise<Pick<InputFile, 'bytes' | 'hash'>> => {
    const hash = createHash('sha256').update(String(file.size));
    const edge = new Uint8Array(Math.min(EDGE_BYTES, file.size));
    for (const start of [0, file.size - edge.length]) {
      await readBytes(file, edge, start);
      hash.update(edge);
    }
    return {bytes: file.size, hash: hash.update(tag).digest('hex')};
  };
  if (!isObject(path)) return withOpenFile(path, (file) => hashEnds(file), EXPECTED);
  const {store, key} = await openBucket(path);
  const version = await store.version(key);
  if (version === undefined) throw new InvalidParameterError('input', path, 'an object that exists');
  return hashEnds(await openObject({path, bytes: version.bytes}, EDGE_BYTES), version.tag);
}
