import {resultFileSchema, type ResultFile} from '@epsball/benchmarks';
import {InvalidParameterError} from '@epsball/clustering';
import {readBytes, withOpenFile, type OpenFile} from '@epsball/datasets';
import {z} from 'zod';

/** A result with thousands of cells has less than 10 MiB. */
const BYTES_MAX = 2 ** 28;

/**
 * Reads a result file of `epsball bench`.
 *
 * @throws DatasetFormatError     if the path is not a regular file, or cannot be read
 * @throws InvalidParameterError  if the file is not a result file; names the file and what is wrong
 */
export async function readResult(file: string): Promise<ResultFile> {
  const text = await withOpenFile(file, readText, 'a result file of epsball bench');
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

async function readText(file: OpenFile): Promise<string> {
  if (file.size > BYTES_MAX) {
    throw new InvalidParameterError('result file', file.path, `at most ${BYTES_MAX} bytes (it has ${file.size})`);
  }
  const bytes = Buffer.alloc(file.size);
  await readBytes(file, bytes, 0);
  return bytes.toString('utf8');
}
