import {resourceUsage} from 'node:process';
import {gpuPlaces} from '@epsball/cli/command';
import {
  createRun,
  removeRun,
  runLocally,
  runResult,
  taskName,
  writeRunLabels,
  type RunResult,
  type StageTimes,
  type TileBackend,
} from '@epsball/scale-out';

export interface MeasuredRun extends RunResult {
  readonly concurrency: number;
  readonly hasGpu: boolean;
  /** GPUs that have a process each. */
  readonly gpuProcesses: number;
  readonly wallMs: number;
  /** Of this process. */
  readonly cpuMs: number;
  /** Peak resident memory of this process since it started. */
  readonly peakMiB: number;
  /** In the order of the run, with creation as the first and the labels as the last. */
  readonly stages: readonly StageTimes[];
  /** Tiles that a calling thread clustered. */
  readonly gpuTiles: number;
}

export interface MeasureOptions {
  readonly input: string;
  readonly eps: number;
  readonly minPts: number;
  readonly work: string;
  /** Memory of each task: the pieces are the same for every number of tasks at a time. */
  readonly taskBytes: number;
  readonly concurrency: number;
  /** A GPU on the calling thread beside the threads. */
  readonly hasGpu: boolean;
  /** GPUs with a process each instead. */
  readonly gpus?: number | 'all' | undefined;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

/** Runs out of core once, in a run of its own, and removes its files. */
export async function measureRun(options: MeasureOptions): Promise<MeasuredRun> {
  const {concurrency: asked, hasGpu, gpus: count, out, signal, onLine, taskBytes, ...run} = options;
  const gpus = count === undefined ? undefined : await gpuPlaces(count);
  const concurrency = Math.max(asked, gpus?.length ?? 1);
  const tile: Partial<TileBackend> = {backend: 'sequential'};
  let gpuTiles = 0;
  const stages: StageTimes[] = [];
  const onStage = (times: StageTimes): void => {
    stages.push(times);
    onLine(`${times.stage}: ${(times.wallMs / 1000).toFixed(1)} s`);
  };
  const start = usageOfProcess();
  const files = await createRun({...run, memoryBytes: taskBytes * concurrency, concurrency, tile});
  onStage(ofCaller('create', start, usageOfProcess()));
  await runLocally(files, {
    concurrency,
    gpus,
    signal,
    ...(hasGpu ? {callingThreadTile: {backend: 'gpu'}} : {}),
    onStage,
    onTask: (task, {wallMs, callingThreadMs}) => {
      if (callingThreadMs > 0) gpuTiles++;
      if (wallMs > 60_000) onLine(`${taskName(task)}: ${(wallMs / 1000).toFixed(1)} s`);
    },
  });
  const labelled = usageOfProcess();
  await writeRunLabels(files, out, {concurrency});
  const end = usageOfProcess();
  onStage(ofCaller('labels', labelled, end));
  const [wallMs, cpuMs] = [end.wallMs - start.wallMs, end.cpuMs - start.cpuMs];
  const result = await runResult(files);
  await removeRun(files);
  const peakMiB = resourceUsage().maxRSS / 1024;
  const gpuProcesses = gpus?.length ?? 0;
  return {
    ...result,
    concurrency,
    hasGpu,
    gpuProcesses,
    wallMs,
    cpuMs,
    peakMiB,
    stages,
    gpuTiles,
  };
}

interface Usage {
  readonly wallMs: number;
  readonly cpuMs: number;
}

function usageOfProcess(): Usage {
  const {user, system} = process.cpuUsage();
  return {wallMs: performance.now(), cpuMs: (user + system) / 1000};
}

/** A step that is no task. */
function ofCaller(stage: StageTimes['stage'], start: Usage, end: Usage): StageTimes {
  const wallMs = end.wallMs - start.wallMs;
  const none = {inputMs: 0, readMs: 0, writeMs: 0, readBytes: 0, writtenBytes: 0, clusterMs: 0};
  const caller = {callingThreadMs: 0, callingThreadBusyMs: 0};
  return {stage, tasks: 0, wallMs, taskMs: wallMs, cpuMs: end.cpuMs - start.cpuMs, ...none, ...caller};
}
