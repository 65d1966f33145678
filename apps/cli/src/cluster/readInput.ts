import {InvalidPointsError} from '@epsball/clustering';
import {
  DatasetFormatError,
  escapeControls,
  readCsvStream,
  readPoints,
  type LoadedPoints,
  type ReadPointsOptions,
} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import type {MetricFlags, PointFlags} from '../flags.ts';
import {nameOfInput, STANDARD_INPUT} from '../options.ts';
import {withProgress} from './progressBar.ts';

/** Files of arrays, whose columns have no names. A reader refuses an unknown extension. */
const WITHOUT_NAMES = /\.(?:npy|npz|npz:[^/\\:]+|f32|f64|bin|h5|hdf5)$/i;

/** Ends of the loaders' messages, and the same with our flags. */
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/\bdim = (\d+)$/, '--dim $1'],
  [/\ba given dim$/, '--dim'],
  [/\bchosen by columns(?= 0,1 or 1,0$|$)/, 'chosen by --columns'],
  [/\bthe option decimal = ","$/, '--decimal ,'],
  [/; expected a name, one of: ([^:]*)$/, '; expected --dataset with one of: $1'],
];

/** Ends of messages about a column that cannot be a coordinate. */
const NO_NUMBERS = /(?:expected a finite number|expected FLOAT, DOUBLE, INT32 or INT64)$/;

/**
 * Reads the points of the input file, or CSV from standard input, as the metric takes them. On a globe the columns are
 * found by name; without names, `--columns` tells the positions of LAT,LON.
 */
export async function readInput(
  input: string,
  {
    columns,
    weightColumn,
    timeColumn,
    by: groupColumn,
    missing,
    dataset,
    dim,
    precision,
    delimiter,
    decimal,
    metric,
  }: PointFlags & Pick<MetricFlags, 'metric'>,
  signal: AbortSignal,
): Promise<LoadedPoints> {
  const isGlobe = metric === 'haversine';
  const format = {...(delimiter === undefined ? {} : {delimiter}), ...(decimal === undefined ? {} : {decimal})};
  const lacking = missing === 'noise' || missing === 'drop' ? ({missing: 'nan'} as const) : {};
  const options = {weightColumn, timeColumn, groupColumn, dataset, dim, precision, ...format, ...lacking, signal};
  if (!isGlobe || !WITHOUT_NAMES.test(input)) {
    return readNamed(input, {...options, columns: isGlobe ? (columns ?? 'place') : columns});
  }
  const places = columns?.join();
  if (places !== '0,1' && places !== '1,0') {
    const expectation = '0,1 or 1,0 for a file without names of columns: the positions of LAT,LON';
    throw new UsageError('--columns', places, expectation);
  }
  return {...(await readNamed(input, options)), columns: places === '1,0' ? ['lon', 'lat'] : ['lat', 'lon']};
}

/** `readPoints`, with our flags in its messages. */
async function readNamed(input: string, options: ReadPointsOptions): Promise<LoadedPoints> {
  try {
    if (input !== STANDARD_INPUT) return await withProgress('read', () => readPoints(input, options));
    const {dataset, ...others} = options;
    if (dataset === undefined) {
      const read = (): Promise<LoadedPoints> => readCsvStream(process.stdin, others);
      // Lines that are typed share the terminal with the line of progress.
      return await (process.stdin.isTTY ? read() : withProgress('read', read));
    }
    throw new UsageError('--dataset', dataset, 'no dataset for standard input, which is CSV');
  } catch (error) {
    if (!(error instanceof DatasetFormatError)) throw error;
    const {path, line, cause} = error;
    let {reason} = error;
    for (const [ending, inFlags] of ENDINGS) reason = reason.replace(ending, inFlags);
    if (options.columns === undefined && NO_NUMBERS.test(reason)) {
      // Without a header the reader says `column 0`.
      const what = /^column \d+ = /.test(reason)
        ? 'positions of the coordinates, such as 0,1'
        : 'names of the coordinates';
      reason += `, or --columns with the ${what}`;
    }
    throw new DatasetFormatError(path, reason, {cause, ...(line === undefined ? {} : {line})});
  }
}

/** Adds the name of the file to an error about its points. */
export async function nameFile<Result>(input: string, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InvalidPointsError)) throw error;
    throw new InvalidPointsError(`${nameOfInput(input)}: ${error.message}`, error.index);
  }
}

/** Warns of columns that are hardly coordinates, unless the user or the metric chose them. */
export async function warnOfColumns(
  points: LoadedPoints,
  flags: Pick<PointFlags & MetricFlags, 'columns' | 'metric'>,
): Promise<void> {
  const {columns} = points;
  if (columns === undefined || flags.columns !== undefined || flags.metric === 'haversine') return;
  const {describeSuspects} = await import('./suspectColumns.ts');
  const line = describeSuspects(points, columns);
  if (line !== '') process.stderr.write(`epsball: warning: ${escapeControls(line)}\n`);
}
