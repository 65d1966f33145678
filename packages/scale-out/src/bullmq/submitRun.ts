import {setTimeout as sleep} from 'node:timers/promises';
import {InvalidParameterError, throwIfAborted} from '@epsball/clustering';
import {escapeControls} from '@epsball/datasets';
import {Queue, type Job} from 'bullmq';
import {checkFunction, checkRun, checkText} from '../checks.ts';
import {openRun} from '../createRun.ts';
import {ScaleOutError} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {nextStage} from '../stages.ts';
import {DamagedFileError} from '../store/store.ts';
import {cancelReason, setCancelled} from './conductor.ts';
import {RUNS, TASKS, type RunJob, type TaskJob} from './connection.ts';
import {isTaskOf, parseProgress, parseRunJob} from './foreignJobs.ts';
import {checkRedis, openRedis, type RedisWait} from './openRedis.ts';

const POLL_MS = 500;

/** States in which a run is not worked at. */
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

export interface SubmitOptions extends RedisWait {
  readonly onProgress?: ((progress: RunSummary) => void) | undefined;
}

/** A run as Redis knows it. */
export interface RunSummary {
  readonly name: string;
  readonly work: string;
  /** `waiting`, `active`, `waiting-children` (tasks are in progress), `completed`, `failed`, `cancelled` … */
  readonly state: string;
  readonly stage?: string | undefined;
  /** Tasks of the stage. */
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** How often tasks in progress were started again. */
  readonly retries: number;
  readonly reason?: string | undefined;
}

/**
 * Submits a run to the workers and waits until it is done. A run that failed, was cancelled, or that Redis forgot
 * continues where it was. Aborting leaves the run to the workers.
 *
 * @throws InvalidParameterError  if an option is not one, or Redis works at a run of this name in another folder
 * @throws ScaleOutError  if Redis refuses the login, or its certificate is not trusted; if the run fails with an error
 *                        that every further attempt meets
 * @throws Error  if the run fails otherwise: with the reason of its first task that failed
 */
export async function submitRun(redis: string, files: RunFiles, options: SubmitOptions = {}): Promise<void> {
  checkRun(files);
  checkRedis(redis, options, ['onProgress']);
  const {signal, onProgress} = options;
  checkFunction('onProgress', onProgress);
  await withQueues(redis, options, async (queues) => {
    await refuseOther(queues, files);
    await setCancelled(files, false);
    await removeFailed(queues, files.name, signal);
    for (;;) {
      throwIfAborted(signal, 'scale-out');
      // Adding a job that exists changes nothing.
      await queues.runs.add('run', {work: files.store.url, name: files.name}, {jobId: files.name, attempts: 8});
      const job = await queues.runs.getJob(files.name);
      const summary = job === undefined ? undefined : await summarize(queues, job);
      if (summary !== undefined) onProgress?.(summary);
      if (summary?.state === 'failed') {
        const message = `run ${files.name} failed: ${summary.reason ?? 'no reason'}`;
        throw (await isFinal(queues, files.name)) ? new ScaleOutError('RUN_FAILED', message) : new Error(message);
      }
      if (summary?.state === 'cancelled') throw new Error(cancelReason(files.name));
      if (summary?.state === 'completed') {
        if (await isDone(files)) return;
        // Files of the run are lost.
        if (job !== undefined) await removeUnlocked(job, signal);
      }
      await sleep(POLL_MS, undefined, {signal}).catch(() => undefined);
    }
  });
}

/** Lists the runs that Redis knows. */
export async function listRuns(redis: string, wait: RedisWait = {}): Promise<RunSummary[]> {
  checkRedis(redis, wait);
  return withQueues(redis, wait, async (queues) => {
    const jobs = await queues.runs.getJobs();
    return Promise.all(jobs.filter((job) => job !== undefined).map((job) => summarize(queues, job)));
  });
}

/**
 * Cancels a run: tasks in progress stop within seconds, and those that wait are removed. Its files stay.
 *
 * @throws InvalidParameterError  if Redis knows no such run, or the run has ended
 */
export async function cancelRun(redis: string, name: string, wait: RedisWait = {}): Promise<void> {
  checkText('name', name, 'a run that Redis knows');
  checkRedis(redis, wait);
  await withQueues(redis, wait, async (queues) => {
    const job = await queues.runs.getJob(name);
    if (job === undefined) throw new InvalidParameterError('name', name, 'a run that Redis knows');
    const {state} = await summarize(queues, job);
    if (ENDED.has(state)) {
      throw new InvalidParameterError('name', name, `a run that has not ended; this one is ${state}`);
    }
    const data = parseRunJob(job.data);
    const files = await openRun(data.work, name);
    await job.updateData({...data, isCancelled: true});
    await setCancelled(files, true);
    const waiting = await queues.tasks.getJobs(['waiting', 'delayed', 'prioritized']);
    for (const task of waiting) if (isTaskOf(name, task.data)) await task.remove().catch(() => undefined);
  });
}

interface Queues {
  readonly runs: Queue<RunJob>;
  readonly tasks: Queue<TaskJob>;
}

/** @throws the signal's reason at once, also while a command waits for a lost Redis */
async function withQueues<Result>(
  redis: string,
  wait: RedisWait,
  use: (queues: Queues) => Promise<Result>,
): Promise<Result> {
  const {signal} = wait;
  const connection = await openRedis(redis, wait);
  const working = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), {signal: working.signal});
  });
  const queues = {runs: new Queue<RunJob>(RUNS, {connection}), tasks: new Queue<TaskJob>(TASKS, {connection})};
  for (const queue of Object.values(queues)) queue.on('error', () => undefined);
  try {
    return await Promise.race([use(queues), aborted]);
  } finally {
    working.abort();
    await Promise.all([queues.runs.close(), queues.tasks.close()]);
    connection.disconnect();
  }
}

/** Whether a run failed by an error after which BullMQ makes no further attempt. */
async function isFinal({runs, tasks}: Queues, name: string): Promise<boolean> {
  const failed = (await tasks.getJobs(['failed'])).filter((task) => isTaskOf(name, task?.data));
  // Without a failed task, the run's own job has failed.
  const jobs = failed.length > 0 ? failed : [await runs.getJob(name)];
  return jobs.some((job) => job !== undefined && job.attemptsMade < (job.opts.attempts ?? 1));
}

/** Jobs have the names of runs: a second run of a name would wait for the first, and fail with it. */
async function refuseOther({runs}: Queues, {name, store}: RunFiles): Promise<void> {
  const job = await runs.getJob(name);
  if (job === undefined || ENDED.has(await job.getState())) return;
  const {work} = describeJob(job);
  if (work === '' || work === store.url) return;
  const expectation = `another name (--run): this Redis works at a run of that name in ${escapeControls(work)}`;
  throw new InvalidParameterError('name', name, expectation);
}

async function removeFailed({runs, tasks}: Queues, name: string, signal: AbortSignal | undefined): Promise<void> {
  const job = await runs.getJob(name);
  if (job === undefined || !(await job.isFailed())) return;
  await removeUnlocked(job, signal);
  for (const task of await tasks.getJobs(['failed'])) if (isTaskOf(name, task.data)) await task.remove();
}

/** Removes the job of a run, and its tasks. BullMQ refuses while a task runs; each ends, or loses its lock. */
async function removeUnlocked(job: Job<RunJob>, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    throwIfAborted(signal, 'scale-out');
    try {
      return await job.remove();
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('locked'))) throw error;
    }
    await sleep(POLL_MS, undefined, {signal}).catch(() => undefined);
  }
}

async function summarize({runs, tasks}: Queues, job: Job<RunJob>): Promise<RunSummary> {
  const {work, name, isCancelled: isMarked} = describeJob(job);
  const jobState = await job.getState();
  const {processed = 0, unprocessed = 0, failed = 0} = await job.getDependenciesCount();
  const progress = parseProgress(job.progress);
  const total = progress?.total ?? processed + unprocessed;
  const active = await tasks.getJobs(['active', 'delayed', 'failed']);
  const own = active.filter((task) => isTaskOf(name, task?.data));
  // A task that waits for another attempt has a reason, too, but has not ended.
  const ended = jobState === 'failed' ? own.filter((task) => task.finishedOn !== undefined) : [];
  // The job may have failed after it was read.
  const {failedReason} = (jobState === 'failed' ? await runs.getJob(name) : undefined) ?? job;
  const reasons = [...ended.map((task) => task.failedReason), failedReason].filter((reason) => reason !== undefined);
  // A cancel may remove the task that would say so.
  const isUnexplained = isMarked === true && reasons.length === 1;
  const isCancelled = jobState === 'failed' && (isUnexplained || reasons.includes(cancelReason(name)));
  return {
    name,
    work,
    state: isCancelled ? 'cancelled' : jobState,
    stage: progress?.stage,
    // A cancel removes tasks that wait, so those left are not all that remain.
    done: Math.min(total, (progress?.doneBefore ?? 0) + processed - (progress?.processedBefore ?? 0)),
    total,
    failed,
    retries: own.reduce((sum, task) => sum + Math.max(0, task.attemptsStarted - 1), 0),
    // The run's own reason only names the task.
    reason: isCancelled ? undefined : reasons[0],
  };
}

async function isDone(files: RunFiles): Promise<boolean> {
  try {
    return (await nextStage(files)) === undefined;
  } catch (error) {
    if (error instanceof DamagedFileError) return false;
    throw error;
  }
}

/** The run of a job. A job that is no run has no folder, and is known by its own name. */
function describeJob({id = '', data}: Job<unknown>): RunJob {
  try {
    return parseRunJob(data);
  } catch {
    return {work: '', name: id};
  }
}
