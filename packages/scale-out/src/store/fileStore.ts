import {randomUUID} from 'node:crypto';
import {mkdir, open, readdir, readFile, rename, rm, stat} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {StoreError, type Store} from './store.ts';

/** A folder that all workers see under the same path. */
export class FileStore implements Store {
  readonly url: string;

  constructor(folder: string) {
    this.url = resolve(folder);
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(join(this.url, path));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.#failure('read', path, error);
    }
  }

  async size(path: string): Promise<number | undefined> {
    try {
      return (await stat(join(this.url, path))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.#failure('read', path, error);
    }
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - start);
    try {
      const file = await open(join(this.url, path));
      try {
        for (let done = 0; done < bytes.length;) {
          const {bytesRead} = await file.read(bytes, done, Math.min(bytes.length - done, 2 ** 30), start + done);
          if (bytesRead === 0) throw new Error(`ends before byte ${end}`);
          done += bytesRead;
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      throw this.#failure('read', path, error);
    }
    return bytes;
  }

  async write(path: string, parts: readonly Uint8Array[]): Promise<void> {
    const target = join(this.url, path);
    const partial = `${target}.${randomUUID()}.partial`;
    try {
      await mkdir(dirname(target), {recursive: true});
      const file = await open(partial, 'wx');
      try {
        for (const part of parts) {
          for (let start = 0; start < part.length; start += 2 ** 30) {
            await file.appendFile(part.subarray(start, start + 2 ** 30));
          }
        }
      } finally {
        await file.close();
      }
      await rename(partial, target);
    } catch (error) {
      await rm(partial, {force: true}).catch(() => undefined);
      throw this.#failure('written', path, error);
    }
  }

  async list(folder: string): Promise<string[]> {
    try {
      const names = await readdir(join(this.url, folder));
      return names.filter((name) => !name.endsWith('.partial')).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw this.#failure('listed', folder, error);
    }
  }

  async remove(folder: string): Promise<void> {
    await rm(join(this.url, folder), {recursive: true, force: true});
  }

  #failure(verb: string, path: string, cause: unknown): StoreError {
    const code = codeOf(cause);
    const reason = code === 'ENOSPC' ? 'the disk is full' : (code ?? String(cause));
    return new StoreError(`${join(this.url, path)} cannot be ${verb} (${reason})`, {cause});
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The system's name of an error. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
