import {checkKnownOptions, throwIfAborted} from '@epsball/clustering';
import {EXTENSION, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {Piscina} from 'piscina';
import {unpackError, type CarriedError} from './carriedError.ts';
import {checkFunction, checkInteger, checkRun, checkSignal, checkTile} from './checks.ts';
import {TileClusterer} from './clusterTile.ts';
import type {Task, TileBackend} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {runTaskBy} from './runTask.ts';
import {StageWalk} from './stageWalk.ts';
import {DamagedFileError} from './store/store.ts';
import type {TaskOrder} from './taskThread.ts';
import {TileService} from './tileService.ts';

/** Progress of a run: tasks of the current stage. */
export interface StageProgress {
  readonly stage: Task['kind'];
  readonly done: number;
  readonly total: number;
}

/** Milliseconds of a task. */
export interface TaskTimes {
  readonly wallMs: number;
  /** Of them, those in which the calling thread clustered the tile of another thread, with waiting for its turn. */
  readonly callingThreadMs: number;
}

export interface LocalOptions {
  /** Tasks at a time. Above 1, each runs on a thread. Default: 1, on the calling thread. */
  readonly concurrency?: number | undefined;
  readonly tile?: Partial<TileBackend> | undefined;
  /**
   * How the calling thread clusters the tiles that threads have read: `{backend: 'gpu'}` for a GPU and the host's
   * processors. A thread clusters a tile as `tile` says if the calling thread has enough to do.
   * Default: with a GPU as `tile` and several tasks at a time, that GPU; otherwise the calling thread only waits.
   */
  readonly callingThreadTile?: Partial<TileBackend> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: StageProgress) => void) | undefined;
  /** Called after each task. */
  readonly onTask?: ((task: Task, times: TaskTimes) => void) | undefined;
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
  const {concurrency = 1, signal, onProgress, onTask} = options;
  const tile: TileBackend = {...(await files.request()).tile, ...options.tile};
  const stop = new AbortController();
  const runSignal = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]);
  const hasThreads = concurrency > 1 || options.callingThreadTile !== undefined;
  const runner = hasThreads
    ? threadRunner(files, tile, options, runSignal)
    : callingThreadRunner(files, tile, runSignal);
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
      let done = total - stage.pending.length;
      onProgress?.({stage: stage.name, done, total});
      const queue = [...stage.pending];
      const runQueue = async (): Promise<void> => {
        for (let task = queue.shift(); task !== undefined && !runSignal.aborted; task = queue.shift()) {
          const times = await run(task);
          if (times === undefined) continue;
          onTask?.(task, times);
          onProgress?.({stage: stage.name, done: ++done, total});
        }
      };
      await allOrFirstFailure(Array.from({length: concurrency}, runQueue), stop);
      runSignal.throwIfAborted();
    }
  } catch (error) {
    throwIfAborted(signal, 'scale-out');
    throw error;
  } finally {
    await runner.close();
  }
}

/** Waits for all. The first failure stops the others, and is thrown. */
async function allOrFirstFailure(slots: readonly Promise<void>[], stop: AbortController): Promise<void> {
  await Promise.all(slots.map((slot) => slot.catch((error: unknown) => stop.abort(error))));
  stop.signal.throwIfAborted();
}

function checkOptions(files: RunFiles, options: LocalOptions): void {
  checkRun(files);
  const known = ['concurrency', 'tile', 'callingThreadTile', 'signal', 'onProgress', 'onTask'];
  checkKnownOptions(options, known, 'options', '{concurrency, signal, onProgress}');
  const {concurrency, tile, callingThreadTile, signal, onProgress, onTask} = options;
  checkInteger('concurrency', concurrency);
  checkTile('tile', tile);
  checkTile('callingThreadTile', callingThreadTile);
  checkSignal(signal);
  checkFunction('onProgress', onProgress);
  checkFunction('onTask', onTask);
}

interface Runner {
  run(task: Task): Promise<TaskTimes>;
  close(): Promise<void>;
}

function callingThreadRunner(files: RunFiles, tile: TileBackend, signal: AbortSignal): Runner {
  const clusterer = new TileClusterer();
  return {
    run: async (task) => {
      const start = performance.now();
      await runTaskBy(files, task, clusterer.by(tile, signal), signal);
      return {wallMs: performance.now() - start, callingThreadMs: 0};
    },
    close: async () => clusterer.destroy(),
  };
}

/** Dawn must not run on threads: it crashes when one ends. */
function divideTile(tile: TileBackend, {callingThreadTile}: LocalOptions): [own: TileBackend, caller?: TileBackend] {
  const own: TileBackend = tile.backend === 'gpu' ? {backend: 'sequential', algorithm: 'auto'} : tile;
  if (callingThreadTile !== undefined) return [own, {...tile, ...callingThreadTile}];
  return tile.backend === 'gpu' ? [own, tile] : [own];
}

function threadRunner(files: RunFiles, tile: TileBackend, options: LocalOptions, signal: AbortSignal): Runner {
  const pool = new Piscina({
    filename: new URL(`./taskThread.${EXTENSION}`, import.meta.url).href,
    maxThreads: options.concurrency ?? 1,
    minThreads: 1,
    // A thread keeps the memory of its last task until it ends.
    idleTimeout: 1000,
    ...SOURCE_OPTIONS,
  });
  const [own, callerTile] = divideTile(tile, options);
  const service = callerTile === undefined ? undefined : new TileService(callerTile, signal);
  return {
    run: async (task) => {
      const start = performance.now();
      const channel = task.kind === 'tile' ? service?.open() : undefined;
      try {
        const order: TaskOrder = {work: files.store.url, name: files.name, task, tile: own, port: channel?.port};
        const transferList = channel === undefined ? [] : [channel.port];
        const failure: CarriedError | undefined = await pool.run(order, {signal, transferList});
        if (failure !== undefined) throw unpackError(failure);
      } finally {
        channel?.close();
      }
      return {wallMs: performance.now() - start, callingThreadMs: channel?.callerMs() ?? 0};
    },
    close: async () => {
      service?.destroy();
      await pool.destroy();
    },
  };
}
