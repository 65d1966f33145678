// The child process of a worker: BullMQ loads this file and calls its default export with one job after another.
import {UnrecoverableError, type SandboxedJob} from 'bullmq';
import {TileClusterer} from '../clusterTile.ts';
import {openRun} from '../createRun.ts';
import type {TileBackend} from '../run.ts';
import {runTaskBy} from '../runTask.ts';
import {DamagedFileError} from '../store/store.ts';
import {endWithWorker} from './endWithWorker.ts';
import {cancelReason, isCancelled} from './conductor.ts';
import {TILE_VARIABLE, type TaskJob} from './connection.ts';
import {parseTaskJob, requireTask} from './foreignJobs.ts';
import {isPermanent} from './permanent.ts';

const CANCEL_POLL_MS = 2000;

endWithWorker();

/** The device of this process stays open from one tile to the next. */
const clusterer = new TileClusterer();

/** @returns what is damaged, if the task found a damaged file of another task, which then runs again */
export default async function processTask({data}: SandboxedJob<TaskJob>): Promise<string | undefined> {
  const stop = new AbortController();
  try {
    await runJob(parseTaskJob(data), stop);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof DamagedFileError && !stop.signal.aborted) return message;
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
