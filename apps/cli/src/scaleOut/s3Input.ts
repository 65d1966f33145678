import {readPoints, type LoadedPoints, type ReadPointsOptions} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import {loadOptional} from '../installLine.ts';

/** Reads an object of S3 by ranges. */
export async function readS3(url: string, options: ReadPointsOptions): Promise<LoadedPoints> {
  const {listInputs, readInput} = await loadOptional(url, '@epsball/scale-out', () => import('@epsball/scale-out'));
  const [object, ...others] = await listInputs(url);
  if (others.length > 0) throw new UsageError('INPUT', url, 'one object; epsball scale run reads several');
  return readInput(object, (input) => readPoints(input, options));
}
