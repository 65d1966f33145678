import {chooseColumns, InvalidPointsError} from '@epsball/clustering';
import {
  DatasetFormatError,
  escapeControls,
  readCsvStream,
  readPoints,
  type LoadedPoints,
  type NamedChoice,
  type ReadPointsOptions,
} from '@epsball/datasets';
import {UsageError} from '../errors.ts';
import type {MetricFlags, PointFlags} from '../flags.ts';
import {checkBeside, checkKeepable, readKept} from '../keep/readKept.ts';
import {nameOfInput, SQL_FILE, STANDARD_INPUT} from '../options.ts';
import type {PointsWithKept} from '../sql/readQuery.ts';
import {withProgress} from './progressBar.ts';
import {inFlags, LACKS, MISSING_ADVICE} from './readerMessages.ts';

/** Files that name their coordinates themselves. */
const GEOJSON = /\.geojson(?:l|s|seq)?$/i;
/** Files of arrays, whose columns have no names. A reader refuses an unknown extension. */
const WITHOUT_NAMES = /\.(?:npy|npz|npz:[^/\\:]+|f32|f64|bin|h5|hdf5)$/i;

/**
 * Reads the points of the input file, or CSV from standard input, as the metric takes them. Without `--columns` names
 * and values tell the coordinates; on a globe names alone, and for a file without names `--columns` tells the positions
 * of LAT,LON.
 *
 * @param known  names of columns that are coordinates, where a file has them
 */
export async function readInput(
  input: string,
  flags: PointFlags & Pick<MetricFlags, 'metric'>,
  signal: AbortSignal,
  known?: readonly string[],
): Promise<PointsWithKept> {
  const {columns, sql} = flags;
  if (columns !== undefined || WITHOUT_NAMES.test(input)) return readColumns(input, flags, columns, signal);
  // A query names its columns itself.
  const told = flags.metric === 'haversine' ? 'place' : sql === undefined ? 'auto' : undefined;
  // Standard input is read once. Positions are no names.
  const isNamed = known?.every((name) => !/^\d*$/.test(name)) === true;
  if (!isNamed || GEOJSON.test(input) || input === STANDARD_INPUT) {
    return readColumns(input, flags, told, signal);
  }
  return readColumns(input, flags, known, signal).catch((error: unknown) => {
    if (error instanceof DatasetFormatError && error.reason.startsWith('has no column')) {
      return readColumns(input, flags, told, signal);
    }
    throw error;
  });
}

/** Reads a table whose columns mean what their order says. */
export function readTable(input: string, flags: PointFlags, signal: AbortSignal): Promise<LoadedPoints> {
  return readColumns(input, {...flags, metric: 'euclidean'}, flags.columns, signal);
}

async function readColumns(
  input: string,
  {
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
    sql,
    keep,
  }: PointFlags & Pick<MetricFlags, 'metric'>,
  columns: NamedChoice['columns'],
  signal: AbortSignal,
): Promise<PointsWithKept> {
  const lacking = missing === 'noise' || missing === 'drop' ? 'nan' : undefined;
  const chosen = {weightColumn, timeColumn, groupColumn, dataset, sql, keep};
  const options = {...chosen, dim, precision, delimiter, decimal, missing: lacking, signal} as const;
  if (metric !== 'haversine' || !WITHOUT_NAMES.test(input)) return readNamed(input, {...options, columns});
  const places = Array.isArray(columns) ? columns.join() : undefined;
  if (places !== '0,1' && places !== '1,0') {
    const expectation = '0,1 or 1,0 for a file without names of columns: the positions of LAT,LON';
    throw new UsageError('--columns', places, expectation);
  }
  return {...(await readNamed(input, options)), columns: places === '1,0' ? ['lon', 'lat'] : ['lat', 'lon']};
}

interface ReadOptions extends Omit<ReadPointsOptions, 'columns'> {
  readonly columns?: NamedChoice['columns'];
  readonly sql?: string | undefined;
  readonly keep?: readonly string[] | undefined;
}

/** `readPoints`, with our flags in its messages. */
async function readNamed(input: string, {sql, keep, ...options}: ReadOptions): Promise<PointsWithKept> {
  try {
    if (sql !== undefined || SQL_FILE.test(input)) {
      const {readSql} = await import('../sql/readSql.ts');
      const {dataset, ...others} = options;
      return await withProgress('read', (onProgress) => readSql({input, sql, dataset}, {...others, keep, onProgress}));
    }
    if (keep === undefined) return await readPlain(input, options);
    checkKeepable(input, keep);
    const {columns, delimiter, decimal, signal} = options;
    if (Array.isArray(columns)) checkBeside(columns.map(String), keep);
    const points = await readPlain(input, {...options, besides: keep});
    checkBeside(points.columns ?? [], keep);
    const kept = await readKept(keep, points, (one) => readPlain(input, {delimiter, decimal, ...one, signal}));
    return {...points, kept};
  } catch (error) {
    if (!(error instanceof DatasetFormatError)) throw error;
    const {path, line, cause} = error;
    const reason = inFlags(error, options);
    throw new DatasetFormatError(path, reason, {cause, ...(line === undefined ? {} : {line})});
  }
}

/** Reads a file, standard input, or an object of S3. */
async function readPlain(input: string, options: ReadPointsOptions): Promise<LoadedPoints> {
  if (input.startsWith('s3://')) {
    const {readS3} = await import('../scaleOut/s3Input.ts');
    return withProgress('read', (onProgress) => readS3(input, {...options, onProgress}));
  }
  if (input !== STANDARD_INPUT)
    return withProgress('read', (onProgress) => readPoints(input, {...options, onProgress}));
  const {dataset, ...others} = options;
  if (dataset === undefined) {
    const read = (): Promise<LoadedPoints> => readCsvStream(process.stdin, others);
    // Lines that are typed share the terminal with the line of progress.
    return process.stdin.isTTY ? read() : withProgress('read', read);
  }
  throw new UsageError('--dataset', dataset, 'no dataset for standard input, which is CSV');
}

/** Adds the name of the file to an error about its points. */
export async function nameFile<Result>(input: string, run: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof InvalidPointsError)) throw error;
    const advice = LACKS.test(error.message) ? MISSING_ADVICE : '';
    throw new InvalidPointsError(`${nameOfInput(input)}: ${error.message}${advice}`, error.index);
  }
}

/** Warns of columns that are hardly coordinates, unless the user, the query or the metric chose them. */
export async function warnOfColumns(
  points: LoadedPoints,
  flags: Pick<PointFlags & MetricFlags, 'columns' | 'metric' | 'sql'>,
): Promise<void> {
  const {columns} = points;
  const isChosen = flags.columns !== undefined || flags.sql !== undefined || flags.metric === 'haversine';
  if (columns === undefined || isChosen) return;
  const told = chooseColumns(columns);
  // Names of a place or of axes tell more than the order of the rows.
  if ('by' in told && told.by !== 'numbers') return;
  const {describeSuspects} = await import('./suspectColumns.ts');
  const line = describeSuspects(points, columns);
  if (line !== '') warn(line);
}

/** Prints a warning. */
export function warn(line: string): void {
  process.stderr.write(`epsball: warning: ${escapeControls(line)}\n`);
}
