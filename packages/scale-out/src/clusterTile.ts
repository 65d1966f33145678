import {
  partOfPhases,
  type DbscanParams,
  type DbscanRunOptions,
  type PartListener,
  type PointSet,
} from '@epsball/clustering';
import {createDbscan, type Dbscan} from '@epsball/dbscan';
import type {LocalLabels} from './tiling/tilePoints.ts';
import type {TileBackend} from './run.ts';

interface ClusteredTile {
  readonly points: PointSet;
  readonly local: LocalLabels;
}

/** Clusters the points of a tile. The arrays of the points may move to another thread: use those it returns. */
export type ClusterTile = (points: PointSet, params: DbscanParams) => Promise<ClusteredTile>;

/** Some drivers keep a processor busy while a device is open. */
const IDLE_MS = 1000;

/** Clusters one tile after another, and keeps device, pipelines and threads between them. */
export class TileClusterer {
  #tile = '';
  #dbscan: Promise<Dbscan> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #holders = 0;

  /** Clusters as `tile` says, until `signal` fires. `onPart` hears of one tile. */
  by(tile: TileBackend, signal: AbortSignal | undefined, onPart?: PartListener): ClusterTile {
    const run = {signal, onProgress: onPart && partOfPhases(onPart)};
    return async (points, params) => ({points, local: await this.#cluster(tile, points, params, run)});
  }

  /**
   * Opens what tiles of some `n` points need, and keeps it open between them.
   *
   * @returns  ends that
   */
  hold(tile: TileBackend, n: number, dim: number): () => void {
    this.#holders++;
    // The first tile reports what fails.
    const opened = this.#open(tile).then((dbscan) => dbscan.warmUp(n, dim));
    opened.catch(() => undefined);
    return () => {
      this.#holders--;
      this.#closeLater();
    };
  }

  /** Frees what is open. The next tile opens it again. */
  destroy(): void {
    clearTimeout(this.#timer);
    const open = this.#dbscan;
    this.#dbscan = undefined;
    void open?.then(
      (dbscan) => dbscan.destroy(),
      () => undefined,
    );
  }

  async #cluster(
    tile: TileBackend,
    points: PointSet,
    params: DbscanParams,
    run: DbscanRunOptions,
  ): Promise<LocalLabels> {
    this.#holders++;
    try {
      const dbscan = await this.#open(tile);
      return await dbscan.run(points, params, run);
    } catch (error) {
      // A lost device is no use to the next tile.
      this.destroy();
      throw error;
    } finally {
      this.#holders--;
      this.#closeLater();
    }
  }

  #open(tile: TileBackend): Promise<Dbscan> {
    clearTimeout(this.#timer);
    const key = JSON.stringify(tile);
    if (key !== this.#tile) this.destroy();
    this.#tile = key;
    return (this.#dbscan ??= createDbscan(tile));
  }

  #closeLater(): void {
    clearTimeout(this.#timer);
    if (this.#holders > 0 || this.#dbscan === undefined) return;
    this.#timer = setTimeout(() => this.destroy(), IDLE_MS).unref();
  }
}
