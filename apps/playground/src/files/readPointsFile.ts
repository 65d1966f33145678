import {FileError, type FilePoints} from './table.ts';

/** File extensions that the page reads. */
export const EXTENSIONS = ['.csv', '.tsv', '.txt', '.npy', '.parquet'] as const;

/**
 * Reads points from a file of the reader's machine. The file never leaves it.
 *
 * @param columns  names of the columns to take as axes. Default: chosen by name
 * @throws FileError  if the file cannot be read as points
 */
export async function readPointsFile(file: File, columns?: readonly string[]): Promise<FilePoints> {
  const extension = EXTENSIONS.find((known) => file.name.toLowerCase().endsWith(known));
  switch (extension) {
    case '.npy':
      return (await import('./npy.ts')).readNpyFile(file);
    case '.parquet':
      return (await import('./parquet.ts')).readParquetFile(file, columns);
    case '.csv':
    case '.tsv':
    case '.txt':
      return (await import('./csv.ts')).readCsvFile(file, columns);
    default:
      throw new FileError(file.name, `has an unknown extension; expected one of ${EXTENSIONS.join(', ')}`);
  }
}
