import {readFile} from 'node:fs/promises';
import {resultFileSchema, type ResultFile} from '@epsball/benchmarks';
import {InvalidParameterError} from '@epsball/clustering';
import {z} from 'zod';

/**
 * Reads a result file of `epsball bench`.
 *
 * @throws InvalidParameterError  if the file is not a result file; names the file and what is wrong
 */
export async function readResult(file: string): Promise<ResultFile> {
  const text = await readFile(file, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InvalidParameterError('result file', file, 'JSON as "epsball bench" writes it');
  }
  const parsed = resultFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = z.treeifyError(parsed.error).errors;
  throw new InvalidParameterError(
    'result file',
    file,
    `an epsball benchmark result (${issue ?? parsed.error.issues[0]?.message ?? ''})`,
  );
}
