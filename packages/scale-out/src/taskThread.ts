import type {MessagePort} from 'node:worker_threads';
import {packError, type CarriedError} from './carriedError.ts';
import {TileClusterer} from './clusterTile.ts';
import type {Task, TileBackend} from './run.ts';
import {RunFiles} from './runFiles.ts';
import {runTaskBy} from './runTask.ts';
import {openStore} from './store/openStore.ts';
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

/** A task of `runLocally` on a thread of its own. Returns the error, if there is one. */
export default async function runOnThread(order: TaskOrder): Promise<CarriedError | undefined> {
  const {work, name, task, tile, port} = order;
  const clusterer = new TileClusterer();
  try {
    const files = new RunFiles(await openStore(work), name);
    const here = clusterer.by(tile, undefined);
    await runTaskBy(files, task, port === undefined ? here : clusterOnCaller(port, here), undefined);
    return undefined;
  } catch (error) {
    return packError(error);
  } finally {
    clusterer.destroy();
    port?.close();
  }
}
