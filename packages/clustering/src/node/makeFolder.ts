import {mkdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';

/**
 * Creates a folder with its parents, unless it exists: as `mkdir` with `recursive`, which never returns for a folder in
 * `/proc`.
 *
 * @param mode  of the folders that it creates, before the umask. Default: 0o777
 * @throws the error of `mkdir`  if a folder cannot be created, or a file has its name
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  try {
    await makeOne(folder, mode);
  } catch (error) {
    const parent = dirname(folder);
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || parent === folder) throw error;
    await makeFolder(parent, mode);
    await makeOne(folder, mode);
  }
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, {mode});
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
}
