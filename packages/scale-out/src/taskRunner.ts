import {unpackError} from './carriedError.ts';
import {TileClusterer} from './clusterTile.ts';
import type {Task, TileBackend} from './run.ts';
import type {RunFiles} from './runFiles.ts';
import {runTaskBy} from './runTask.ts';
import type {TaskOrder, TaskReply} from './taskThread.ts';
import type {TaskTimes} from './taskTimes.ts';
import {threadPool, type ItemPart} from './threadPool.ts';
import {TileService} from './tileService.ts';

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
  /** Hears of tiles that are being clustered. */
  readonly onPart: ItemPart;
}

/** Runs tasks on the calling thread. */
export function callingThreadRunner(
  files: RunFiles,
  {tile, onPart}: Pick<RunnerOptions, 'tile' | 'onPart'>,
  signal: AbortSignal,
): TaskRunner {
  const clusterer = new TileClusterer();
  return {
    run: (task) =>
      runTaskBy(
        files,
        task,
        clusterer.by(tile, signal, (part) => onPart(task.index, part)),
        signal,
      ),
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
  const pool = threadPool('taskThread', options.concurrency, options.onPart);
  const [own, callerTile] = divideTile(options);
  const service = callerTile === undefined ? undefined : new TileService(callerTile, signal);
  return {
    run: async (task) => {
      const start = performance.now();
      const channel = task.kind === 'tile' ? service?.open(await files.plan()) : undefined;
      try {
        const order: TaskOrder = {work: files.store.url, name: files.name, task, tile: own, port: channel?.port};
        const transferList = channel === undefined ? [] : [channel.port];
        const reply: TaskReply = await pool.run(order, {signal, transferList});
        if ('failure' in reply) throw unpackError(reply.failure);
        return {...reply.times, wallMs: performance.now() - start, ...channel?.times()};
      } finally {
        channel?.close();
      }
    },
    close: async () => {
      service?.destroy();
      await pool.destroy();
    },
  };
}
