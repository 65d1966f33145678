import {MessageChannel, type MessagePort, type Transferable} from 'node:worker_threads';
import {pointCount, type DbscanParams, type PointSet} from '@epsball/clustering';
import type {LocalLabels} from './tiling/tilePoints.ts';
import {packError, unpackError, type CarriedError} from './carriedError.ts';
import {TileClusterer, type ClusterTile} from './clusterTile.ts';
import type {RunPlan, TileBackend} from './run.ts';
import type {TaskTimes} from './taskTimes.ts';

/** What a thread takes to cluster a point itself: about 1 µs if it has 30 neighbours within eps in 2-D. */
const THREAD_MS_PER_POINT = 1e-3;

/** Devices on one GPU: one computes while points and labels of the other are copied. */
const DEVICES = 2;

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
  /** What the calling thread took for the tile; 0 if the thread clustered it itself. */
  readonly times: () => Pick<TaskTimes, 'callingThreadMs' | 'callingThreadBusyMs'>;
  readonly close: () => void;
}

/** A tile that waits for the calling thread. */
interface Waiting extends TileOrder {
  readonly answer: (answer: TileAnswer & {readonly busyMs: number}) => void;
}

/**
 * Clusters tiles on the calling thread for the threads that have read them: one GPU serves all threads, which read,
 * report and write in the meantime. Arrays of points and labels move between the threads and are not copied.
 */
export class TileService {
  readonly #clusterers: readonly TileClusterer[];
  readonly #tile: TileBackend;
  readonly #signal: AbortSignal | undefined;
  readonly #queue: Waiting[] = [];
  /** The last one was at work last: few tiles at a time open one device. */
  readonly #idle: TileClusterer[];
  #atWork = 0;
  #mostAtWork: number;
  /** Of the tiles so far: no rate before the first. */
  #busyMs = 0;
  #pointCount = 0;

  /** @param clusterers  owned */
  constructor(
    tile: TileBackend,
    signal: AbortSignal | undefined,
    clusterers: readonly TileClusterer[] = clusterersFor(tile),
  ) {
    this.#tile = tile;
    this.#signal = signal;
    this.#clusterers = clusterers;
    this.#mostAtWork = clusterers.length;
    this.#idle = [...clusterers];
  }

  /** Opens a channel for a task. The next idle device opens while its thread reads the tile, and stays open with it. */
  open({capacity, dim}: RunPlan): TileChannel {
    const {port1, port2} = new MessageChannel();
    const next = this.#atWork < this.#mostAtWork ? this.#idle.at(-1) : undefined;
    const release = next?.hold(this.#tile, capacity, dim);
    let times = {callingThreadMs: 0, callingThreadBusyMs: 0};
    port1.once('message', async (order: TileOrder) => {
      const start = performance.now();
      const {busyMs, ...answer} = await this.#answer(order);
      const callingThreadMs = performance.now() - start;
      if (answer.local !== undefined) times = {callingThreadMs, callingThreadBusyMs: busyMs};
      port1.postMessage(answer, buffersOf(answer));
    });
    const close = (): void => {
      port1.close();
      release?.();
    };
    return {port: port2, times: () => times, close};
  }

  destroy(): void {
    for (const clusterer of this.#clusterers) clusterer.destroy();
  }

  #answer(order: TileOrder): Promise<TileAnswer & {readonly busyMs: number}> {
    return new Promise((answer) => {
      this.#queue.push({...order, answer});
      this.#giveBack();
      void this.#work();
    });
  }

  /** Clusters the tiles that wait, one after another. */
  async #work(): Promise<void> {
    if (this.#atWork >= this.#mostAtWork) return;
    const clusterer = this.#idle.pop();
    if (clusterer === undefined) return;
    this.#atWork++;
    while (this.#atWork <= this.#mostAtWork) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      await this.#cluster(clusterer, next);
      this.#giveBack();
    }
    this.#atWork--;
    this.#idle.push(clusterer);
  }

  async #cluster(clusterer: TileClusterer, waiting: Waiting): Promise<void> {
    const {points, params, answer} = waiting;
    const isAlone = this.#mostAtWork === 1;
    const start = performance.now();
    try {
      const {local} = await clusterer.by(this.#tile, this.#signal)(points, params);
      const {labels, coreMask, clusterCount} = local;
      const busyMs = performance.now() - start;
      this.#busyMs += busyMs;
      this.#pointCount += pointCount(points);
      answer({points, local: {labels, coreMask, clusterCount}, busyMs});
    } catch (error) {
      if (isAlone || this.#signal?.aborted === true) answer({points, failure: packError(error), busyMs: 0});
      else {
        // The GPU may have memory for one tile at a time.
        this.#mostAtWork = 1;
        this.#queue.unshift(waiting);
      }
    }
  }

  /** Gives tiles back that their own threads cluster sooner than this one. */
  #giveBack(): void {
    if (this.#pointCount === 0) return;
    const msPerPoint = this.#busyMs / this.#pointCount;
    let waitMs = 0;
    for (const waiting of this.#queue.splice(0)) {
      const n = pointCount(waiting.points);
      if (waitMs / this.#mostAtWork + n * msPerPoint > n * THREAD_MS_PER_POINT) {
        waiting.answer({points: waiting.points, busyMs: 0});
        continue;
      }
      waitMs += n * msPerPoint;
      this.#queue.push(waiting);
    }
  }
}

function clusterersFor({backend}: TileBackend): TileClusterer[] {
  return Array.from({length: backend === 'gpu' ? DEVICES : 1}, () => new TileClusterer());
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
