import {squaredDistance, squaredEps} from '@epsball/clustering';
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
  const {rows} = tile;
  const {labels, coreMask} = local;
  const {isOwned} = sides;
  const isOpen = openClusters(local, sides);
  const borders = searchedBorders(tile, eps, local, sides, isOpen);
  const search = new ClusterSearch(tile, eps, local, isOpen, borders);
  const pairs = new PairList();
  const found: number[] = [];
  for (let i = 0, nextBorder = 0; i < rows.length; i++) {
    if (borders[nextBorder] === i) {
      search.clustersAround(nextBorder++, found);
      if (isOwned[i] === 0 || found.length > 1) for (const cluster of found) pairs.push(rows[i], cluster);
    } else if (isOwned[i] === 0 && coreMask[i] === 1) {
      pairs.push(rows[i], labels[i]);
    }
  }
  return pairs.finish();
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
  tile: TilePoints,
  eps: number,
  {labels, coreMask}: LocalLabels,
  {isOwned}: Sides,
  isOpen: Uint8Array,
): Int32Array {
  const openCount = isOpen.reduce((sum, flag) => sum + flag, 0);
  if (openCount === 0) return new Int32Array(0);
  const marks = new CellMarks(tile.points, eps, labels.length / 16);
  for (let i = 0; i < labels.length; i++) if (coreMask[i] === 1 && isOpen[labels[i]] === 1) marks.mark(i);
  const borders = new Int32Array(labels.length);
  let length = 0;
  for (let i = 0; i < labels.length; i++) {
    const own = labels[i];
    if (own < 0 || coreMask[i] === 1) continue;
    if (isOwned[i] === 0 || (openCount > isOpen[own] && marks.hasAround(i))) borders[length++] = i;
  }
  return borders.slice(0, length);
}

/** Finds the clusters around border points, among the core points of open clusters. */
class ClusterSearch {
  readonly #labels: Int32Array;
  readonly #borders: Int32Array;
  readonly #visitNeighbors: (border: number, visit: (core: number) => void) => void;

  constructor(tile: TilePoints, eps: number, local: LocalLabels, isOpen: Uint8Array, borders: Int32Array) {
    this.#labels = local.labels;
    this.#borders = borders;
    const cores = nearbyCores(tile, eps, local, isOpen, borders);
    const visitor = tile.points.dim <= MAX_GRID_DIM && borders.length > 0 ? gridVisitor : linearVisitor;
    this.#visitNeighbors = visitor(tile, eps, borders, cores);
  }

  /** @param found  receives the clusters, ascending: the point's own one and the open ones */
  clustersAround(border: number, found: number[]): void {
    const labels = this.#labels;
    found.length = 0;
    found.push(labels[this.#borders[border]]);
    this.#visitNeighbors(border, (core) => {
      const cluster = labels[core];
      if (!found.includes(cluster)) found.push(cluster);
    });
    found.sort((a, b) => a - b);
  }
}

/** The core points of open clusters that lie near border points. */
function nearbyCores(
  {points}: TilePoints,
  eps: number,
  {labels, coreMask}: LocalLabels,
  isOpen: Uint8Array,
  borders: Int32Array,
): Int32Array {
  if (borders.length === 0) return borders;
  const marks = new CellMarks(points, eps, borders.length * 3 ** Math.min(points.dim, MAX_GRID_DIM));
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
  const {coords, dim} = points;
  const n = borders.length + cores.length;
  const chosen = coords instanceof Float32Array ? new Float32Array(n * dim) : new Float64Array(n * dim);
  const memberOf = (k: number): number => (k < borders.length ? borders[k] : cores[k - borders.length]);
  for (let k = 0; k < n; k++) {
    const from = memberOf(k) * dim;
    for (let d = 0; d < dim; d++) chosen[k * dim + d] = coords[from + d];
  }
  const grid = buildUniformGrid({coords: chosen, dim}, eps);
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

class PairList {
  #rows = new Float64Array(1024);
  #clusters = new Int32Array(1024);
  #length = 0;

  push(row: number, cluster: number): void {
    if (this.#length === this.#rows.length) this.#grow();
    this.#rows[this.#length] = row;
    this.#clusters[this.#length++] = cluster;
  }

  finish(): AdjacentClusters {
    return {rows: this.#rows.slice(0, this.#length), clusters: this.#clusters.slice(0, this.#length)};
  }

  #grow(): void {
    const rows = new Float64Array(2 * this.#length);
    const clusters = new Int32Array(2 * this.#length);
    rows.set(this.#rows);
    clusters.set(this.#clusters);
    this.#rows = rows;
    this.#clusters = clusters;
  }
}
