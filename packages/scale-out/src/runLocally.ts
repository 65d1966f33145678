import {checkKnownOptions, throwIfAborted} from '@epsball/clustering';
import {checkFunction, checkGpus, checkInteger, checkRun, checkSignal, checkTile} from './checks.ts';
import {GpuProcesses, type GpuPlace} from './gpus/gpuProcesses.ts';
import {PartialCount} from './partialCount.ts';
import type {Task, TileBackend} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {StageWalk} from './stageWalk.ts';
import {DamagedFileError} from './store/store.ts';
import {callingThreadRunner, threadRunner, type RunnerOptions, type TaskRunner} from './taskRunner.ts';
import type {ItemPart} from './threadPool.ts';
import {StageClock, type StageTimes, type TaskTimes} from './taskTimes.ts';

/** Progress of a run: tasks of the current stage, and parts of tiles that are being clustered. */
export interface StageProgress {
  readonly stage: Task['kind'];
  readonly done: number;
  readonly total: number;
}

export interface LocalOptions {
  /**
   * Tasks at a time, at least one for each of `gpus`. Above 1, each has a thread. Default: 1, on the calling thread.
   */
  readonly concurrency?: number | undefined;
  readonly tile?: Partial<TileBackend> | undefined;
  /**
   * How the calling thread clusters the tiles that threads have read: `{backend: 'gpu'}` for a GPU and the host's
   * processors. A thread clusters a tile as `tile` says if the calling thread has enough to do.
   * Default: with a GPU as `tile` and several tasks at a time, that GPU; otherwise the calling thread only waits.
   */
  readonly callingThreadTile?: Partial<TileBackend> | undefined;
  /**
   * GPUs of this host, as `hostGpus` returns them. Each has a process, which runs its share of the tasks and clusters
   * their tiles on its GPU. A process that dies is replaced, and its tasks run again. Default: none.
   */
  readonly gpus?: readonly GpuPlace[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: StageProgress) => void) | undefined;
  /** Called after each task. */
  readonly onTask?: ((task: Task, times: TaskTimes) => void) | undefined;
  /** Called after each stage, with what it took. A stage that had to be repeated comes again. */
  readonly onStage?: ((times: StageTimes) => void) | undefined;
}

/**
 * Runs all pending tasks of a run in this process: out of core on one machine. A run that was stopped continues. A task
 * runs again if its file is missing or damaged when another one reads it.
 *
 * @throws InvalidParameterError  if an option is unknown or out of range
 * @throws the error of the first task that fails; finished tasks stay done
 */
export async function runLocally(files: RunFiles, options: LocalOptions = {}): Promise<void> {
  checkOptions(files, options);
  const {gpus = [], signal, onProgress, onTask, onStage} = options;
  const concurrency = Math.max(options.concurrency ?? 1, gpus.length);
  const tile: TileBackend = {...(await files.request()).tile, ...options.tile};
  const stop = new AbortController();
  const runSignal = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
  let count: PartialCount | undefined;
  const onPart: ItemPart = (index, part) => count?.reach(index, part);
  const runner = createRunner(files, {...options, tile, concurrency, onPart}, runSignal);
  const walk = new StageWalk(files);
  /** Returns the times of a task, or undefined if it lacks a file of another one. */
  const run = async (task: Task): Promise<TaskTimes | undefined> => {
    try {
      return await runner.run(task);
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error;
      walk.report(error.message);
      return undefined;
    }
  };
  try {
    for (;;) {
      throwIfAborted(signal, 'scale-out');
      const stage = await walk.next(signal);
      if (stage === undefined) return;
      const total = stage.tasks.length;
      const ofStage = new PartialCount(total - stage.pending.length, (done) =>
        onProgress?.({stage: stage.name, done, total}),
      );
      count = ofStage;
      const clock = new StageClock(stage.name);
      const queue = [...stage.pending];
      const runQueue = async (): Promise<void> => {
        for (let task = queue.shift(); task !== undefined && !runSignal.aborted; task = queue.shift()) {
          ofStage.begin(task.index);
          const times = await run(task);
          if (times !== undefined) {
            clock.add(times);
            onTask?.(task, times);
          }
          ofStage.end(task.index, times !== undefined);
        }
      };
      await allOrFirstFailure(Array.from({length: concurrency}, runQueue), stop);
      runSignal.throwIfAborted();
      onStage?.(clock.end());
    }
  } catch (error) {
    throwIfAborted(signal, 'scale-out');
    throw error;
  } finally {
    await runner.close();
  }
}

function createRunner(
  files: RunFiles,
  {gpus, ...options}: Pick<LocalOptions, 'gpus'> & RunnerOptions,
  signal: AbortSignal,
): TaskRunner {
  if (gpus !== undefined) return new GpuProcesses(files, gpus, options, signal);
  const {concurrency, callingThreadTile} = options;
  if (concurrency === 1 && callingThreadTile === undefined) return callingThreadRunner(files, options, signal);
  return threadRunner(files, options, signal);
}

/** Waits for all. The first failure stops the others, and is thrown. */
async function allOrFirstFailure(slots: readonly Promise<void>[], stop: AbortController): Promise<void> {
  await Promise.all(slots.map((slot) => slot.catch((error: unknown) => stop.abort(error))));
  stop.signal.throwIfAborted();
}

function checkOptions(files: RunFiles, options: LocalOptions): void {
  checkRun(files);
  const known = ['concurrency', 'tile', 'callingThreadTile', 'gpus', 'signal', 'onProgress', 'onTask', 'onStage'];
  checkKnownOptions(options, known, 'options', '{concurrency, signal, onProgress}');
  const {concurrency, tile, callingThreadTile, gpus, signal, onProgress, onTask, onStage} = options;
  checkInteger('concurrency', concurrency);
  checkTile('tile', tile);
  checkTile('callingThreadTile', callingThreadTile);
  checkGpus(gpus, callingThreadTile);
  checkSignal(signal);
  checkFunction('onProgress', onProgress);
  checkFunction('onTask', onTask);
  checkFunction('onStage', onStage);
}
