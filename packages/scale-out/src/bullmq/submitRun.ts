import {setTimeout as sleep} from 'node:timers/promises';
import {throwIfAborted} from '@epsball/clustering';
import {Queue, type Job} from 'bullmq';
import {openRun} from '../createRun.ts';
import type {RunFiles} from '../runFiles.ts';
import {nextStage} from '../stages.ts';
import {setCancelled, type RunProgress, type TaskJob} from './conductor.ts';
import {RUNS, TASKS, type RunJob} from './connection.ts';
import {openRedis} from './openRedis.ts';

const POLL_MS = 500;

export interface SubmitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RunSummary) => void) | undefined;
}

/** A run as Redis knows it. */
export interface RunSummary {
  readonly name: string;
  readonly work: string;
  /** `waiting`, `active`, `waiting-children` (tasks are in progress), `completed`, `failed` … */
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
 * @throws ScaleOutError  if Redis refuses the login, or its certificate is not trusted
 * @throws Error  if the run fails: with the reason of its first task that failed
 */
export async function submitRun(redis: string, files: RunFiles, options: SubmitOptions = {}): Promise<void> {
  const {signal, onProgress} = options;
  await withQueues(redis, async (queues) => {
    await setCancelled(files, false);
    await removeFailed(queues, files.name);
    for (;;) {
      throwIfAborted(signal, 'scale-out');
      // Adding a job that exists changes nothing.
      await queues.runs.add('run', {work: files.store.url, name: files.name}, {jobId: files.name, attempts: 8});
      const job = await queues.runs.getJob(files.name);
      const summary = job === undefined ? undefined : await summarize(queues, job);
      if (summary !== undefined) onProgress?.(summary);
      if (summary?.state === 'failed') throw new Error(`run ${files.name} failed: ${summary.reason ?? 'no reason'}`);
      if (summary?.state === 'completed') {
        if ((await nextStage(files)) === undefined) return;
        // Someone removed files of the run.
        await job?.remove();
      }
      await sleep(POLL_MS, undefined, {signal}).catch(() => undefined);
    }
  });
}

/** Lists the runs that Redis knows. */
export async function listRuns(redis: string): Promise<RunSummary[]> {
  return withQueues(redis, async (queues) => {
    const jobs = await queues.runs.getJobs();
    return Promise.all(jobs.filter((job) => job !== undefined).map((job) => summarize(queues, job)));
  });
}

/**
 * Cancels a run: tasks in progress stop within seconds, and those that wait are removed. Its files stay.
 *
 * @throws Error  if Redis knows no such run
 */
export async function cancelRun(redis: string, name: string): Promise<void> {
  await withQueues(redis, async (queues) => {
    const job = await queues.runs.getJob(name);
    if (job === undefined) throw new Error(`no run ${name}`);
    await setCancelled(await openRun(job.data.work, name), true);
    const waiting = await queues.tasks.getJobs(['waiting', 'delayed', 'prioritized']);
    for (const task of waiting) if (task.data.name === name) await task.remove().catch(() => undefined);
  });
}

interface Queues {
  readonly runs: Queue<RunJob>;
  readonly tasks: Queue<TaskJob>;
}

async function withQueues<Result>(redis: string, use: (queues: Queues) => Promise<Result>): Promise<Result> {
  const connection = await openRedis(redis);
  const queues = {runs: new Queue<RunJob>(RUNS, {connection}), tasks: new Queue<TaskJob>(TASKS, {connection})};
  for (const queue of Object.values(queues)) queue.on('error', () => undefined);
  try {
    return await use(queues);
  } finally {
    await Promise.all([queues.runs.close(), queues.tasks.close()]);
    connection.disconnect();
  }
}

async function removeFailed({runs, tasks}: Queues, name: string): Promise<void> {
  const job = await runs.getJob(name);
  if (job === undefined || !(await job.isFailed())) return;
  await job.remove();
  for (const task of await tasks.getJobs(['failed'])) if (task.data.name === name) await task.remove();
}

async function summarize({tasks}: Queues, job: Job<RunJob>): Promise<RunSummary> {
  const {work, name} = job.data;
  const state = await job.getState();
  const {processed = 0, unprocessed = 0, failed = 0} = await job.getDependenciesCount();
  const progress = isRunProgress(job.progress) ? job.progress : undefined;
  const active = await tasks.getJobs(['active', 'delayed', 'failed']);
  const own = active.filter((task) => task?.data.name === name);
  return {
    name,
    work,
    state,
    stage: progress?.stage,
    // Processed children of earlier stages count as well.
    done: Math.max(0, (progress?.total ?? processed + unprocessed) - unprocessed),
    total: progress?.total ?? processed + unprocessed,
    failed,
    retries: own.reduce((sum, task) => sum + Math.max(0, task.attemptsStarted - 1), 0),
    // The run's own reason only names the task.
    reason: own.find((task) => task.failedReason !== undefined && state === 'failed')?.failedReason ?? job.failedReason,
  };
}

function isRunProgress(progress: unknown): progress is RunProgress {
  return typeof progress === 'object' && progress !== null && 'stage' in progress && 'total' in progress;
}
