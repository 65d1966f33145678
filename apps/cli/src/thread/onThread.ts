import {on} from 'node:events';
import {Worker} from 'node:worker_threads';
import type {ProgressListener} from '@epsball/clustering';
import {EXTENSION, refusedByNode, SOURCE_OPTIONS} from '@epsball/clustering/node';
import {FailureError, UsageError} from '../errors.ts';

/** A module with work that holds its thread. The job is copied between threads, and arrays of the result are moved. */
export interface JobModule<Job = never, Result extends object = object> {
  readonly run: (job: Job, onProgress: ProgressListener) => Result | Promise<Result>;
}

/** In `workerData`. */
export interface ThreadJob {
  /** The address of a `JobModule`. */
  readonly module: string;
  readonly job: never;
}

/** Sent by the thread: progress any number of times, then the result. An error ends the thread. */
export type JobReply<Result = object> =
  | {readonly progress: Parameters<ProgressListener>[0]}
  | {readonly result: Result};

const THREAD = new URL(`./jobThread.${EXTENSION}`, import.meta.url);

/**
 * Does work on a thread of its own. Meanwhile this thread receives signals and draws the progress bar. Where Node
 * refuses threads, this thread does the work.
 *
 * @param module  the module without its extension, relative to this folder; its type is `Module`
 * @param moved   memory of the job that the caller no longer needs. Default: none
 */
export async function onThread<Module extends JobModule, Result extends object = Awaited<ReturnType<Module['run']>>>(
  module: string,
  job: Parameters<Module['run']>[0],
  {
    signal,
    onProgress,
    moved = [],
  }: {
    readonly signal: AbortSignal | undefined;
    readonly onProgress?: ProgressListener | undefined;
    readonly moved?: readonly ArrayBuffer[];
  },
): Promise<Result> {
  const {href} = new URL(`${module}.${EXTENSION}`, import.meta.url);
  if (refusedByNode('worker', 'threads') !== undefined) {
    const {run}: JobModule<typeof job, Result> = await import(href);
    return run(job, onProgress ?? (() => {}));
  }
  const workerData: ThreadJob = {module: href, job};
  const worker = new Worker(THREAD, {workerData, transferList: [...moved], ...SOURCE_OPTIONS});
  try {
    const replies: AsyncIterable<JobReply<Result>[]> = on(worker, 'message', {signal, close: ['exit']});
    for await (const [reply] of replies) {
      if ('result' in reply) return reply.result;
      onProgress?.(reply.progress);
    }
    throw new FailureError('the thread of the command ended without a result');
  } catch (error) {
    throw await withClass(error);
  } finally {
    void worker.terminate();
  }
}

/** An error loses its class between threads. The class decides its message and exit code. */
async function withClass(error: unknown): Promise<unknown> {
  const {InvalidParameterError, InvalidPointsError} = await import('@epsball/clustering');
  const classes = {FailureError, InvalidParameterError, InvalidPointsError, UsageError};
  const found = Object.entries(classes).find(([name]) => error instanceof Error && error.name === name);
  return found === undefined ? error : Object.setPrototypeOf(error, found[1].prototype);
}
