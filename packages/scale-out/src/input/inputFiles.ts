import {createHash} from 'node:crypto';
import {glob, mkdir, open, rename, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {extname, join, resolve} from 'node:path';
import {InvalidParameterError} from '@epsball/clustering';
import {ScaleOutError, type InputFile} from '../run.ts';
import {openStore} from '../store/openStore.ts';

const KINDS: Readonly<Record<string, InputFile['kind']>> = {
  '.parquet': 'parquet',
  '.npy': 'npy',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'csv',
};

const EDGE_BYTES = 2 ** 16;

/**
 * Lists the input files: one file, a glob of local files, an object of S3, or a glob in the last part of an S3 URL.
 * They are ordered by name, and their rows follow one another in this order.
 *
 * @throws InvalidParameterError  if there is no such file, or it cannot be read out of core
 */
export async function listInputs(input: string): Promise<InputFile[]> {
  const paths = input.startsWith('s3://') ? await listObjects(input) : await listFiles(input);
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
    throw new ScaleOutError('INPUT_CHANGED', `${file.path} changed since the run began; start a run of another name`);
  }
}

/** A local path of the file. Objects of S3 are copied to the machine's temporary folder, once. */
export async function localPath(file: InputFile): Promise<string> {
  if (!file.path.startsWith('s3://')) return file.path;
  const folder = join(tmpdir(), 'epsball-inputs');
  const target = join(folder, file.hash + extname(file.path));
  const found = await stat(target).catch(() => undefined);
  if (found?.size === file.bytes) return target;
  const {store, key} = await openObject(file.path);
  const bytes = await store.readRange(key, 0, file.bytes);
  await mkdir(folder, {recursive: true});
  const partial = `${target}.${process.pid}.${Date.now()}`;
  await writeFile(partial, bytes);
  await rename(partial, target);
  return target;
}

async function listFiles(input: string): Promise<string[]> {
  const isFile = await stat(input).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isFile) return [resolve(input)];
  const paths: string[] = [];
  for await (const path of glob(input)) paths.push(resolve(path));
  return paths.sort();
}

async function listObjects(input: string): Promise<string[]> {
  const folder = input.slice(0, input.lastIndexOf('/'));
  const pattern = input.slice(folder.length + 1);
  if (!pattern.includes('*')) return [input];
  const matches = new RegExp(`^${pattern.split('*').map(escapeRegExp).join('.*')}$`);
  const {bucket, key} = await splitUrl(`${folder}/`);
  const store = await openStore(`s3://${bucket}`);
  const names = await store.list(key.replace(/\/$/, ''));
  return names.filter((name) => matches.test(name)).map((name) => `${folder}/${name}`);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

async function hashFile(path: string): Promise<{bytes: number; hash: string}> {
  const hash = createHash('sha256');
  if (path.startsWith('s3://')) {
    const {store, key, bytes} = await openObject(path);
    hash.update(String(bytes));
    hash.update(await store.readRange(key, 0, Math.min(EDGE_BYTES, bytes)));
    hash.update(await store.readRange(key, Math.max(0, bytes - EDGE_BYTES), bytes));
    return {bytes, hash: hash.digest('hex')};
  }
  const file = await open(path);
  try {
    const {size} = await file.stat();
    const edge = Buffer.alloc(Math.min(EDGE_BYTES, size));
    hash.update(String(size));
    await file.read(edge, 0, edge.length, 0);
    hash.update(edge);
    await file.read(edge, 0, edge.length, Math.max(0, size - edge.length));
    hash.update(edge);
    return {bytes: size, hash: hash.digest('hex')};
  } finally {
    await file.close();
  }
}

async function splitUrl(url: string): Promise<{bucket: string; key: string}> {
  const {parseS3Url} = await import('../store/s3Store.ts');
  return parseS3Url(url);
}

async function openObject(
  path: string,
): Promise<{store: Awaited<ReturnType<typeof openStore>>; key: string; bytes: number}> {
  const {bucket, key} = await splitUrl(path);
  const store = await openStore(`s3://${bucket}`);
  const bytes = await store.size(key);
  if (bytes === undefined) throw new InvalidParameterError('input', path, 'an object that exists');
  return {store, key, bytes};
}
