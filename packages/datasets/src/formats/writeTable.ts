import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {extensionOf} from './extensions.ts';
import {npyHeader} from './npy.ts';
import {writeBlocks} from './outputFile.ts';
import {arrayBlocks, rowBlocks, type TableColumn, type WriteOptions} from './rows.ts';

/** Rows of an array that are in memory at a time. */
const BLOCK_LENGTH = 2 ** 16;

/**
 * Writes columns of numbers as a table: `.csv`, `.tsv` or `.parquet`. An old file at the path is unchanged until the
 * new one is complete.
 *
 * @param columns  by name, of one length
 * @throws InvalidParameterError  if the columns differ in length
 * @throws DatasetFormatError     if the extension is unknown (lists the known extensions)
 * @throws DatasetWriteError      if the file cannot be written
 * @throws the signal's reason    if `options.signal` fires; nothing of the new file remains
 */
export async function writeTable(
  path: string,
  columns: Readonly<Record<string, TableColumn>>,
  options: WriteOptions = {},
): Promise<void> {
  checkKnownOptions(options, ['signal', 'onProgress'], 'options', 'an object such as {signal}');
  const {signal, onProgress} = options;
  const values = Object.values(columns);
  const n = values[0]?.length ?? 0;
  for (const [name, {length}] of Object.entries(columns)) {
    if (length !== n) throw new InvalidParameterError(`${name}.length`, length, `${n}, as of the other columns`);
  }
  const extension = extensionOf(path, ['.csv', '.tsv', '.parquet']);
  if (extension === '.parquet') {
    const {writeParquetColumns} = await import('./parquetWriter.ts');
    return writeParquetColumns(path, columns, options);
  }
  const delimiter = extension === '.csv' ? ',' : '\t';
  const row = (i: number): string => values.map((column) => column[i]).join(delimiter);
  return writeBlocks(path, rowBlocks(Object.keys(columns).join(delimiter), n, row, {onProgress}), signal);
}

/**
 * Writes an n × dim array of float64 as `.npy`, row by row, so that few rows are in memory at a time.
 *
 * @param fill  writes row i, which holds zeros
 * @throws DatasetWriteError    if the file cannot be written
 * @throws the signal's reason  if `signal` fires; nothing of the new file remains
 */
export async function writeNpyRows(
  path: string,
  [n, dim]: readonly [n: number, dim: number],
  fill: (i: number, row: Float64Array) => void,
  {signal, onProgress}: WriteOptions = {},
): Promise<void> {
  const rows = Math.max(1, Math.floor(BLOCK_LENGTH / Math.max(1, dim)));
  const block = (start: number, end: number): Float64Array => {
    const values = new Float64Array(dim * (end - start));
    for (let i = start; i < end; i++) fill(i, values.subarray((i - start) * dim, (i - start + 1) * dim));
    return values;
  };
  await writeBlocks(path, arrayBlocks(npyHeader('<f8', [n, dim]), n, block, onProgress, rows), signal);
}
