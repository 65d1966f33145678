import {CsvError} from '#csv-parse';
import {because, DatasetFormatError} from './errors.ts';

/**
 * Puts the file's name before an error of the parser or of the system.
 *
 * @param rowBytesMax  bytes of one row
 */
export function named(path: string, error: unknown, rowBytesMax: number): DatasetFormatError {
  if (error instanceof DatasetFormatError) return error;
  if (!(error instanceof CsvError)) {
    return new DatasetFormatError(path, `cannot be read${because(error)}`, {cause: error});
  }
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new DatasetFormatError(path, `has a row of over ${rowBytesMax} bytes; expected rows of numbers`);
  }
  return new DatasetFormatError(path, `is malformed (${error.message}); expected CSV`, {cause: error});
}
