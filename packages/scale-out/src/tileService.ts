import {MessageChannel, type MessagePort, type Transferable} from 'node:worker_threads';
import type {DbscanParams, PointSet} from '@epsball/clustering';
import type {LocalLabels} from './tiling/tilePoints.ts';
import {packError, unpackError, type CarriedError} from './carriedError.ts';
import {TileClusterer, type ClusterTile} from './clusterTile.ts';
import type {TileBackend} from './run.ts';

/** Tiles that wait for the calling thread at most. A thread clusters a further one itself. */
const WAITING_MAX = 8;

interface TileOrder {
  readonly points: PointSet;
  readonly params: DbscanParams;
}

interface TileAnswer {
  readonly points: PointSet;
  /** Absent if the calling thread has enough to do, or failed. */
  readonly local?: LocalLabels;
  readonly failure?: CarriedError;
}

/** The calling thread's end of a channel to the thread of one task. */
export interface TileChannel {
  /** For the thread. */
  readonly port: MessagePort;
  /** Milliseconds that the calling thread took for the tile; 0 if the thread clustered it itself. */
  readonly callerMs: () => number;
  readonly close: () => void;
}

/**
 * Clusters tiles on the calling thread for the threads that have read them: one device serves all threads, which read,
 * report and write in the meantime. Arrays of points and labels move between the threads and are not copied.
 */
export class TileService {
  readonly #clusterer = new TileClusterer();
  readonly #cluster: ClusterTile;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(tile: TileBackend, signal: AbortSignal | undefined) {
    this.#cluster = this.#clusterer.by(tile, signal);
  }

  open(): TileChannel {
    const {port1, port2} = new MessageChannel();
    let callerMs = 0;
    port1.once('message', async (order: TileOrder) => {
      const start = performance.now();
      const answer = await this.#answer(order);
      if (answer.local !== undefined) callerMs = performance.now() - start;
      port1.postMessage(answer, buffersOf(answer));
    });
    return {port: port2, callerMs: () => callerMs, close: () => port1.close()};
  }

  destroy(): void {
    this.#clusterer.destroy();
  }

  async #answer({points, params}: TileOrder): Promise<TileAnswer> {
    if (this.#waiting === WAITING_MAX) return {points};
    this.#waiting++;
    const turn = this.#last.then(() => this.#cluster(points, params));
    this.#last = turn.catch(() => undefined);
    try {
      const {local} = await turn;
      const {labels, coreMask, clusterCount} = local;
      return {points, local: {labels, coreMask, clusterCount}};
    } catch (error) {
      return {points, failure: packError(error)};
    } finally {
      this.#waiting--;
    }
  }
}

/** Lets the calling thread cluster a tile, or `otherwise` if that has enough to do. */
export function clusterOnCaller(port: MessagePort, otherwise: ClusterTile): ClusterTile {
  return async (points, params) => {
    const answered = new Promise<TileAnswer>((resolve) => port.once('message', resolve));
    const order: TileOrder = {points, params};
    port.postMessage(order, buffersOf(order));
    const answer = await answered;
    if (answer.failure !== undefined) throw unpackError(answer.failure);
    const {points: returned, local} = answer;
    return local === undefined ? otherwise(returned, params) : {points: returned, local};
  };
}

/** Each buffer once: labels and core flags may share one. */
function buffersOf({points, local}: {points: PointSet; local?: LocalLabels}): Transferable[] {
  const views = local === undefined ? [points.coords] : [points.coords, local.labels, local.coreMask];
  const buffers = new Set(views.map(({buffer}) => buffer));
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
}
