import {decodeInWorker, type DecodeOptions} from './decodeInWorker.ts';
import {withOpenFile} from './inputFile.ts';
import {requireHdf5, requireParquet} from './magic.ts';
import type {LoadedPoints} from './numbers.ts';

interface Reading {
  readonly signal?: AbortSignal | undefined;
  /** Default: 20 seconds. */
  readonly stallMs?: number;
}

/**
 * Reads an n × dim dataset of an HDF5 file, or a vector of n · dim values when `dim` is given.
 *
 * @throws DatasetFormatError  if the file is not HDF5, truncated or damaged, or the dataset missing (lists the
 *                             datasets), of another shape, or not of numbers
 */
export async function readHdf5(path: string, options: DecodeOptions, reading: Reading): Promise<LoadedPoints> {
  const size = await withOpenFile(path, async (file) => {
    await requireHdf5(file);
    return file.size;
  });
  return decodeInWorker({format: 'hdf5', path, size, options}, reading);
}

/**
 * Reads columns of numbers of a Parquet file.
 *
 * @throws DatasetFormatError  if the file is not Parquet, truncated or damaged, or a column is missing (lists the
 *                             columns), not a number, or has a null
 */
export async function readParquet(path: string, options: DecodeOptions, reading: Reading): Promise<LoadedPoints> {
  const size = await withOpenFile(path, async (file) => {
    await requireParquet(file);
    return file.size;
  });
  return decodeInWorker({format: 'parquet', path, size, options}, reading);
}
