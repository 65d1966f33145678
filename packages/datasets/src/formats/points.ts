import {extname} from 'node:path';
import {checkKnownOptions, InvalidParameterError, type PointSet} from '@epsball/clustering';
import {requireInteger} from '../coords.ts';
import {readHdf5, readParquet} from './containers.ts';
import {readCsvFile} from './csv.ts';
import type {CsvFormat} from './csvFormat.ts';
import {writeCsv} from './csvWriter.ts';
import {splitWeights, type ColumnChoice} from './columnChoice.ts';
import {extensionOf, POINT_EXTENSIONS} from './extensions.ts';
import {readGeoJson, writeGeoJson} from './geojson.ts';
import {withOpenFile} from './inputFile.ts';
import {readNpy, writeNpy} from './npy.ts';
import type {LoadedPoints, ReadPrecision} from './numbers.ts';
import {readRaw, writeRaw} from './raw.ts';

export interface ReadPointsOptions extends ColumnChoice, CsvFormat {
  /** HDF5: path of the dataset inside the file. Required if the file has several. */
  readonly dataset?: string | undefined;
  /** Coordinates per point. Required for raw files and vectors; must agree with the shape of other files. */
  readonly dim?: number | undefined;
  /**
   * Default: `'source'`, the precision of the file; integers of up to 16 bits are float32, longer integers and text
   * float64. `'float32'` rounds values that it does not hold exactly.
   */
  readonly precision?: ReadPrecision | undefined;
  /** Ends the reading of CSV, HDF5 and Parquet at any time. Other files: checked before the reading only. */
  readonly signal?: AbortSignal | undefined;
}

export interface WritePointsOptions {
  /** Ends the writing early. Checked between blocks and before the new file replaces the old one. */
  readonly signal?: AbortSignal | undefined;
}

/** Names of `ReadPointsOptions`. */
const READ_NAMES: readonly string[] = [
  'columns',
  'weightColumn',
  'delimiter',
  'decimal',
  'dataset',
  'dim',
  'precision',
  'signal',
];

/**
 * Reads points in the format of the extension: `.npy`, `.csv` `.tsv` `.txt`, `.f32` `.f64` `.bin` (raw little-endian),
 * `.h5` `.hdf5`, `.parquet`, `.geojson`. In text, a value that is not a finite number is an error; values of other
 * formats are not checked (`validatePoints` does that).
 *
 * NPY in C order and raw files are read straight into the result. HDF5 and Parquet are decoded on a thread that ends
 * with the file.
 *
 * @throws InvalidParameterError  if an option is unknown or does not fit the format
 * @throws DatasetFormatError     if the file is missing, empty, truncated or of another shape or type
 * @throws the signal's reason    if `options.signal` fires
 */
export async function readPoints(path: string, options: ReadPointsOptions = {}): Promise<LoadedPoints> {
  checkKnownOptions(options, READ_NAMES, 'options', 'an object such as {columns: [0, 1]}');
  const {columns, weightColumn, dataset, precision = 'source', signal, delimiter, decimal} = options;
  // The weights count as one more column.
  const dim = options.dim === undefined || weightColumn === undefined ? options.dim : options.dim + 1;
  signal?.throwIfAborted();
  // A folder or a missing file is reported as such, not as a name without an extension.
  if (extname(path) === '') await withOpenFile(path, async () => undefined);
  const extension = extensionOf(path, POINT_EXTENSIONS);
  checkOptions(extension, options);
  switch (extension) {
    case '.npy':
      return readNpy(path, dim, precision);
    case '.csv':
    case '.tsv':
    case '.txt':
      return withWeights(
        readCsvFile(path, {columns, weightColumn, dim, precision, signal, delimiter, decimal}),
        weightColumn,
      );
    case '.f32':
    case '.bin':
      return readRaw(path, 4, dim, precision);
    case '.f64':
      return readRaw(path, 8, dim, precision);
    case '.h5':
    case '.hdf5':
      return readHdf5(path, {dataset, dim, precision}, {signal});
    case '.parquet':
      return withWeights(readParquet(path, {columns, weightColumn, dim, precision}, {signal}), weightColumn);
    case '.geojson':
      return readGeoJson(path, weightColumn);
    default:
      return extension satisfies never;
  }
}

/** Reading with the weights in an array of their own. */
async function withWeights(
  reading: Promise<LoadedPoints>,
  weightColumn: string | number | undefined,
): Promise<LoadedPoints> {
  return weightColumn === undefined ? reading : splitWeights(await reading);
}

/**
 * Writes points in the format of the extension and in their own precision. `.f32` and `.bin` take float32 only; `.f64`
 * widens float32. CSV and Parquet columns are named x, y, z (x0, x1 … from four dimensions on), the HDF5 dataset
 * `points`.
 *
 * An old file at the path is unchanged until the new one is complete.
 *
 * @throws InvalidParameterError  if an option is unknown, or the points are float64 and the file float32
 * @throws DatasetFormatError     if the extension is unknown (lists the known extensions)
 * @throws DatasetWriteError      if the file cannot be written
 * @throws the signal's reason    if `options.signal` fires; nothing of the new file remains
 */
export async function writePoints(path: string, points: PointSet, options: WritePointsOptions = {}): Promise<void> {
  checkKnownOptions(options, ['signal'], 'options', 'an object such as {signal}');
  const {signal} = options;
  switch (extensionOf(path, POINT_EXTENSIONS)) {
    case '.npy':
      return writeNpy(path, points, signal);
    case '.csv':
      return writeCsv(path, points, ',', signal);
    case '.tsv':
    case '.txt':
      return writeCsv(path, points, '\t', signal);
    case '.f32':
    case '.bin':
      return writeRaw(path, 4, points, signal);
    case '.f64':
      return writeRaw(path, 8, points, signal);
    case '.h5':
    case '.hdf5': {
      const {writeHdf5} = await import('./hdf5Writer.ts');
      return writeHdf5(path, points, signal);
    }
    case '.geojson':
      if (points.dim !== 2) throw new InvalidParameterError('dim', points.dim, '2 for a .geojson file: lon, lat');
      return writeGeoJson(path, points, {}, signal);
    case '.parquet': {
      const {writeParquet} = await import('./parquetWriter.ts');
      return writeParquet(path, points, signal);
    }
  }
}

function checkOptions(extension: (typeof POINT_EXTENSIONS)[number], options: ReadPointsOptions): void {
  const {columns, weightColumn, dataset, dim, precision = 'source'} = options;
  const isText = extension === '.csv' || extension === '.tsv' || extension === '.txt';
  if (columns !== undefined && !isText && extension !== '.parquet') {
    // GeoJSON names its coordinates itself.
    if (columns !== 'place' || extension !== '.geojson') {
      const value = columns === 'place' ? columns : columns.join(',');
      throw new InvalidParameterError('columns', value, `no columns for a ${extension} file`);
    }
  }
  if (columns?.length === 0) throw new InvalidParameterError('columns', '', 'at least one column');
  if (weightColumn !== undefined && !isText && extension !== '.parquet' && extension !== '.geojson') {
    throw new InvalidParameterError('weightColumn', weightColumn, `no weights for a ${extension} file`);
  }
  for (const name of ['delimiter', 'decimal'] as const) {
    const value = options[name];
    if (value !== undefined && !isText)
      throw new InvalidParameterError(name, value, `no ${name} for a ${extension} file`);
  }
  if (dataset !== undefined && extension !== '.h5' && extension !== '.hdf5') {
    throw new InvalidParameterError('dataset', dataset, `no dataset for a ${extension} file`);
  }
  if (dim !== undefined) requireInteger('dim', dim, 1, 0x7fffffff);
  if (precision !== 'source' && precision !== 'float32' && precision !== 'float64') {
    throw new InvalidParameterError('precision', precision, "'source', 'float32' or 'float64'");
  }
}
