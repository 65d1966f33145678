import {EXTENSION, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {Piscina} from 'piscina';
import {unpackError, type CarriedError} from './carriedError.ts';
import {TileClusterer} from './clusterTile.ts';
import type {Task, TileBackend} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {runTaskBy} from './runTask.ts';
import type {TaskOrder} from './taskThread.ts';
import {TileService} from './tileService.ts';

/** Milliseconds of a task. */
export interface TaskTimes {
  readonly wallMs: number;
  /** Of them, those in which the calling thread clustered the tile of another thread, with waiting for its turn. */
  readonly callingThreadMs: number;
}

/** Runs tasks of one run, several at a time. */
export interface TaskRunner {
  run(task: Task): Promise<TaskTimes>;
  close(): Promise<void>;
}

/** The number of tasks at a time, and the backends that cluster their tiles. */
export interface RunnerOptions {
  readonly concurrency: number;
  readonly tile: TileBackend;
  readonly callingThreadTile?: Partial<TileBackend> | undefined;
}

/** Runs tasks on the calling thread. */
export function callingThreadRunner(files: RunFiles, tile: TileBackend, signal: AbortSignal): TaskRunner {
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
function divideTile({tile, callingThreadTile}: RunnerOptions): [own: TileBackend, caller?: TileBackend] {
  const own: TileBackend = tile.backend === 'gpu' ? {backend: 'sequential', algorithm: 'auto'} : tile;
  if (callingThreadTile !== undefined) return [own, {...tile, ...callingThreadTile}];
  return tile.backend === 'gpu' ? [own, tile] : [own];
}

/** Runs each task on a thread. The calling thread has the device. */
export function threadRunner(files: RunFiles, options: RunnerOptions, signal: AbortSignal): TaskRunner {
  const pool = new Piscina({
    filename: new URL(`./taskThread.${EXTENSION}`, import.meta.url).href,
    maxThreads: options.concurrency,
    minThreads: 1,
    // A thread keeps the memory of its last task until it ends.
    idleTimeout: 1000,
    ...SOURCE_OPTIONS,
  });
  const [own, callerTile] = divideTile(options);
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
