import {Queue, Worker} from 'bullmq';
import type {TileBackend} from '../run.ts';
import {EXTENSION, SOURCE_OPTIONS} from '../sourceOptions.ts';
import {conductRun, type TaskJob} from './conductor.ts';
import {redactUrl, RUNS, TASKS, type RunJob} from './connection.ts';
import {openRedis} from './openRedis.ts';
import {TILE_VARIABLE} from './taskVariable.ts';

export interface WorkerOptions {
  /** `redis://…` or `rediss://…`, with a password if there is one. */
  readonly redis: string;
  /** Tasks at a time, each in a child process. Default: 1. */
  readonly concurrency?: number | undefined;
  /** How this worker clusters tiles. Default: what each run says. */
  readonly tile?: Partial<TileBackend> | undefined;
  /** Receives one line for each task that ends, and for each error. */
  readonly onLine?: ((line: string) => void) | undefined;
  /**
   * Milliseconds after which the task of a dead worker counts as lost. Default: 30,000. A child keeps the event loop of
   * its worker free, so a busy worker renews its locks.
   */
  readonly lockMs?: number | undefined;
}

/** A worker of runs. Owns its connections and child processes. */
export interface ScaleOutWorker {
  /** Waits for the tasks in progress, then ends all child processes. With `force`, their tasks go to other workers. */
  close(force?: boolean): Promise<void>;
}

/** How often a task may lose its worker. The default of BullMQ, 1, ends a run whose workers are replaced twice. */
const STALLS_MAX = 100;

/**
 * Starts to process runs and their tasks. Resolves when Redis answers.
 *
 * @throws ScaleOutError  if Redis refuses the login, or its certificate is not trusted
 */
export async function startWorker(options: WorkerOptions): Promise<ScaleOutWorker> {
  const {redis, concurrency = 1, tile, onLine = () => undefined, lockMs = 30_000} = options;
  const connection = await openRedis(redis, (error) => onLine(`${redactUrl(redis)}: ${error.message}`));
  const common = {connection, lockDuration: lockMs, stalledInterval: lockMs, maxStalledCount: STALLS_MAX};
  const tasks = new Queue<TaskJob>(TASKS, {connection});
  const runs = new Worker<RunJob>(RUNS, (job, token) => conductRun(job, token, tasks), {...common, concurrency: 4});
  const children = new Worker<TaskJob>(TASKS, new URL(`./taskProcessor.${EXTENSION}`, import.meta.url), {
    ...common,
    concurrency,
    workerForkOptions: {...SOURCE_OPTIONS, env: {...process.env, [TILE_VARIABLE]: JSON.stringify(tile ?? {})}},
  });
  children.on('completed', (job) => onLine(`${job.id}: done`));
  children.on('failed', (job, error) => onLine(`${job?.id}: ${error.message}`));
  runs.on('failed', (job, error) => onLine(`${job?.id}: ${error.message}`));
  for (const worker of [runs, children]) worker.on('error', (error) => onLine(`${redactUrl(redis)}: ${error.message}`));
  await Promise.all([runs.waitUntilReady(), children.waitUntilReady()]);
  return {
    close: async (force = false) => {
      await Promise.all([runs.close(force), children.close(force)]);
      await tasks.close();
      connection.disconnect();
    },
  };
}
