import type {DbscanParams, PointSet} from '@epsball/clustering';
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

  /** Clusters as `tile` says, until `signal` fires. */
  by(tile: TileBackend, signal: AbortSignal | undefined): ClusterTile {
    return async (points, params) => ({points, local: await this.#cluster(tile, points, params, signal)});
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
    signal: AbortSignal | undefined,
  ): Promise<LocalLabels> {
    clearTimeout(this.#timer);
    const key = JSON.stringify(tile);
    if (key !== this.#tile) this.destroy();
    this.#tile = key;
    this.#dbscan ??= createDbscan(tile);
    try {
      const dbscan = await this.#dbscan;
      return await dbscan.run(points, params, {signal});
    } catch (error) {
      // A lost device is no use to the next tile.
      this.destroy();
      throw error;
    } finally {
      if (this.#dbscan !== undefined) this.#timer = setTimeout(() => this.destroy(), IDLE_MS).unref();
    }
  }
}
