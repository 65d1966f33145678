import {extname} from 'node:path';
import {escapeControls} from '@epsball/datasets';
import type {DbscanParams} from '@epsball/clustering';
import type {Backend} from '@epsball/dbscan';
import type {RunFiles, RunOptions, RunResult} from '@epsball/scale-out';
import {createProgressBar} from '../cluster/progressBar.ts';
import {FailureError, UsageError} from '../errors.ts';
import {InterruptedError} from '../interrupt.ts';
import {jsonLine} from '../escape.ts';
import {inFlags} from '../flagNames.ts';
import {outputFile, outputFolder, required} from '../options.ts';
import {checkTaskMemory, writeLine} from './flags.ts';
import {loadBullmq, loadScaleOut} from './load.ts';
import {refuseStandardInput, type OutOfCoreOptions} from './options.ts';
import {stageProgress, type StageTasks} from './stageProgress.ts';

export interface ClusterOutOfCoreOptions extends OutOfCoreOptions {
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly columns?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  readonly dim?: number;
  readonly precision: 'source' | 'float32' | 'float64';
  readonly out?: string;
  readonly json?: boolean;
}

/** `epsball cluster INPUT --work DIR`: on this machine, or on the workers of a Redis. */
export async function clusterOutOfCore(
  input: string,
  params: DbscanParams,
  options: ClusterOutOfCoreOptions,
  signal: AbortSignal,
): Promise<void> {
  refuseStandardInput(input);
  const {out, scaleOut, json} = options;
  if (out !== undefined) checkOut(out, options);
  const {createRun, defaultConcurrency, runLocally, runResult, writeRunLabels} = await loadScaleOut();
  // A GPU runs one tile at a time.
  const isGpu = options.backend === 'gpu';
  const concurrency = options.concurrency ?? (isGpu ? 1 : defaultConcurrency(options.memory));
  checkTaskMemory(options.memory, concurrency);
  const startedAt = performance.now();
  const run = await inFlags({out: '--out'}, () => createRun(runOptions(input, params, options, concurrency)));
  const {inputs} = await run.request();
  const inputBytes = inputs.reduce((sum, {bytes}) => sum + bytes, 0);
  const bar = createProgressBar();
  const onProgress = (progress: StageTasks): void => bar.update(stageProgress(progress, inputBytes));
  const onLine = (line: string): void => {
    bar.clear();
    writeLine(line);
  };
  const work = async (): Promise<void> => {
    if (scaleOut === undefined) return runLocally(run, {concurrency, signal, onProgress});
    const {submitRun} = await loadBullmq();
    await submitRun(scaleOut, run, {signal, onProgress, onLine});
  };
  try {
    const result = await withRepairs(work, async () => {
      bar.clear();
      if (out !== undefined) await inFlags({out: '--out'}, () => writeRunLabels(run, out));
      return runResult(run);
    });
    const report = {input, run: run.name, work: run.store.url, ...params, ...result, out};
    const wallMs = performance.now() - startedAt;
    process.stdout.write(json === true ? jsonLine({...report, wallMs}) : formatRun(report, wallMs));
  } catch (error) {
    throw withAdvice(signal.aborted ? signal.reason : error, run);
  } finally {
    bar.clear();
  }
}

/** How often a command repeats tasks whose results are damaged. */
const REPAIRS_MAX = 3;

/** Works and reads the result; works again where a file of the result turns out to be damaged. */
async function withRepairs<Result>(work: () => Promise<void>, read: () => Promise<Result>): Promise<Result> {
  for (let repairs = 0; ; repairs++) {
    await work();
    try {
      return await read();
    } catch (error) {
      if (codeOf(error) !== 'FILE_DAMAGED' || repairs === REPAIRS_MAX) throw error;
    }
  }
}

function runOptions(
  input: string,
  params: DbscanParams,
  options: ClusterOutOfCoreOptions,
  concurrency: number,
): RunOptions {
  const {work, memory, run, workers, order, algorithm, backend, threads} = options;
  const {columns, delimiter, decimal, dim, precision, out} = options;
  // With several tasks at a time, each runs on one thread.
  const tileBackend = backend === 'auto' && concurrency > 1 ? 'sequential' : backend;
  return {
    ...params,
    input,
    work: required('--work', work, 'a folder'),
    name: run,
    order,
    memoryBytes: memory,
    concurrency,
    workers,
    columns,
    delimiter,
    decimal,
    dim,
    precision,
    out,
    tile: {algorithm, backend: tileBackend, ...(threads === undefined ? {} : {threads})},
  };
}

/** @throws UsageError  if labels cannot go there */
function checkOut(out: string, {order}: OutOfCoreOptions): void {
  if (extname(out) === '') outputFolder('--out')(out);
  else if (order === 'tile') throw new UsageError('--out', out, 'a folder, without an extension, with --order tile');
  else outputFile('--out', ['.npy'])(out);
}

/** Codes of errors after which the same run can continue. The messages of others say what to change. */
const CONTINUABLE: ReadonlySet<string> = new Set([
  'STORE_FAILED',
  'FILE_DAMAGED',
  'DATASET_WRITE',
  'GPU_DEVICE_LOST',
  'WORKER_FAILED',
]);

/** Says how to continue, if that is possible: finished tasks stay done. */
function withAdvice(error: unknown, {name}: RunFiles): unknown {
  const advice = `; --run ${name} with the same --work continues`;
  if (error instanceof InterruptedError) return new InterruptedError(error.signal, advice);
  const isFailure = error instanceof Error && (error.name === 'Error' || CONTINUABLE.has(codeOf(error)));
  return isFailure ? new FailureError(`${error.message}${advice}`, {cause: error}) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

interface RunReport extends RunResult {
  readonly input: string;
  readonly run: string;
  readonly out?: string | undefined;
}

function formatRun({input, run, rowCount, clusterCount, tileCount, out}: RunReport, wallMs: number): string {
  const lines = [
    `${escapeControls(input)}: ${rowCount} points, ${clusterCount} clusters`,
    `run ${run}: ${tileCount} ${tileCount === 1 ? 'tile' : 'tiles'}, ${(wallMs / 1000).toFixed(1)} s`,
    ...(out === undefined ? [] : [`labels: ${escapeControls(out)}`]),
  ];
  return `${lines.join('\n')}\n`;
}
