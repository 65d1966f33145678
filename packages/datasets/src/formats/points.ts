import {checkKnownOptions, InvalidParameterError, type RunOptions} from '@epsball/clustering';
import {requireInteger} from '../coords.ts';
import {dimWithOthers, precisionWithOthers, splitColumns, type ColumnChoice} from './columnChoice.ts';
import {readContainer} from './containers.ts';
import {withoutCounters} from './counters.ts';
import {readCsvFile} from './csv.ts';
import type {CsvFormat} from './csvFormat.ts';
import {DatasetFormatError} from './errors.ts';
import {extensionIn, extensionOf, READ_EXTENSIONS} from './extensions.ts';
import {readGeoJson} from './geojson.ts';
import {readNpy} from './npy.ts';
import {openNpz} from './npz.ts';
import {allocate, readNumbers, type LoadedPoints, type ReadPrecision, type RowRange} from './numbers.ts';
import {nameOf, reporting, withOpenFile, type Input, type OpenFile} from './openFile.ts';

export interface ReadPointsOptions extends ColumnChoice, CsvFormat, Pick<RunOptions<'read'>, 'onProgress'> {
  /** HDF5: path of the dataset inside the file. NPZ: name of the array. Required if the file has several. */
  readonly dataset?: string | undefined;
  /**
   * Coordinates per point, without weights, times and groups. Required for raw files and vectors; must agree with the
   * shape of other files.
   */
  readonly dim?: number | undefined;
  /**
   * Default: `'source'`, the precision of the file; integers of up to 16 bits are float32, longer integers and text
   * float64. `'float32'` rounds values that it does not hold exactly.
   */
  readonly precision?: ReadPrecision | undefined;
  /**
   * `nan`: values that a row lacks become NaN, and its group −1, instead of an error: an empty cell, `NaN`, `NA` or
   * `null` of text, null of Parquet, a geometry or a property of null of GeoJSON. Other formats hold NaN themselves.
   * Default: `error`.
   */
  readonly missing?: 'error' | 'nan' | undefined;
  /**
   * NPY in C order and Parquet: the ranges of rows to read, one after another. The result also has the `rowCount` of
   * the file. No range: nothing but that, the dimension, the precision and the columns. Default: all rows.
   */
  readonly rows?: readonly RowRange[] | undefined;
  /** Ends the reading of CSV, HDF5, Parquet and Arrow at any time. Other files: checked before the reading only. */
  readonly signal?: AbortSignal | undefined;
}

const TEXT = ['.csv', '.tsv', '.txt', '.dat', '.xyz', '.csv.gz', '.tsv.gz', '.txt.gz'];
const GEOJSON = ['.geojson', '.geojsonl', '.geojsons', '.geojsonseq'];
/** Extensions of tables. */
export const TABLES: readonly string[] = [...TEXT, '.parquet', '.arrow', '.feather'];
const WITH_PROPERTIES = [...TABLES, ...GEOJSON];

/** Options of some formats: what they choose, and the extensions of those formats. */
const OWN_OPTIONS: readonly (readonly [keyof ReadPointsOptions, what: string, extensions: readonly string[]])[] = [
  ['columns', 'columns', TABLES],
  ['weightColumn', 'weights', WITH_PROPERTIES],
  ['timeColumn', 'times', WITH_PROPERTIES],
  ['groupColumn', 'groups', WITH_PROPERTIES],
  ['besides', 'other columns', TABLES],
  ['delimiter', 'delimiter', TEXT],
  ['decimal', 'decimal', TEXT],
  ['dataset', 'dataset', ['.h5', '.hdf5', '.npz']],
  ['rows', 'ranges of rows', ['.npy', '.npz', '.parquet']],
];

/** `points.npz:array` */
const NPZ_ARRAY = /^(.+\.npz):([^/\\:]+)$/i;

const READ_NAMES: readonly string[] = [
  ...OWN_OPTIONS.map(([name]) => name),
  'dim',
  'precision',
  'missing',
  'signal',
  'onProgress',
];

/**
 * Reads points in the format of the extension: `.npy`, `.csv` `.tsv` `.txt`, `.f32` `.f64` `.bin` (raw little-endian),
 * `.h5` `.hdf5`, `.parquet`, `.arrow` `.feather`, `.geojson`; `.npz`, text with `.gz` behind, and sequences of GeoJSON
 * (`.geojsonl`, `.geojsons`, `.geojsonseq`). `points.npz:array` names an array. In text, a value that is not a finite
 * number is an error; values of other formats are not checked (`validatePoints` does that).
 *
 * NPY in C order and raw files are read straight into the result. HDF5, Parquet and Arrow are decoded on a thread that
 * ends with the file.
 *
 * @param options  `onProgress` hears of bytes, of formats that are read in parts
 * @throws InvalidParameterError  if an option is unknown or does not fit the format
 * @throws DatasetFormatError     if the file is missing, empty, truncated or of another shape or type
 * @throws the signal's reason    if `options.signal` fires
 */
export async function readPoints(input: Input, options: ReadPointsOptions = {}): Promise<LoadedPoints> {
  const [, archive, array] = (typeof input === 'string' ? NPZ_ARRAY.exec(input) : null) ?? [];
  if (archive !== undefined && options.dataset === undefined) {
    return readPoints(archive, {...options, dataset: array});
  }
  checkKnownOptions(options, READ_NAMES, 'options', 'an object such as {columns: [0, 1]}');
  const {signal, onProgress} = options;
  signal?.throwIfAborted();
  const path = nameOf(input);
  // A folder or a missing file is reported as such, not as a name without an extension.
  if (extensionIn(path) === '') await withOpenFile(input, async () => undefined);
  const extension = extensionOf(path, READ_EXTENSIONS);
  checkOptions(extension, options);
  if (onProgress === undefined) return readAs(extension, input, options);
  return withOpenFile(input, (file) => readAs(extension, reporting(file, onProgress), options));
}

async function readAs(
  extension: (typeof READ_EXTENSIONS)[number],
  input: Input,
  options: ReadPointsOptions,
): Promise<LoadedPoints> {
  const {columns, weightColumn, timeColumn, groupColumn, besides, dataset, rows, signal, missing} = options;
  const {delimiter, decimal} = options;
  const dim = dimWithOthers(options);
  const precision = precisionWithOthers(options);
  switch (extension) {
    case '.npy':
      return withOpenFile(input, (file) => readNpy(file, dim, precision, rows));
    case '.npz':
      return withOpenFile(input, async (file) => readNpy(await openNpz(file, dataset), dim, precision, rows));
    case '.csv':
    case '.tsv':
    case '.txt':
    case '.dat':
    case '.xyz':
    case '.csv.gz':
    case '.tsv.gz':
    case '.txt.gz': {
      const {dim: axes, precision: wished} = options;
      const chosen = {columns, weightColumn, timeColumn, groupColumn, besides, dim: axes, precision: wished, missing};
      return withoutCounters(await readCsvFile(input, {...chosen, signal, delimiter, decimal}), columns);
    }
    case '.f32':
    case '.bin':
      return readRaw(input, 4, dim, precision);
    case '.f64':
      return readRaw(input, 8, dim, precision);
    case '.h5':
    case '.hdf5':
      return readContainer('hdf5', input, {dataset, dim, precision}, {signal});
    case '.parquet':
    case '.arrow':
    case '.feather': {
      const format = extension === '.parquet' ? 'parquet' : 'arrow';
      const ofNumbers = async (): Promise<readonly string[]> =>
        (await readContainer(format, input, {columns: 'numbers', precision}, {signal})).columns ?? [];
      const chosen = typeof columns === 'function' ? columns(await ofNumbers()) : columns;
      const wanted = {columns: chosen, weightColumn, timeColumn, groupColumn, besides, dim, precision, rows, missing};
      return withoutCounters(splitColumns(await readContainer(format, input, wanted, {signal}), options), columns);
    }
    case '.geojson':
    case '.geojsonl':
    case '.geojsons':
    case '.geojsonseq':
      return withOpenFile(input, (file) => readGeoJson(file, options));
    default:
      return extension satisfies never;
  }
}

/** Reads little-endian floats of 4 or 8 bytes without a header, point after point. */
async function readRaw(
  input: Input,
  bytes: 4 | 8,
  dim: number | undefined,
  precision: ReadPrecision,
): Promise<LoadedPoints> {
  if (dim === undefined) {
    const expected = `the coordinates per point, which the raw file ${nameOf(input)} does not contain`;
    throw new InvalidParameterError('dim', dim, expected);
  }
  return withOpenFile(input, async (file: OpenFile) => {
    const {path, size} = file;
    if (size % (bytes * dim) !== 0) {
      const expected = `a multiple of ${bytes * dim}, as a point is ${dim} × float${bytes * 8}`;
      throw new DatasetFormatError(path, `has ${size} bytes; expected ${expected}`);
    }
    const own = bytes === 4 ? 'float32' : 'float64';
    const coords = allocate(path, size / bytes, precision === 'source' ? own : precision);
    await readNumbers(file, {kind: 'float', bytes, isBigEndian: false}, coords, 0);
    return {coords, dim};
  });
}

function checkOptions(extension: string, options: ReadPointsOptions): void {
  const {columns, dim, precision = 'source', rows, missing = 'error'} = options;
  // GeoJSON names its coordinates itself.
  const isPlaced = (columns === 'auto' || columns === 'place') && GEOJSON.includes(extension);
  for (const [name, what, extensions] of OWN_OPTIONS) {
    const value = options[name];
    if (value === undefined || extensions.includes(extension) || (name === 'columns' && isPlaced)) continue;
    throw new InvalidParameterError(
      name,
      Array.isArray(value) ? value.join() : value,
      `no ${what} for a ${extension} file`,
    );
  }
  if (columns?.length === 0) throw new InvalidParameterError('columns', '', 'at least one column');
  if (dim !== undefined) requireInteger('dim', dim, 1, 0x7fffffff);
  if (rows !== undefined) checkRows(rows);
  if (missing !== 'error' && missing !== 'nan') throw new InvalidParameterError('missing', missing, "'error' or 'nan'");
  if (precision !== 'source' && precision !== 'float32' && precision !== 'float64') {
    throw new InvalidParameterError('precision', precision, "'source', 'float32' or 'float64'");
  }
}

function checkRows(rows: readonly RowRange[]): void {
  const isRange = (range: unknown): boolean =>
    Array.isArray(range) &&
    range.length === 2 &&
    range.every((row) => Number.isSafeInteger(row)) &&
    range[0] >= 0 &&
    range[0] <= range[1];
  if (Array.isArray(rows) && rows.every(isRange)) return;
  throw new InvalidParameterError('rows', String(rows), 'ranges [start, end) of integers, 0 ≤ start ≤ end');
}
