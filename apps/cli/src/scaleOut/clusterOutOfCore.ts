import type {Backend} from '@epsball/dbscan';
import {escapeControls} from '@epsball/datasets';
import type {LabelOrder, RunFiles, RunOptions, RunResult, StageTimes} from '@epsball/scale-out';
import {randomUUID} from 'node:crypto';
import {createProgressBar} from '../cluster/progressBar.ts';
import {codeOf, FailureError, UsageError} from '../errors.ts';
import {jsonLine} from '../escape.ts';
import type {PointFlags} from '../flags.ts';
import {InterruptedError} from '../interrupt.ts';
import {nameOfInput} from '../options.ts';
import {gpuPlaces, loadScaleOut} from './gpuPlaces.ts';
import {loadBullmq, writeLine} from './redis.ts';
import {runInput} from './queryInput.ts';
import {stageProgress, type StageTasks} from './stageProgress.ts';

export interface ScaleRunFlags extends PointFlags {
  readonly eps: number;
  readonly minPts: number;
  readonly work: string;
  readonly run?: string;
  readonly memory?: number;
  readonly concurrency?: number;
  readonly redis?: string;
  readonly workers?: number;
  readonly order?: LabelOrder;
  readonly algorithm: string;
  readonly backend: Backend | 'auto';
  readonly threads?: number;
  readonly gpus?: number | 'all';
  readonly out?: string;
  readonly json?: boolean;
}

/** Clusters files out of core: on this machine, or on the workers of a Redis. */
export async function clusterOutOfCore(input: string, flags: ScaleRunFlags, signal: AbortSignal): Promise<void> {
  const {out, redis, json, memory, backend} = flags;
  const {createRun, defaultConcurrency, runLocally, runResult, writeRunLabels} = await loadScaleOut('scale');
  const gpus = flags.gpus === undefined ? undefined : await gpuPlaces(flags.gpus);
  // One task at a time has all of the memory, for the largest tiles.
  const isOneGpu = backend === 'gpu' && gpus === undefined;
  const asked = flags.concurrency ?? (isOneGpu ? 1 : defaultConcurrency(memory));
  const concurrency = Math.max(asked, gpus?.length ?? 1);
  checkTaskMemory(memory, concurrency);
  const startedAt = performance.now();
  const name = flags.run ?? `run-${randomUUID().slice(0, 8)}`;
  const file = await runInput(input, flags, name, signal);
  const run = await createRun(runOptions({input, file, name}, flags, concurrency));
  const createMs = performance.now() - startedAt;
  const {inputs} = await run.request();
  const inputBytes = inputs.reduce((sum, {bytes}) => sum + bytes, 0);
  const bar = createProgressBar();
  const onProgress = (progress: StageTasks): void => bar.update(stageProgress(progress, inputBytes));
  const onLine = (line: string): void => {
    bar.clear();
    writeLine(line);
  };
  const stages: StageTimes[] = [];
  const onStage = (times: StageTimes): void => void stages.push(times);
  const work = async (): Promise<void> => {
    if (redis === undefined) return runLocally(run, {concurrency, gpus, signal, onProgress, onStage});
    const {submitRun} = await loadBullmq();
    await submitRun(redis, run, {signal, onProgress, onLine});
  };
  try {
    let labelsMs = 0;
    const result = await withRepairs(work, async () => {
      const start = performance.now();
      if (out !== undefined) await writeRunLabels(run, out, {concurrency, onProgress: bar.update});
      labelsMs = performance.now() - start;
      return runResult(run);
    });
    const {eps, minPts} = flags;
    const report = {input: nameOfInput(input), run: run.name, work: run.store.url, eps, minPts, ...result, out};
    const times = {wallMs: performance.now() - startedAt, createMs, labelsMs, stages};
    bar.clear();
    process.stdout.write(json === true ? jsonLine({...report, ...times}) : formatRun(report, times));
  } catch (error) {
    throw withAdvice(signal.aborted ? signal.reason : error, run);
  } finally {
    bar.clear();
  }
}

/** The least bytes that a task takes. */
const MEMORY_MIN = 64e6;

/** @throws UsageError  if the tasks that run at a time do not have the least memory each */
function checkTaskMemory(memory: number | undefined, concurrency: number): void {
  const least = MEMORY_MIN * concurrency;
  if (memory === undefined || memory >= least) return;
  const expectation = `at least ${megabytes(least)}: 64MB for each of ${concurrency} tasks at a time (--concurrency)`;
  throw new UsageError('--memory', megabytes(memory), expectation);
}

function megabytes(bytes: number): string {
  return `${Number((bytes / 1e6).toFixed(3))}MB`;
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

/** @param file  what is read: the input, or the points of a query, whose columns are chosen */
function runOptions(
  {input, file, name}: {readonly input: string; readonly file: string; readonly name: string},
  flags: ScaleRunFlags,
  concurrency: number,
): RunOptions {
  const {eps, minPts, work, workers, columns, delimiter, decimal, precision, dim, order, out} = flags;
  const {gpus, memory: memoryBytes, algorithm, backend, threads} = flags;
  const others = {eps, minPts, work, workers, columns, delimiter, decimal, precision, dim, order, out};
  // With several tasks at a time, each runs on one thread.
  const onThread = backend === 'auto' && concurrency > 1 ? 'sequential' : backend;
  const tileBackend = gpus === undefined ? onThread : 'gpu';
  const tile = {algorithm, backend: tileBackend, ...(threads === undefined ? {} : {threads})};
  const choice = file === input ? {} : {columns: undefined, dim: undefined, precision: undefined};
  return {...others, ...choice, input: file, name, memoryBytes, concurrency, tile};
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

interface RunReport extends RunResult {
  readonly input: string;
  readonly run: string;
  readonly out?: string | undefined;
}

/** Where the seconds of a run went. */
interface RunTimes {
  readonly wallMs: number;
  readonly createMs: number;
  readonly labelsMs: number;
  /** None of a run on the workers of a Redis. */
  readonly stages: readonly StageTimes[];
}

function formatRun(
  {input, run, rowCount, clusterCount, tileCount, out}: RunReport,
  {wallMs, createMs, labelsMs, stages}: RunTimes,
): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const parts = stages.map(({stage, wallMs: ms}) => `${stage} ${seconds(ms)}`);
  const lines = [
    `${escapeControls(input)}: ${rowCount} points, ${clusterCount} clusters`,
    `run ${run}: ${tileCount} ${tileCount === 1 ? 'tile' : 'tiles'}, ${seconds(wallMs)} s`,
    ...(stages.length === 0 ? [] : [`create ${seconds(createMs)}, ${parts.join(', ')}, labels ${seconds(labelsMs)} s`]),
    ...(out === undefined ? [] : [`labels: ${escapeControls(out)}`]),
  ];
  return `${lines.join('\n')}\n`;
}
