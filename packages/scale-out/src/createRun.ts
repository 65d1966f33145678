import {randomUUID} from 'node:crypto';
import {availableParallelism} from 'node:os';
import {checkKnownOptions, InvalidParameterError, validateDbscanParams, type DbscanParams} from '@epsball/clustering';
import {checkCsvFormat} from '@epsball/datasets';
import {checkChoice, checkInteger, checkRun, checkText, checkTexts, checkTile} from './checks.ts';
import {listInputs} from './input/inputFiles.ts';
import {MEMORY_MIN} from './memory.ts';
import {differencesOf} from './requestIdentity.ts';
import {FORMAT, ScaleOutError, type ForcedSizes, type LabelOrder, type RunRequest, type TileBackend} from './run.ts';
import {checkLabelOutput} from './labelOutput.ts';
import {RunFiles} from './runFiles.ts';
import {openStore} from './store/openStore.ts';

/** Default bytes for the data of all tasks of a machine. */
const MEMORY_DEFAULT = 2 ** 32;

const RUN_OPTIONS: readonly (keyof RunOptions)[] = [
  'eps',
  'minPts',
  'input',
  'work',
  'name',
  'memoryBytes',
  'concurrency',
  'workers',
  'columns',
  'delimiter',
  'decimal',
  'precision',
  'dim',
  'tile',
  'order',
  'out',
  'forced',
];

export interface RunOptions extends Pick<DbscanParams, 'eps' | 'minPts'> {
  /** A file, a glob of files, or an S3 URL: Parquet, NPY or CSV. */
  readonly input: string;
  /** Folder or `s3://bucket/prefix` for the files of the run. All workers must reach it. */
  readonly work: string;
  /** Names the run below `work`. A run of this name continues where it was. Default: a new name. */
  readonly name?: string | undefined;
  /** Bytes for the data of the tasks of one machine, beyond the base of each process. Default: 4 GiB. */
  readonly memoryBytes?: number | undefined;
  /** Tasks at a time on one machine: they share `memoryBytes`. Default: one per processor. */
  readonly concurrency?: number | undefined;
  /** Machines, or workers, that share the work. Default: 1. */
  readonly workers?: number | undefined;
  /** CSV and Parquet: names or numbers of columns, axis by axis. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** CSV: the character between columns. Default: by extension and first rows. */
  readonly delimiter?: string | undefined;
  /** CSV: the decimal mark of numbers. Default: `.` */
  readonly decimal?: '.' | ',' | undefined;
  /** Default: `source`. */
  readonly precision?: RunRequest['precision'] | undefined;
  /** NPY vectors: coordinates of a point. */
  readonly dim?: number | undefined;
  /** How tiles are clustered. Default: the calling thread of each task. */
  readonly tile?: Partial<TileBackend> | undefined;
  /**
   * `input`: labels in the order of rows. `tile`: each tile's labels with their rows; saves the last shuffle. Default:
   * `input`.
   */
  readonly order?: LabelOrder | undefined;
  /** Where `writeRunLabels` will write: checked before the run is created. Not part of the run. */
  readonly out?: string | undefined;
  readonly forced?: ForcedSizes | undefined;
}

/**
 * Default tasks at a time: one per processor, and at least `MEMORY_MIN` bytes for each.
 *
 * @throws InvalidParameterError  if `memoryBytes` is not a finite number > 0
 */
export function defaultConcurrency(memoryBytes: number = MEMORY_DEFAULT): number {
  checkMemory(memoryBytes, 0);
  return Math.max(1, Math.min(availableParallelism(), Math.floor(memoryBytes / MEMORY_MIN)));
}

/**
 * Creates a run, or opens the run of this name to continue it. Of several calls at the same time, one creates the run.
 * The others share it.
 *
 * @throws InvalidParameterError  if an option is unknown (metrics and weights, too) or out of range, the input is
 *                                missing or not supported, labels cannot go to `out`, or the store cannot keep two
 *                                runs of one name apart
 * @throws DatasetWriteError      if `out` cannot be written
 * @throws ScaleOutError          if the run exists with other parameters or inputs, names them; if its file is damaged,
 *                                or of another version
 * @throws StoreError             if the store cannot be written
 */
export async function createRun(options: RunOptions): Promise<RunFiles> {
  checkOptions(options);
  const {eps, minPts, memoryBytes = MEMORY_DEFAULT, tile = {}, name = `run-${randomUUID().slice(0, 8)}`} = options;
  const {concurrency = defaultConcurrency(memoryBytes), workers = 1} = options;
  checkMemory(memoryBytes, concurrency);
  checkName(name);
  const files = new RunFiles(await openStore(options.work), name);
  const request: RunRequest = {
    format: FORMAT,
    name,
    params: {eps, minPts},
    inputs: await listInputs(options.input),
    columns: options.columns,
    delimiter: options.delimiter,
    decimal: options.decimal,
    precision: options.precision ?? 'source',
    dim: options.dim,
    memoryBytes: Math.floor(memoryBytes / concurrency),
    tile: {backend: 'sequential', algorithm: 'auto', ...tile},
    order: options.order ?? 'input',
    minTiles: concurrency * workers,
    forced: options.forced,
  };
  checkIsCsv(options, request);
  if (options.out !== undefined) await checkLabelOutput(options.out, request);
  if ((await files.tryRequest()) === undefined) await files.claim(request);
  // What the store holds counts, not what this call wrote: another call may have been faster.
  checkSame(files, await files.request(), request);
  return files;
}

/**
 * Opens a run that exists.
 *
 * @throws InvalidParameterError  if the name or the store is not one
 * @throws ScaleOutError          if there is no such run, its file is damaged, or another version wrote it
 */
export async function openRun(work: string, name: string): Promise<RunFiles> {
  checkName(name);
  const files = new RunFiles(await openStore(work), name);
  await files.request();
  return files;
}

/** Removes a run's files. */
export async function removeRun(run: RunFiles): Promise<void> {
  checkRun(run);
  await run.store.remove(run.name);
}

function checkOptions(options: RunOptions): void {
  checkKnownOptions(options, RUN_OPTIONS, 'options', '{input, work, eps, minPts}');
  const {eps, minPts, input, work, columns, precision, dim, tile, order, concurrency, workers, forced, out} = options;
  validateDbscanParams({eps, minPts});
  checkText('input', input, 'a file, or a pattern that matches files');
  checkText('work', work, 'a folder, or s3://bucket/prefix');
  checkInteger('concurrency', concurrency);
  checkInteger('workers', workers);
  checkTexts('columns', columns);
  checkCsvFormat(options);
  checkChoice('precision', precision, ['source', 'float32', 'float64']);
  checkInteger('dim', dim);
  checkTile('tile', tile);
  checkChoice('order', order, ['input', 'tile']);
  if (out !== undefined) checkText('out', out, 'a folder, or a file .npy');
  if (forced !== undefined) checkForced(forced);
}

/** @throws InvalidParameterError  if a delimiter or a decimal mark is given, and no input is CSV */
function checkIsCsv({delimiter, decimal}: RunOptions, {inputs}: RunRequest): void {
  if (inputs.some(({kind}) => kind === 'csv')) return;
  const expectation = `left out: ${inputs[0].path} is no CSV file`;
  if (delimiter !== undefined) throw new InvalidParameterError('delimiter', delimiter, expectation);
  if (decimal !== undefined) throw new InvalidParameterError('decimal', decimal, expectation);
}

function checkForced(forced: ForcedSizes): void {
  const sizes = ['chunkRows', 'rangeRows', 'capacity'] as const;
  checkKnownOptions(forced, [...sizes, 'tiling'], 'forced', `{${sizes.join(', ')}}`);
  for (const size of sizes) checkInteger(`forced.${size}`, forced[size]);
}

/** @param concurrency  tasks at a time, or 0 if they do not matter */
function checkMemory(memoryBytes: number, concurrency: number): void {
  if (Number.isFinite(memoryBytes) && memoryBytes > 0 && Math.floor(memoryBytes / concurrency) >= MEMORY_MIN) return;
  const expectation = `at least ${MEMORY_MIN * concurrency} bytes: ${MEMORY_MIN} for each task of concurrency ${concurrency}`;
  throw new InvalidParameterError('memoryBytes', memoryBytes, concurrency === 0 ? 'bytes > 0' : expectation);
}

function checkName(name: unknown): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) {
    throw new InvalidParameterError('name', name, 'letters, digits, ".", "_" and "-", at most 100');
  }
}

/** What determines the labels must agree. Memory and workers may differ: the plan keeps those of the first call. */
function checkSame({store, name}: RunFiles, found: RunRequest, request: RunRequest): void {
  const differences = differencesOf(found, request);
  if (differences.length === 0) return;
  const advice = `choose another name (--run), or remove ${store.url}/${name}`;
  throw new ScaleOutError('INPUT_CHANGED', `run ${name} exists with ${differences.join('; ')}; ${advice}`);
}
