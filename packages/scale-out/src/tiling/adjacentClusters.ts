import {pointsAt, squaredDistance, squaredEps} from '@epsball/clustering';
import {buildUniformGrid, MAX_GRID_DIM, NeighborQuery, pointBounds} from '@epsball/spatial-grid';
import {CellMarks} from './cellMarks.ts';
import type {LocalLabels, Sides, TilePoints} from './tilePoints.ts';

/** Pairs of a row and a local cluster that has a core point within eps of it; ascending by row, then cluster. */
export interface AdjacentClusters {
  readonly rows: Float64Array;
  readonly clusters: Int32Array;
}

/**
 * Lists, for each halo point, all clusters that have a core point within eps of it, and the same for each owned border
 * point with several.
 *
 * Two facts save most of the search:
 * - A core point has one cluster, and all core points around it belong to it. Only border points are searched for.
 * - A cluster is *open* if one of its core points is near a face or in the halo. No other tile can unite a closed
 *   cluster with anything, so its rank among the tile's clusters is final. A border point needs its own cluster, which
 *   ranks lowest in the tile, and the open ones: a closed one of higher rank never becomes the lowest.
 */
export function adjacentClusters(tile: TilePoints, eps: number, local: LocalLabels, sides: Sides): AdjacentClusters {
  const {rows} = tile;
  const {labels, coreMask} = local;
  const {isOwned} = sides;
  const isOpen = openClusters(local, sides);
  const bounds = pointBounds(tile.points);
  const marksFor = (count: number): CellMarks => new CellMarks(tile.points, bounds, eps, count);
  const borders = searchedBorders(local, sides, isOpen, marksFor);
  const cores = nearbyCores(tile, local, isOpen, borders, marksFor);
  const visitor = tile.points.dim <= MAX_GRID_DIM && borders.length > 0 ? gridVisitor : linearVisitor;
  const visitNeighbors = visitor(tile, eps, borders, cores);
  const pairs = {rows: [] as number[], clusters: [] as number[]};
  for (let i = 0, nextBorder = 0; i < rows.length; i++) {
    const isSearched = borders[nextBorder] === i;
    if (!isSearched && (isOwned[i] === 1 || coreMask[i] === 0)) continue;
    // A border point has its own cluster and the open ones around it.
    const found = [labels[i]];
    if (isSearched) {
      visitNeighbors(nextBorder++, (core) => {
        if (!found.includes(labels[core])) found.push(labels[core]);
      });
      if (isOwned[i] === 1 && found.length === 1) continue;
    }
    for (const cluster of found.sort((a, b) => a - b)) {
      pairs.rows.push(rows[i]);
      pairs.clusters.push(cluster);
    }
  }
  return {rows: new Float64Array(pairs.rows), clusters: new Int32Array(pairs.clusters)};
}

/** By cluster: 1 if it has a core point near a face or in the halo. */
function openClusters({labels, coreMask, clusterCount}: LocalLabels, {isNearFace, isOwned}: Sides): Uint8Array {
  const isOpen = new Uint8Array(clusterCount);
  for (let i = 0; i < labels.length; i++) {
    if (coreMask[i] === 1 && (isNearFace[i] === 1 || isOwned[i] === 0)) isOpen[labels[i]] = 1;
  }
  return isOpen;
}

/**
 * Ascending: the border points near an open cluster: all of the halo, as each of their clusters is open, and the owned
 * ones that may have a second, open cluster.
 */
function searchedBorders(
  {labels, coreMask}: LocalLabels,
  {isOwned}: Sides,
  isOpen: Uint8Array,
  marksFor: (count: number) => CellMarks,
): Int32Array {
  const openCount = isOpen.reduce((sum, flag) => sum + flag, 0);
  if (openCount === 0) return new Int32Array(0);
  const marks = marksFor(labels.length / 16);
  for (let i = 0; i < labels.length; i++) if (coreMask[i] === 1 && isOpen[labels[i]] === 1) marks.mark(i);
  const borders = new Int32Array(labels.length);
  let length = 0;
  for (let i = 0; i < labels.length; i++) {
    const own = labels[i];
    if (own < 0 || coreMask[i] === 1) continue;
    // A border point has a core point of its own cluster within reach.
    const mayHaveOpen = openCount > isOpen[own] && (isOpen[own] === 1 || marks.hasAround(i));
    if (isOwned[i] === 0 || mayHaveOpen) borders[length++] = i;
  }
  return borders.slice(0, length);
}

/** The core points of open clusters that lie near border points. */
function nearbyCores(
  {points}: TilePoints,
  {labels, coreMask}: LocalLabels,
  isOpen: Uint8Array,
  borders: Int32Array,
  marksFor: (count: number) => CellMarks,
): Int32Array {
  if (borders.length === 0) return borders;
  const marks = marksFor(borders.length * 3 ** Math.min(points.dim, MAX_GRID_DIM));
  for (const border of borders) marks.markAround(border);
  const cores = new Int32Array(labels.length);
  let length = 0;
  for (let i = 0; i < labels.length; i++) {
    if (coreMask[i] === 1 && isOpen[labels[i]] === 1 && marks.has(i)) cores[length++] = i;
  }
  return cores.slice(0, length);
}

type NeighborVisitor = (
  tile: TilePoints,
  eps: number,
  borders: Int32Array,
  cores: Int32Array,
) => (border: number, visit: (core: number) => void) => void;

/** A grid over the border points and the core points, in this order. */
const gridVisitor: NeighborVisitor = ({points}, eps, borders, cores) => {
  const n = borders.length + cores.length;
  const members = new Int32Array(n);
  members.set(borders);
  members.set(cores, borders.length);
  const grid = buildUniformGrid(pointsAt(points, members), eps);
  const query = new NeighborQuery(grid, {eps});
  const {pointOrder, positionOf} = grid;
  const found = new Int32Array(n + 1);
  return (border, visit) => {
    const count = query.neighbors(positionOf[border], found);
    for (let k = 0; k < count; k++) {
      const member = pointOrder[found[k]];
      if (member >= borders.length) visit(cores[member - borders.length]);
    }
  };
};

/** All pairs: beyond the dimensions of a grid. */
const linearVisitor: NeighborVisitor = ({points}, eps, borders, cores) => {
  const {coords, dim} = points;
  const eps2 = squaredEps(eps);
  return (border, visit) => {
    for (const core of cores) if (squaredDistance(coords, dim, borders[border], core) <= eps2) visit(core);
  };
};
