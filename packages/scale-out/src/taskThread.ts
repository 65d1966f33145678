import {packError, type CarriedError} from './carriedError.ts';
import type {Task, TileBackend} from './run.ts';
import {RunFiles} from './runFiles.ts';
import {runTask} from './runTask.ts';
import {openStore} from './store/openStore.ts';

/** What a thread gets: a task, and where its run is. */
export interface TaskOrder {
  readonly work: string;
  readonly name: string;
  readonly task: Task;
  readonly tile?: Partial<TileBackend> | undefined;
}

/** A task of `runLocally` on a thread of its own. Returns the error, if there is one. */
export default async function runOnThread({work, name, task, tile}: TaskOrder): Promise<CarriedError | undefined> {
  try {
    const files = new RunFiles(await openStore(work), name);
    await runTask(files, task, {tile});
    return undefined;
  } catch (error) {
    return packError(error);
  }
}
