import type {OpenFile} from '@epsball/datasets';
import {loadOptional} from '../installLine.ts';

/** Opens an object of S3, which is read by ranges. */
export async function openS3Input(url: string): Promise<OpenFile> {
  const {openS3Object} = await loadOptional(url, '@epsball/scale-out', () => import('@epsball/scale-out'));
  return openS3Object(url);
}
