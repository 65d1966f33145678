import {throwIfAborted} from '@epsball/clustering';
import {Piscina} from 'piscina';
import {unpackError, type CarriedError} from './carriedError.ts';
import type {Task, TileBackend} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {runTask} from './runTask.ts';
import {EXTENSION, SOURCE_OPTIONS} from './sourceOptions.ts';
import {nextStage} from './stages.ts';
import type {TaskOrder} from './taskThread.ts';

/** Progress of a run: tasks of the current stage. */
export interface StageProgress {
  readonly stage: Task['kind'];
  readonly done: number;
  readonly total: number;
}

export interface LocalOptions {
  /** Tasks at a time. Above 1, each runs on a thread. Default: 1, on the calling thread. */
  readonly concurrency?: number | undefined;
  readonly tile?: Partial<TileBackend> | undefined;
  /**
   * How the calling thread clusters tiles beside the threads: `{backend: 'gpu'}` for a GPU and the host's processors.
   * Default: it only waits for them.
   */
  readonly callingThreadTile?: Partial<TileBackend> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: StageProgress) => void) | undefined;
  /** Called after each task with its wall and CPU milliseconds; CPU is NaN if tasks run on threads. */
  readonly onTask?: ((task: Task, wallMs: number, cpuMs: number) => void) | undefined;
}

/**
 * Runs all pending tasks of a run in this process: out of core on one machine. A run that was stopped continues.
 *
 * @throws the error of the first task that fails; finished tasks stay done
 */
export async function runLocally(files: RunFiles, options: LocalOptions = {}): Promise<void> {
  const {concurrency = 1, signal, onProgress} = options;
  const hasThreads = concurrency > 1 || options.callingThreadTile !== undefined;
  const runner = hasThreads ? threadRunner(files, concurrency, options) : callingThreadRunner(files, options);
  try {
    for (;;) {
      throwIfAborted(signal, 'scale-out');
      const stage = await nextStage(files);
      if (stage === undefined) return;
      const total = stage.tasks.length;
      let done = total - stage.pending.length;
      onProgress?.({stage: stage.name, done, total});
      await runner.runAll(stage.pending, () => onProgress?.({stage: stage.name, done: ++done, total}));
    }
  } catch (error) {
    throwIfAborted(signal, 'scale-out');
    throw error;
  } finally {
    await runner.close();
  }
}

interface Runner {
  runAll(tasks: readonly Task[], onDone: () => void): Promise<void>;
  close(): Promise<void>;
}

function callingThreadRunner(files: RunFiles, {tile, signal, onTask}: LocalOptions): Runner {
  return {
    runAll: async (tasks, onDone) => {
      for (const task of tasks) {
        const [start, cpu] = [performance.now(), process.cpuUsage()];
        await runTask(files, task, {tile, signal});
        const {user, system} = process.cpuUsage(cpu);
        onTask?.(task, performance.now() - start, (user + system) / 1000);
        onDone();
      }
    },
    close: async () => undefined,
  };
}

function threadRunner(files: RunFiles, concurrency: number, options: LocalOptions): Runner {
  const {tile, callingThreadTile, signal, onTask} = options;
  const pool = new Piscina({
    filename: new URL(`./taskThread.${EXTENSION}`, import.meta.url).href,
    maxThreads: concurrency,
    minThreads: 1,
    // A thread keeps the memory of its last task until it ends.
    idleTimeout: 1000,
    ...SOURCE_OPTIONS,
  });
  const stop = new AbortController();
  const runSignal = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const runOnPool = async (task: Task): Promise<void> => {
    const order: TaskOrder = {work: files.store.url, name: files.name, task, tile};
    const failure: CarriedError | undefined = await pool.run(order, {signal: runSignal});
    if (failure !== undefined) throw unpackError(failure);
  };
  return {
    runAll: async (tasks, onDone) => {
      const queue = [...tasks];
      const runQueue = async (run: (task: Task) => Promise<void>): Promise<void> => {
        for (let task = queue.shift(); task !== undefined && !runSignal.aborted; task = queue.shift()) {
          const start = performance.now();
          await run(task);
          onTask?.(task, performance.now() - start, Number.NaN);
          onDone();
        }
      };
      const slots = Array.from({length: concurrency}, () => runQueue(runOnPool));
      if (callingThreadTile !== undefined && tasks[0]?.kind === 'tile') {
        slots.push(runQueue((task) => runTask(files, task, {tile: callingThreadTile, signal: runSignal})));
      }
      const stopped = slots.map((slot) => slot.catch((error: unknown) => (stop.abort(error), Promise.reject(error))));
      const outcomes = await Promise.allSettled(stopped);
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure !== undefined) throw stop.signal.reason;
      runSignal.throwIfAborted();
    },
    close: () => pool.destroy(),
  };
}
