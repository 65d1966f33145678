import {InvalidParameterError} from '@epsball/clustering';
import {FileStore} from './fileStore.ts';
import type {Store} from './store.ts';

/**
 * Opens the folder of a run: `s3://bucket/prefix`, or a folder that all workers see under the same path. S3 takes
 * endpoint, region and credentials from the environment (`AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` …).
 *
 * @throws InvalidParameterError  if the URL has another scheme
 */
export async function openStore(url: string): Promise<Store> {
  if (url.startsWith('s3://')) {
    const {S3Store} = await import('./s3Store.ts');
    return new S3Store(url);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url) || url === '') {
    throw new InvalidParameterError('work', url, 'a folder, or s3://bucket/prefix');
  }
  return new FileStore(url);
}
