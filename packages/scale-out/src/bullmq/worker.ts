import {checkKnownOptions, InvalidParameterError} from '@epsball/clustering';
import {EXTENSION} from '@epsball/clustering/node';
import {escapeControls} from '@epsball/datasets';
import {Queue, Worker, type WorkerOptions as BullmqOptions} from 'bullmq';
import {checkFunction, checkGpus, checkInteger, checkSignal, checkTile} from '../checks.ts';
import {forkOptionsAt, type GpuPlace} from '../gpus/gpuProcesses.ts';
import type {TileBackend} from '../run.ts';
import {guardChildPool} from './guardChildPool.ts';
import {conductRun} from './conductor.ts';
import {redactUrl, redisOptions, RUNS, TASKS, TILE_VARIABLE, type RunJob, type TaskJob} from './connection.ts';
import {openRedis} from './openRedis.ts';
import {withoutPassword} from './redisPassword.ts';

export interface WorkerOptions {
  /**
   * `redis://…` or `rediss://…`. A password is in it, in `EPSBALL_REDIS_PASSWORD`, or in the file that
   * `EPSBALL_REDIS_PASSWORD_FILE` names.
   */
  readonly redis: string;
  /** Tasks at a time, each in a child process. Default: 1. */
  readonly concurrency?: number | undefined;
  /** How this worker clusters tiles. Default: what each run says. */
  readonly tile?: Partial<TileBackend> | undefined;
  /** GPUs of this host, as `hostGpus` returns them, each with `concurrency` tasks at a time. Default: none. */
  readonly gpus?: readonly GpuPlace[] | undefined;
  /** Receives one line for each task that ends, and for each error, without control characters. */
  readonly onLine?: ((line: string) => void) | undefined;
  /**
   * Milliseconds after which the task of a dead worker counts as lost. Default: 30,000. A child keeps the event loop of
   * its worker free, so a busy worker renews its locks.
   */
  readonly lockMs?: number | undefined;
  /** Ends the wait for a Redis that does not answer yet. Later on, `close` ends the worker. */
  readonly signal?: AbortSignal | undefined;
}

/** A worker of runs. Owns its connections and child processes. */
export interface ScaleOutWorker {
  /**
   * Waits for the tasks in progress, then ends all child processes. With `force`, or while Redis cannot be reached, it
   * does not wait: other workers repeat the tasks.
   */
  close(force?: boolean): Promise<void>;
}

/** How often a task may lose its worker. The default of BullMQ, 1, ends a run whose workers are replaced twice. */
const STALLS_MAX = 100;

/**
 * Seconds for which an idle worker asks for its next task. BullMQ gives up one second later if Redis is lost meanwhile,
 * and until then the process cannot end.
 */
const IDLE_WAIT_S = 1;

/**
 * Starts to process runs and their tasks. Resolves when Redis answers.
 *
 * @throws InvalidParameterError  if an option is unknown or out of range
 * @throws ScaleOutError  if Redis refuses the login, or its certificate is not trusted
 */
export async function startWorker(options: WorkerOptions): Promise<ScaleOutWorker> {
  checkOptions(options);
  const {redis, concurrency = 1, lockMs = 30_000, gpus = [{}]} = options;
  const tile = options.gpus === undefined ? options.tile : {...options.tile, backend: 'gpu' as const};
  // Names of jobs, and reasons, come from Redis.
  const onLine = (line: string): void => options.onLine?.(escapeControls(line));
  const connection = await openRedis(redis, {signal: options.signal, onLine});
  const common = {
    connection,
    drainDelay: IDLE_WAIT_S,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: STALLS_MAX,
  };
  const tasks = new Queue<TaskJob>(TASKS, {connection});
  const runs = new Worker<RunJob>(RUNS, (job, token) => conductRun(job, token, tasks), {...common, concurrency: 4});
  const children = gpus.map((place) => startChildren(place, {...common, concurrency}, tile, onLine));
  runs.on('failed', (job, error) => onLine(`${job?.id}: ${error.message}`));
  const workers = [runs, ...children];
  const reportError = (error: Error): void => {
    // The connection reports its losses itself.
    if (connection.status === 'ready') onLine(`${redactUrl(redis)}: ${error.message}`);
  };
  // Without a listener, BullMQ prints each error with its stack.
  tasks.on('error', reportError);
  for (const worker of workers) worker.on('error', reportError);
  await Promise.all(workers.map((worker) => worker.waitUntilReady()));
  return {
    close: async (force = false) => {
      // A command waits for a lost Redis without end, and so would the last ones of a worker.
      const isLost = connection.status !== 'ready';
      const lost = new Promise<void>((resolve) => connection.once('close', () => resolve()));
      const closed = Promise.all(workers.map((worker) => worker.close(force || isLost)));
      await Promise.race(isLost ? [closed] : [closed, lost]);
      if (connection.status !== 'ready') {
        // Nothing else ends the child processes then.
        await Promise.all(children.map((worker) => worker['childPool']?.clean()));
        for (const worker of workers) void worker.disconnect().catch(() => undefined);
      }
      await tasks.close();
      connection.disconnect();
    },
  };
}

/** Runs tasks in child processes that see only the GPU of a place. */
function startChildren(
  place: GpuPlace,
  options: BullmqOptions,
  tile: Partial<TileBackend> | undefined,
  onLine: (line: string) => void,
): Worker<TaskJob> {
  const {env, ...how} = forkOptionsAt(place);
  const children = new Worker<TaskJob>(TASKS, new URL(`./taskProcessor.${EXTENSION}`, import.meta.url), {
    ...options,
    workerForkOptions: {...how, env: {...withoutPassword(env), [TILE_VARIABLE]: JSON.stringify(tile ?? {})}},
  });
  guardChildPool(children['childPool']);
  children.on('completed', (job, damage) => onLine(`${job.id}: ${damage ?? 'done'}`));
  children.on('failed', (job, error) => onLine(`${job?.id}: ${error.message}`));
  return children;
}

function checkOptions(options: WorkerOptions): void {
  const known = ['redis', 'concurrency', 'tile', 'gpus', 'onLine', 'lockMs', 'signal'];
  checkKnownOptions(options, known, 'options', '{redis, concurrency, tile, onLine}');
  const {redis, concurrency, tile, gpus, onLine, lockMs = 1, signal} = options;
  redisOptions(redis);
  checkInteger('concurrency', concurrency);
  checkTile('tile', tile);
  checkGpus(gpus);
  checkFunction('onLine', onLine);
  if (!(Number.isFinite(lockMs) && lockMs > 0)) throw new InvalidParameterError('lockMs', lockMs, 'milliseconds > 0');
  checkSignal(signal);
}
