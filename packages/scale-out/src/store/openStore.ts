import {InvalidParameterError} from '@epsball/clustering';
import {checkText} from '../checks.ts';
import {FileStore} from './fileStore.ts';
import type {Store} from './store.ts';

const EXPECTATION = 'a folder, or s3://bucket/prefix';

/**
 * Opens the folder of a run: `s3://bucket/prefix`, or a folder that all workers see under the same path. S3 takes
 * endpoint, region and credentials from the environment (`AWS_ENDPOINT_URL`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` …).
 *
 * @throws InvalidParameterError  if it is neither
 */
export async function openStore(url: string): Promise<Store> {
  checkText('work', url, EXPECTATION);
  if (url.startsWith('s3://')) {
    const {S3Store} = await import('./s3Store.ts');
    return new S3Store(url);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(url)) throw new InvalidParameterError('work', url, EXPECTATION);
  return new FileStore(url);
}
