import {existsSync} from 'node:fs';
import {mkdir} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';
import {checkWritable, DatasetWriteError} from '@epsball/datasets';

/**
 * Creates a folder with its parents, unless it exists, and checks that it takes files.
 *
 * @throws DatasetWriteError  if the folder cannot be created or takes no files
 */
export async function prepareFolder(folder: string): Promise<void> {
  // Node's recursive `mkdir` never returns for a folder below /proc.
  const missing: string[] = [];
  for (let path = resolve(folder); !existsSync(path); path = dirname(path)) missing.push(path);
  try {
    for (const path of missing.toReversed()) await mkdir(path);
  } catch (error) {
    throw new DatasetWriteError(folder, error);
  }
  await checkWritable(join(folder, 'report.html'));
}
