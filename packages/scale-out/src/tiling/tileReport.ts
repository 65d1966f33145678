import {filled, pointCount, type PointSet} from '@epsball/clustering';
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
  const n = pointCount(points);
  const flags = {isOwned: new Uint8Array(n).fill(1), isNearFace: new Uint8Array(n)};
  const min = new Float64Array(points.dim);
  const max = new Float64Array(points.dim);
  for (let axis = 0; axis < Math.min(points.dim, points.coords.length); axis++) {
    const span = locateOnAxis(points, axis, {low: box.low[axis], high: box.high[axis], reach}, flags);
    min[axis] = span.least;
    max[axis] = span.most;
  }
  return {isOwned: flags.isOwned, nearFace: indicesOf(flags.isNearFace), bounds: {min, max}};
}

function locateOnAxis(
  {coords, dim}: PointSet,
  axis: number,
  {low, high, reach}: {readonly low: number; readonly high: number; readonly reach: number},
  {isOwned, isNearFace}: {readonly isOwned: Uint8Array; readonly isNearFace: Uint8Array},
): {least: number; most: number} {
  let least = coords[axis];
  let most = least;
  for (let i = 0, k = axis; k < coords.length; i++, k += dim) {
    const x = coords[k];
    if (x < least) least = x;
    if (x > most) most = x;
    // An infinite face is no face: x − (−∞) is infinite, which an infinite reach would accept. That is harmless.
    if (x - low > reach && high - x > reach) continue;
    isNearFace[i] = 1;
    if (x < low || x >= high) isOwned[i] = 0;
  }
  return {least, most};
}

function indicesOf(flags: Uint8Array): Int32Array {
  let count = 0;
  for (let i = 0; i < flags.length; i++) count += flags[i];
  const indices = new Int32Array(count);
  for (let i = 0, k = 0; k < indices.length; i++) if (flags[i] === 1) indices[k++] = i;
  return indices;
}

function selectBand({rows}: TilePoints, {labels, coreMask}: LocalLabels, {isOwned, nearFace}: Sides): Band {
  const points = nearFace.filter((i) => isOwned[i] === 1);
  return {
    rows: filled(new Float64Array(points.length), (k) => rows[points[k]]),
    clusters: points.map((i) => labels[i]),
    isCore: filled(new Uint8Array(points.length), (k) => coreMask[points[k]]),
  };
}

function firstCoreRows({rows}: TilePoints, {labels, coreMask, clusterCount}: LocalLabels): Float64Array {
  const first = new Float64Array(clusterCount);
  // Labels number the clusters by their first core point, so each new cluster has the next label.
  for (let i = 0, next = 0; next < clusterCount; i++) {
    if (labels[i] === next && coreMask[i] === 1) first[next++] = rows[i];
  }
  return first;
}
