import {mkdir, stat} from 'node:fs/promises';
import {dirname} from 'node:path';

/** As `mkdir` with `recursive`, which never returns for a folder in `/proc`. Mode: before the umask. */
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
