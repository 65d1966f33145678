import {randomUUID} from 'node:crypto';
import {availableParallelism} from 'node:os';
import {checkKnownOptions, InvalidParameterError, validateDbscanParams, type DbscanParams} from '@epsball/clustering';
import {listInputs} from './input/inputFiles.ts';
import {MEMORY_MIN} from './memory.ts';
import {FORMAT, ScaleOutError, type ForcedSizes, type LabelOrder, type RunRequest, type TileBackend} from './run.ts';
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
  'precision',
  'dim',
  'tile',
  'order',
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
  readonly forced?: ForcedSizes | undefined;
}

/** Default tasks at a time. */
export function defaultConcurrency(memoryBytes: number = MEMORY_DEFAULT): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(memoryBytes / MEMORY_MIN)));
}

/**
 * Creates a run, or opens the run of this name to continue it.
 *
 * @throws InvalidParameterError  if an option is unknown (metrics and weights, too) or out of range, or the input is
 *                                missing or not supported
 * @throws ScaleOutError          if the run exists with other parameters or inputs
 * @throws StoreError             if the store cannot be written
 */
export async function createRun(options: RunOptions): Promise<RunFiles> {
  checkKnownOptions(options, RUN_OPTIONS, 'options', '{input, work, eps, minPts}');
  const {eps, minPts, memoryBytes = MEMORY_DEFAULT, tile = {}, name = `run-${randomUUID().slice(0, 8)}`} = options;
  const {concurrency = defaultConcurrency(memoryBytes), workers = 1, order = 'input'} = options;
  validateDbscanParams({eps, minPts});
  checkName(name);
  if (order !== 'input' && order !== 'tile') throw new InvalidParameterError('order', order, 'input or tile');
  const taskBytes = Math.floor(memoryBytes / concurrency);
  if (!(taskBytes >= MEMORY_MIN)) {
    const expectation = `at least ${MEMORY_MIN * concurrency} bytes: ${MEMORY_MIN} for each task of concurrency ${concurrency}`;
    throw new InvalidParameterError('memoryBytes', memoryBytes, expectation);
  }
  const files = new RunFiles(await openStore(options.work), name);
  const request: RunRequest = {
    format: FORMAT,
    name,
    params: {eps, minPts},
    inputs: await listInputs(options.input),
    columns: options.columns,
    precision: options.precision ?? 'source',
    dim: options.dim,
    memoryBytes: taskBytes,
    tile: {backend: 'sequential', algorithm: 'auto', ...tile},
    order,
    minTiles: concurrency * workers,
    forced: options.forced,
  };
  const found = await files.tryRequest();
  if (found === undefined) await files.saveRequest(request);
  else checkSame(found, request);
  await files.request();
  return files;
}

/** Opens a run that exists. */
export async function openRun(work: string, name: string): Promise<RunFiles> {
  checkName(name);
  const files = new RunFiles(await openStore(work), name);
  await files.request();
  return files;
}

/** Removes a run's files. */
export async function removeRun({store, name}: RunFiles): Promise<void> {
  await store.remove(name);
}

function checkName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) {
    throw new InvalidParameterError('name', name, 'letters, digits, ".", "_" and "-", at most 100');
  }
}

/** What determines the labels must agree. Memory and workers may differ: the plan keeps those of the first call. */
function checkSame(found: RunRequest, request: RunRequest): void {
  const essence = ({format, params, inputs, columns, precision, dim, order}: RunRequest): string =>
    JSON.stringify([format, params, inputs.map(({hash}) => hash), columns, precision, dim, order]);
  if (essence(found) === essence(request)) return;
  if (found.format !== request.format) return;
  throw new ScaleOutError(
    'INPUT_CHANGED',
    `run ${request.name} exists with other parameters or other input; choose another name, or remove its folder`,
  );
}
