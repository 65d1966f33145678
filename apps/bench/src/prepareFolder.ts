import {join} from 'node:path';
import {makeFolder} from '@epsball/clustering/node';
import {checkWritable, DatasetWriteError} from '@epsball/datasets';

/**
 * Creates a folder with its parents, unless it exists, and checks that it takes files.
 *
 * @throws DatasetWriteError  if the folder cannot be created or takes no files
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw new DatasetWriteError(folder, error);
  }
  await checkWritable(join(folder, 'report.html'));
}
