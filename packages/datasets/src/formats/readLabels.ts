import {checkKnownOptions} from '@epsball/clustering';
import {DatasetFormatError, listed} from './errors.ts';
import {extensionIn} from './extensions.ts';
import {readNpyLabels, toLabels} from './npy.ts';
import {nameOf, withOpenFile, type Input} from './openFile.ts';
import {readPoints, TABLES} from './points.ts';

export interface ReadLabelsOptions {
  /** Name or number of the column with the labels. Default: `label`, or the only column of numbers. */
  readonly column?: string | number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads labels from an `.npy` vector of integers, or from a column of a table.
 *
 * @param input    `.npy`, or a table: text, `.parquet`, `.arrow` or `.feather`
 * @throws InvalidParameterError  if an option is unknown
 * @throws DatasetFormatError  if the file has no such vector or column, or a label does not fit int32
 * @throws the signal's reason  if `options.signal` fires
 */
export async function readLabels(input: Input, options: ReadLabelsOptions = {}): Promise<Int32Array> {
  checkKnownOptions(options, ['column', 'signal'], 'options', "an object such as {column: 'label'}");
  const path = nameOf(input);
  const extension = extensionIn(path);
  if (extension === '.npy') return withOpenFile(input, readNpyLabels);
  if (!TABLES.includes(extension)) {
    throw new DatasetFormatError(path, `is not an .npy file or a table; expected labels as .npy, ${TABLES.join(', ')}`);
  }
  const {column, signal} = options;
  const columns = column === undefined ? (ofNumbers: readonly string[]) => [labelAmong(path, ofNumbers)] : [column];
  return toLabels(path, (await readPoints(input, {columns, precision: 'float64', signal})).coords);
}

function labelAmong(path: string, ofNumbers: readonly string[]): string {
  if (ofNumbers.length === 1 || ofNumbers.includes('label'))
    return ofNumbers.find((one) => one === 'label') ?? ofNumbers[0];
  const found = ofNumbers.length === 0 ? 'no columns of numbers' : `the columns of numbers ${listed(ofNumbers)}`;
  throw new DatasetFormatError(path, `has ${found}; expected one named label, or one chosen by column`);
}
