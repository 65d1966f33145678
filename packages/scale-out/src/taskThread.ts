import type {Task, TileBackend} from './run.ts';
import {RunFiles} from './runFiles.ts';
import {runTask} from './runTask.ts';
import {openStore} from './store/openStore.ts';

/** A task of `runLocally` on a thread of its own. */
export default async function runOnThread(order: {
  readonly work: string;
  readonly name: string;
  readonly task: Task;
  readonly tile?: Partial<TileBackend> | undefined;
}): Promise<void> {
  const files = new RunFiles(await openStore(order.work), order.name);
  await runTask(files, order.task, {tile: order.tile});
}
