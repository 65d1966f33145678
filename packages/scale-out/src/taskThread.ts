import type {MessagePort} from 'node:worker_threads';
import {packError, type CarriedError} from './carriedError.ts';
import {TileClusterer} from './clusterTile.ts';
import type {Task, TileBackend} from './run.ts';
import {RunFiles} from './runFiles.ts';
import {runTaskBy} from './runTask.ts';
import {openStore} from './store/openStore.ts';
import type {TaskTimes} from './taskTimes.ts';
import {tellPart} from './threadPool.ts';
import {clusterOnCaller} from './tileService.ts';

/** What a thread gets: a task, and where its run is. */
export interface TaskOrder {
  readonly work: string;
  readonly name: string;
  readonly task: Task;
  readonly tile: TileBackend;
  /** To the calling thread, if that clusters tiles. */
  readonly port?: MessagePort | undefined;
}

/** What a thread returns. */
export type TaskReply = {readonly times: TaskTimes} | {readonly failure: CarriedError};

/** A task of `runLocally` on a thread of its own. */
export default async function runOnThread(order: TaskOrder): Promise<TaskReply> {
  const {work, name, task, tile, port} = order;
  const clusterer = new TileClusterer();
  try {
    const files = new RunFiles(await openStore(work), name);
    const here = clusterer.by(tile, undefined, (part) => tellPart(task.index, part));
    const clusterTile = port === undefined ? here : clusterOnCaller(port, here);
    return {times: await runTaskBy(files, task, clusterTile, undefined)};
  } catch (error) {
    return {failure: packError(error)};
  } finally {
    clusterer.destroy();
    port?.close();
  }
}
