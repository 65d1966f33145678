import {checkKnownOptions, throwIfAborted} from '@epsball/clustering';
import {checkRun, checkTask, checkTile} from './checks.ts';
import {TileClusterer, type ClusterTile} from './clusterTile.ts';
import type {Task, TileBackend} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {runBalance} from './tasks/balanceTask.ts';
import {runImport} from './tasks/importTask.ts';
import {runGather, runJoin, runLabel, runMerge} from './tasks/mergeTasks.ts';
import {runPlan} from './tasks/planTask.ts';
import {runRoute} from './tasks/routeTask.ts';
import {runTile} from './tasks/tileTask.ts';
import type {TaskTimes} from './taskTimes.ts';

export interface TaskOptions {
  /** How this worker clusters tiles. Default: what the run says. */
  readonly tile?: Partial<TileBackend> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a task, if it is not done. Safe to run again, and to run twice at the same time.
 *
 * @throws InvalidParameterError  if the task or an option is not one
 * @throws DamagedFileError  if a file of another task is missing or damaged: `nextStage` then returns that task
 * @throws ScaleOutError, StoreError, DatasetFormatError, and the errors of `dbscan()`
 */
export async function runTask(files: RunFiles, task: Task, options: TaskOptions = {}): Promise<void> {
  checkRun(files);
  checkTask(task);
  checkKnownOptions(options, ['tile', 'signal'], 'options', '{tile, signal}');
  checkTile('tile', options.tile);
  const {tile = {}, signal} = options;
  throwIfAborted(signal, 'scale-out');
  const clusterer = new TileClusterer();
  try {
    const {tile: own} = await files.request();
    await runTaskBy(files, task, clusterer.by({...own, ...tile}, signal), signal);
  } finally {
    clusterer.destroy();
  }
}

/** Runs a task, if it is not done; a tile is clustered by `clusterTile`. */
export function runTaskBy(
  files: RunFiles,
  task: Task,
  clusterTile: ClusterTile,
  signal: AbortSignal | undefined,
): Promise<TaskTimes> {
  const {meter} = files;
  const timed: ClusterTile = (points, params) => meter.time('clusterMs', () => clusterTile(points, params));
  return meter.timesOf(() => runUntimed(files, task, timed, signal));
}

async function runUntimed(
  files: RunFiles,
  task: Task,
  clusterTile: ClusterTile,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  if (await files.isDone(task)) return;
  const {kind, index, round = 0} = task;
  const runs: Readonly<Record<Task['kind'], () => Promise<void>>> = {
    import: () => runImport(files, index, signal),
    plan: () => runPlan(files),
    route: () => runRoute(files, index, round),
    balance: () => runBalance(files, round),
    tile: () => runTile(files, index, clusterTile),
    join: () => runJoin(files, index),
    merge: () => runMerge(files),
    gather: () => runGather(files, index),
    label: () => runLabel(files, index),
  };
  await runs[kind]();
}
