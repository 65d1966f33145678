import {pointCount} from '@epsball/clustering';
import {adjacentClusters, type AdjacentClusters} from './adjacentClusters.ts';
import {reachOf} from './reach.ts';
import type {LocalLabels, Sides, TilePoints} from './tilePoints.ts';

/** Owned points that other tiles may have in their halos. */
export interface Band {
  /** Ascending. */
  readonly rows: Float64Array;
  /** Local cluster, −1 = noise as far as the tile knows. */
  readonly clusters: Int32Array;
  readonly isCore: Uint8Array;
}

/** What a tile tells the merge. */
export interface TileReport {
  /** By local point: 1 = in the tile's box. */
  readonly isOwned: Uint8Array;
  readonly band: Band;
  readonly adjacent: AdjacentClusters;
  /** By local cluster: the row of its first core point in this tile; ascending. */
  readonly firstCoreRows: Float64Array;
}

/**
 * Reports what other tiles need to know about the clusters of a tile.
 *
 * All neighbours of an owned point are in the tile, so its core flag is right. A halo point may lack neighbours, so a
 * halo point flagged core is core, and each union inside the tile holds. What the tile cannot know is what other tiles
 * unite. So it reports each halo point that is adjacent to a local cluster; its owner knows whether it is core.
 *
 * @param tile    points with ascending rows; not modified
 * @param eps     the eps of `local`
 * @param local   the result of `dbscan(tile.points)`; not modified
 * @complexity    O(n), plus a grid search around the border points
 */
export function reportTile(tile: TilePoints, eps: number, local: LocalLabels): TileReport {
  const reach = reachOf(eps);
  const sides = locate(tile, reach);
  return {
    isOwned: sides.isOwned,
    band: selectBand(tile, local, sides),
    adjacent: adjacentClusters(tile, eps, local, sides),
    firstCoreRows: firstCoreRows(tile, local),
  };
}

/** Only points within reach of a face can be in another halo: disjoint boxes are apart on some axis. */
function locate({box, points}: TilePoints, reach: number): Sides {
  const {coords, dim} = points;
  const n = pointCount(points);
  const isOwned = new Uint8Array(n).fill(1);
  const isNearFace = new Uint8Array(n);
  for (let axis = 0; axis < dim; axis++) {
    const low = box.low[axis];
    const high = box.high[axis];
    for (let i = 0, k = axis; i < n; i++, k += dim) {
      const x = coords[k];
      if (x < low || x >= high) isOwned[i] = 0;
      // An infinite face is no face: x − (−∞) is infinite, which an infinite reach would accept. That is harmless.
      if (x - low <= reach || high - x <= reach) isNearFace[i] = 1;
    }
  }
  return {isOwned, isNearFace};
}

function selectBand({rows}: TilePoints, {labels, coreMask}: LocalLabels, {isOwned, isNearFace}: Sides): Band {
  let length = 0;
  for (let i = 0; i < rows.length; i++) length += isOwned[i] & isNearFace[i];
  const band = {
    rows: new Float64Array(length),
    clusters: new Int32Array(length),
    isCore: new Uint8Array(length),
  };
  for (let i = 0, k = 0; k < length; i++) {
    if ((isOwned[i] & isNearFace[i]) === 0) continue;
    band.rows[k] = rows[i];
    band.clusters[k] = labels[i];
    band.isCore[k] = coreMask[i];
    k++;
  }
  return band;
}

function firstCoreRows({rows}: TilePoints, {labels, coreMask, clusterCount}: LocalLabels): Float64Array {
  const first = new Float64Array(clusterCount);
  // Labels number the clusters by their first core point, so each new cluster has the next label.
  for (let i = 0, next = 0; next < clusterCount; i++) {
    if (coreMask[i] === 1 && labels[i] === next) first[next++] = rows[i];
  }
  return first;
}
