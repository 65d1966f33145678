import {readFileSync} from 'node:fs';
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
  type TileBackend,
} from '@epsball/scale-out';
import {addStages, StageClock, type StageMeasure} from './stageClock.ts';

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
  readonly stages: readonly StageMeasure[];
  /** Tiles that the calling thread clustered, and its milliseconds for them. */
  readonly gpuTiles: number;
  readonly gpuMs: number;
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
  let [gpuTiles, gpuMs] = [0, 0];
  const clock = new StageClock(usageOfProcess, onLine);
  clock.begin('create');
  const files = await createRun({...run, memoryBytes: taskBytes * concurrency, concurrency, tile});
  await runLocally(files, {
    concurrency,
    gpus,
    signal,
    ...(hasGpu ? {callingThreadTile: {backend: 'gpu'}} : {}),
    onProgress: ({stage}) => clock.begin(stage),
    onTask: (task, {wallMs, callingThreadMs}) => {
      clock.addTask(wallMs);
      if (callingThreadMs > 0) gpuTiles++;
      gpuMs += callingThreadMs;
      if (wallMs > 60_000) onLine(`${taskName(task)}: ${(wallMs / 1000).toFixed(1)} s`);
    },
  });
  clock.begin('labels');
  await writeRunLabels(files, out);
  const stages = clock.end();
  const {wallMs, cpuMs} = stages.reduce(addStages);
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
    gpuMs,
  };
}

/** CPU time of this process, and the bytes that its system calls have read and written; NaN if unknown. */
function usageOfProcess(): {read: number; written: number; cpuMs: number} {
  const {user, system} = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  try {
    const text = readFileSync('/proc/self/io', 'utf8');
    const valueOf = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1]);
    return {read: valueOf('rchar'), written: valueOf('wchar'), cpuMs};
  } catch {
    return {read: Number.NaN, written: Number.NaN, cpuMs};
  }
}
