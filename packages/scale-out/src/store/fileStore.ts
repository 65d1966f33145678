import {randomUUID} from 'node:crypto';
import {closeSync, constants, fstatSync, openSync, readFileSync, readSync, writeSync} from 'node:fs';
import {link, open, readdir, rename, rm, stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {makeFolder} from '@epsball/clustering/node';
import {StoreError, type Store} from './store.ts';

/** Bytes of one call at most: a system call takes less than 2 GiB. */
const PIECE = 2 ** 30;

/** The code of a file that ends too early. */
const SHORT = 'ends early';

/** What file systems without hard links answer. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** What file systems answer on which a folder cannot be opened or synchronized, as on Windows. */
const NO_FOLDER_SYNC = new Set(['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/**
 * A folder that all workers see under the same path.
 *
 * The caller's thread reads and writes bytes itself: the thread of a task has nothing else to do meanwhile, and would
 * share the four of Node's pool with all others, a thousand times a tile. A calling thread that runs tasks itself draws
 * and hears nothing until a read or write returns.
 */
export class FileStore implements Store {
  readonly url: string;

  constructor(folder: string) {
    this.url = resolve(folder);
  }

  read(path: string): Promise<Uint8Array | undefined> {
    return this.#ifThere('read', path, undefined, async (whole) => withRegular(whole, (file) => readFileSync(file)));
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - start);
    try {
      withRegular(join(this.url, path), (file) => {
        for (let done = 0; done < bytes.length;) {
          const read = readSync(file, bytes, done, Math.min(bytes.length - done, PIECE), start + done);
          if (read === 0) throw Object.assign(new Error(`ends before byte ${end}`), {code: SHORT});
          done += read;
        }
      });
    } catch (error) {
      throw this.#failure('read', path, error);
    }
    return bytes;
  }

  async write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    await this.#writePartial(path, parts, rename);
  }

  async writeNew(path: string, parts: readonly Uint8Array[]): Promise<boolean> {
    try {
      await this.#writePartial(path, parts, linkNew);
      return true;
    } catch (error) {
      if (error instanceof StoreError && codeOf(error.cause) === 'EEXIST') return false;
      throw error;
    }
  }

  /** Writes under another name, to the disk, and publishes that by `publish`. */
  async #writePartial(
    path: string,
    parts: readonly Uint8Array[],
    publish: (partial: string, target: string) => Promise<void>,
  ): Promise<void> {
    const target = join(this.url, path);
    const partial = `${target}.${randomUUID()}.partial`;
    try {
      await makeFolder(dirname(target));
      const file = await open(partial, 'wx');
      try {
        for (const part of parts) {
          for (let done = 0; done < part.length;) {
            done += writeSync(file.fd, part, done, Math.min(part.length - done, PIECE));
          }
        }
        await file.sync();
      } finally {
        await file.close();
      }
      await publish(partial, target);
      await syncFolder(dirname(target));
    } catch (error) {
      await rm(partial, {force: true}).catch(() => undefined);
      throw this.#failure('written', path, error);
    }
  }

  list(folder: string): Promise<string[]> {
    return this.#ifThere('listed', folder, [], async (path) => {
      const names = await readdir(path);
      return names.filter((name) => !name.endsWith('.partial')).sort();
    });
  }

  remove(path: string): Promise<void> {
    return this.#ifThere('removed', path, undefined, (file) => rm(file, {recursive: true, force: true}));
  }

  /** Does something with a file or folder; returns `otherwise` if it is missing. */
  async #ifThere<Result>(
    verb: string,
    path: string,
    otherwise: Result,
    work: (path: string) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await work(join(this.url, path));
    } catch (error) {
      if (isMissing(error)) return otherwise;
      throw this.#failure(verb, path, error);
    }
  }

  #failure(verb: string, path: string, cause: unknown): StoreError {
    const code = codeOf(cause);
    const reason = code === 'ENOSPC' ? 'the disk is full' : (code ?? String(cause));
    const message = `${join(this.url, path)} cannot be ${verb} (${reason})`;
    return new StoreError(message, {cause, isMissing: isMissing(cause) || code === SHORT});
  }
}

/** Gives a file its name, unless the name is taken. A link does so at once, with all of the contents. */
async function linkNew(partial: string, target: string): Promise<void> {
  try {
    await link(partial, target);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error) ?? '')) throw error;
    await renameNew(partial, target);
    return;
  }
  await rm(partial);
}

/**
 * The same without hard links: of several callers, the one that creates a lock renames its file. A lock that a killed
 * process left is removed with the run.
 */
async function renameNew(partial: string, target: string): Promise<void> {
  const lock = `${target}.lock`;
  const taken = Object.assign(new Error(`${target} exists`), {code: 'EEXIST'});
  if ((await stat(target).catch(() => undefined)) !== undefined) throw taken;
  await open(lock, 'wx').then((opened) => opened.close());
  try {
    if ((await stat(target).catch(() => undefined)) !== undefined) throw taken;
    await rename(partial, target);
  } finally {
    await rm(lock, {force: true});
  }
}

/**
 * Opens a file to read it. A job of a foreign queue can name any folder: a pipe would wait for a writer for ever, and a
 * device has no end.
 */
function withRegular<Result>(path: string, use: (file: number) => Result): Result {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (fstatSync(file).isFile()) return use(file);
    throw Object.assign(new Error(`${path} is no regular file`), {code: 'no regular file'});
  } finally {
    closeSync(file);
  }
}

/** Without it, a power failure may lose the name of a file whose contents are on disk. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const opened = await open(folder);
    await opened.sync().finally(() => opened.close());
  } catch (error) {
    if (!NO_FOLDER_SYNC.has(codeOf(error) ?? '')) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The system's name of an error. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
