import {UnrecoverableError, WaitingChildrenError, type Job, type Queue} from 'bullmq';
import {openRun} from '../createRun.ts';
import {taskName} from '../run.ts';
import type {RunFiles} from '../runFiles.ts';
import {StageWalk, type StagePlace} from '../stageWalk.ts';
import {parsePlace, parseRunJob} from './foreignJobs.ts';
import {isPermanent} from './permanent.ts';
import type {RunJob, RunProgress, TaskJob} from './connection.ts';

/** Waits of 1, 2, 4 … s between attempts: a store that fails for a minute is waited for. */
const ATTEMPTS = 8;

/**
 * Processes the job of a run: adds the pending tasks of the next stage as children, and waits for them. When they are
 * done, BullMQ starts it again.
 *
 * The store alone decides which stage is next, so nothing is lost with Redis but the time to look. A task that finds a
 * damaged file returns what is damaged: then the stage of the task that wrote it is next.
 */
export async function conductRun(job: Job<RunJob>, token: string | undefined, tasks: Queue<TaskJob>): Promise<void> {
  try {
    const {work, name} = parseRunJob(job.data);
    const files = await openRun(work, name);
    const walk = new StageWalk(files, await placeOf(job));
    for (const damage of Object.values(await job.getChildrenValues<unknown>())) {
      if (typeof damage === 'string') walk.report(damage);
    }
    for (;;) {
      if (await isCancelled(files)) throw new UnrecoverableError(cancelReason(name));
      const stage = await walk.next();
      if (stage === undefined) return;
      const {pending, tasks: all} = stage;
      const {processed: processedBefore = 0} = await job.getDependenciesCount({processed: true});
      const doneBefore = all.length - pending.length;
      const progress: RunProgress = {stage: stage.name, total: all.length, doneBefore, processedBefore};
      await job.updateProgress({...progress, place: walk.place});
      await tasks.addBulk(
        pending.map((task) => ({
          name: task.kind,
          data: {work, name, task},
          opts: {
            jobId: `${name}.${taskName(task)}`,
            parent: {id: job.id ?? name, queue: job.queueQualifiedName},
            attempts: ATTEMPTS,
            backoff: {type: 'exponential', delay: 1000},
            failParentOnFailure: true,
            // A finished job of the same id would keep a forgotten task from running again.
            removeOnComplete: true,
          },
        })),
      );
      if (await job.moveToWaitingChildren(token ?? '')) throw new WaitingChildrenError();
    }
  } catch (error) {
    if (isPermanent(error)) throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
    throw error;
  }
}

/** Where the run was. A worker that dies here leaves tasks of the last stage pending: that stage is no setback. */
async function placeOf(job: Job<RunJob>): Promise<StagePlace> {
  const place = parsePlace(job.progress);
  const {unprocessed = 0} = await job.getDependenciesCount({unprocessed: true});
  return unprocessed > 0 ? {...place, ordinal: place.ordinal - 1} : place;
}

/** The file that cancels a run. It lies beside the run's other files, so every worker sees it. */
const CANCELLED = 'cancelled';

/** Why the tasks of a cancelled run end. */
export function cancelReason(name: string): string {
  return `run ${name} was cancelled`;
}

export async function isCancelled({store, name}: RunFiles): Promise<boolean> {
  return (await store.read(`${name}/${CANCELLED}`)) !== undefined;
}

export async function setCancelled({store, name}: RunFiles, isSet: boolean): Promise<void> {
  if (isSet) await store.write(`${name}/${CANCELLED}`, [Buffer.from('cancelled')]);
  else await store.remove(`${name}/${CANCELLED}`);
}
