// The child process of a worker: BullMQ loads this file and calls its default export with one job after another.
import {UnrecoverableError, type SandboxedJob} from 'bullmq';
import {TileClusterer} from '../clusterTile.ts';
import {openRun} from '../createRun.ts';
import type {TileBackend} from '../run.ts';
import {runTaskBy} from '../runTask.ts';
import {cancelReason, isCancelled, type TaskJob} from './conductor.ts';
import {parseTaskJob, requireTask} from './foreignJobs.ts';
import {isPermanent} from './permanent.ts';
import {TILE_VARIABLE} from './taskVariable.ts';

const CANCEL_POLL_MS = 2000;

// The channel closes when the worker dies. Without this, the child would finish its task and then wait for ever.
process.once('disconnect', () => process.exit(1));

/** The device of this process stays open from one tile to the next. */
const clusterer = new TileClusterer();

export default async function processTask({data}: SandboxedJob<TaskJob>): Promise<void> {
  const stop = new AbortController();
  try {
    await runJob(parseTaskJob(data), stop);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (stop.signal.aborted || isPermanent(error)) throw new UnrecoverableError(message);
    throw error;
  }
}

async function runJob({work, name, task}: TaskJob, stop: AbortController): Promise<void> {
  const tile: Partial<TileBackend> = JSON.parse(process.env[TILE_VARIABLE] ?? '{}');
  const files = await openRun(work, name);
  const checkCancelled = async (): Promise<void> => {
    if (await isCancelled(files)) stop.abort(new Error(cancelReason(name)));
  };
  const timer = setInterval(() => void checkCancelled().catch(() => undefined), CANCEL_POLL_MS);
  try {
    await checkCancelled();
    await requireTask(files, task);
    const {tile: own} = await files.request();
    await runTaskBy(files, task, clusterer.by({...own, ...tile}, stop.signal), stop.signal);
  } finally {
    clearInterval(timer);
  }
}
