import {mkdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';

/** As `mkdir` with `recursive`, which never returns for a folder in `/proc`. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || parent === folder) throw error;
    await makeFolder(parent);
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true) throw error;
  }
}
