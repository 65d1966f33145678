import {pointsAt, squaredDistance, squaredEps} from '@epsball/clustering';
import {buildUniformGrid, MAX_GRID_DIM, NeighborQuery} from '@epsball/spatial-grid';
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
  const {rows, points} = tile;
  const {labels} = local;
  const isOpen = openClusters(local, sides);
  // Without an open cluster the halo has no core point, and no border point is near one.
  if (!isOpen.includes(1)) return {rows: new Float64Array(0), clusters: new Int32Array(0)};
  const newMarks = (): CellMarks => new CellMarks(points, sides.bounds, eps);
  const sorted = sortPoints(local, sides, isOpen);
  const searched = searchedBorders(local, sides, sorted, newMarks());
  const cores = nearbyCores(sorted, searched, newMarks);
  const visitor = points.dim <= MAX_GRID_DIM && searched.length > 0 ? gridVisitor : linearVisitor;
  const visitNeighbors = visitor(tile, eps, searched, cores);
  const pairs = {rows: [] as number[], clusters: [] as number[]};
  const report = (i: number, cluster: number): void => {
    pairs.rows.push(rows[i]);
    pairs.clusters.push(cluster);
  };
  const {haloCores} = sorted;
  let nextCore = 0;
  for (const [k, border] of searched.entries()) {
    for (; nextCore < haloCores.length && haloCores[nextCore] < border; nextCore++) {
      report(haloCores[nextCore], labels[haloCores[nextCore]]);
    }
    // A border point has its own cluster and the open ones around it.
    const found = [labels[border]];
    visitNeighbors(k, (core) => {
      if (!found.includes(labels[core])) found.push(labels[core]);
    });
    if (sides.isOwned[border] === 1 && found.length === 1) continue;
    for (const cluster of found.sort((a, b) => a - b)) report(border, cluster);
  }
  for (; nextCore < haloCores.length; nextCore++) report(haloCores[nextCore], labels[haloCores[nextCore]]);
  return {rows: new Float64Array(pairs.rows), clusters: new Int32Array(pairs.clusters)};
}

/** By cluster: 1 if it has a core point near a face or in the halo. */
function openClusters({labels, coreMask, clusterCount}: LocalLabels, {nearFace}: Sides): Uint8Array {
  const isOpen = new Uint8Array(clusterCount);
  for (const i of nearFace) if (coreMask[i] === 1) isOpen[labels[i]] = 1;
  return isOpen;
}

/** Lists of points, ascending. */
interface SortedPoints {
  /** Core points of open clusters. */
  readonly openCores: Int32Array;
  readonly borders: Int32Array;
  readonly haloCores: Int32Array;
}

function sortPoints({labels, coreMask}: LocalLabels, {isOwned, nearFace}: Sides, isOpen: Uint8Array): SortedPoints {
  const n = labels.length;
  // Core points from the front, border points from the back.
  const sorted = new Int32Array(n);
  let cores = 0;
  let borders = n;
  for (let i = 0; i < n; i++) {
    const label = labels[i];
    if (label < 0) continue;
    if (coreMask[i] === 0) sorted[--borders] = i;
    else if (isOpen[label] === 1) sorted[cores++] = i;
  }
  return {
    openCores: sorted.subarray(0, cores),
    borders: sorted.subarray(borders).toReversed(),
    haloCores: nearFace.filter((i) => coreMask[i] === 1 && isOwned[i] === 0),
  };
}

/**
 * Ascending: the border points near an open cluster: all of the halo, as each of their clusters is open, and the owned
 * ones that may have a second, open cluster.
 */
function searchedBorders(
  {labels}: LocalLabels,
  {isOwned}: Sides,
  {openCores, borders}: SortedPoints,
  marks: CellMarks,
): Int32Array {
  for (const core of openCores) marks.mark(core, labels[core]);
  return borders.filter((i) => isOwned[i] === 0 || marks.hasOtherAround(i, labels[i]));
}

/** The core points of open clusters that lie near border points. */
function nearbyCores({openCores}: SortedPoints, borders: Int32Array, newMarks: () => CellMarks): Int32Array {
  if (borders.length === 0) return borders;
  const marks = newMarks();
  for (const border of borders) marks.markAround(border);
  return openCores.filter((core) => marks.has(core));
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
