import {resourceUsage} from 'node:process';
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

export interface MeasuredRun extends RunResult {
  readonly concurrency: number;
  readonly hasGpu: boolean;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Peak resident memory of this process since it started. */
  readonly peakMiB: number;
  /** Wall milliseconds from the first task of a stage to its last one. */
  readonly stageMs: Readonly<Record<string, number>>;
  /** Sum of the wall milliseconds of the tasks of a stage. */
  readonly taskMs: Readonly<Record<string, number>>;
  readonly tasks: Readonly<Record<string, number>>;
}

export interface MeasureOptions {
  readonly input: string;
  readonly eps: number;
  readonly minPts: number;
  readonly work: string;
  readonly memoryBytes: number;
  readonly concurrency: number;
  /** A GPU on the calling thread beside the threads. */
  readonly hasGpu: boolean;
  readonly out: string;
  readonly signal: AbortSignal;
  readonly onStage: (line: string) => void;
}

/** Runs out of core once, in a run of its own, and removes its files. */
export async function measureRun(options: MeasureOptions): Promise<MeasuredRun> {
  const {concurrency, hasGpu, out, signal, onStage, ...run} = options;
  const tile: Partial<TileBackend> = {backend: 'sequential'};
  const stageMs: Record<string, number> = {};
  const taskMs: Record<string, number> = {};
  const tasks: Record<string, number> = {};
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const files = await createRun({...run, concurrency: concurrency + Number(hasGpu), tile});
  let stage: {readonly name: string; readonly start: number} | undefined;
  const endStage = (next?: string): void => {
    if (stage?.name === next) return;
    const now = performance.now();
    if (stage !== undefined) {
      stageMs[stage.name] = (stageMs[stage.name] ?? 0) + now - stage.start;
      onStage(`${stage.name}: ${((now - stage.start) / 1000).toFixed(1)} s`);
    }
    stage = next === undefined ? undefined : {name: next, start: now};
  };
  await runLocally(files, {
    concurrency,
    signal,
    ...(hasGpu ? {callingThreadTile: {backend: 'gpu'}} : {}),
    onProgress: ({stage: name}) => endStage(name),
    onTask: (task, wallMs) => {
      const {kind} = task;
      taskMs[kind] = (taskMs[kind] ?? 0) + wallMs;
      tasks[kind] = (tasks[kind] ?? 0) + 1;
      if (wallMs > 60_000) onStage(`${taskName(task)}: ${(wallMs / 1000).toFixed(1)} s`);
    },
  });
  endStage();
  await writeRunLabels(files, out);
  const wallMs = performance.now() - start;
  const {user, system} = process.cpuUsage(cpu);
  const result = await runResult(files);
  await removeRun(files);
  const peakMiB = resourceUsage().maxRSS / 1024;
  return {...result, concurrency, hasGpu, wallMs, cpuMs: (user + system) / 1000, peakMiB, stageMs, taskMs, tasks};
}
