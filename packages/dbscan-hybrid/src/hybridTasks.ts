// What threads do in a run of the hybrid: one function a wave.
// Plain stores go to words of the chunk's own and are read by other threads in later waves only, which `WorkerPool` orders. Unions
// use atomics (`lockFree.ts` of union-find says why the rest is harmless), so waves over two chunks of edges may overlap.
import {NOISE} from '@epsball/clustering';
import {
  clusterNumber,
  makeSets,
  NO_FIRST,
  numberOfFirst,
  uniteShared,
  type ClusterFirsts,
  type PointForest,
} from '@epsball/union-find';

/** Core points from degrees, every point a set of its own, and no firsts; returns the number of core points. */
export function readyForest(
  {forest, firsts, minPts}: {forest: PointForest; firsts: ClusterFirsts; minPts: number},
  start: number,
  end: number,
): number {
  const {isCore, parent} = forest;
  let coreCount = 0;
  // The degrees have come where the firsts will be.
  const {first} = firsts;
  for (let position = start; position < end; position++) {
    const flag = first[position] + 1 >= minPts ? 1 : 0;
    isCore[position] = flag;
    coreCount += flag;
    first[position] = NO_FIRST;
  }
  makeSets(parent, start, end);
  return coreCount;
}

/** Rows of the graph in shared memory. */
export interface EdgeRows {
  /** Columns of the rows from `firstRow` on. */
  readonly edges: Int32Array;
  readonly firstRow: number;
  /** Of all rows: exclusive sums of their lengths modulo 2^32, so differences within a chunk are right. */
  readonly rowStart: Uint32Array;
}

/** Unites the core points of some rows with their neighbours, while other threads unite other rows. */
export function uniteRows(
  {rows, parent}: {rows: EdgeRows; parent: Int32Array},
  startRow: number,
  endRow: number,
): void {
  const {edges, firstRow, rowStart} = rows;
  const base = rowStart[firstRow];
  let from = (rowStart[startRow] - base) >>> 0;
  for (let row = startRow; row < endRow; row++) {
    const to = (rowStart[row + 1] - base) >>> 0;
    for (let k = from; k < to; k++) {
      const neighbor = edges[k];
      // Most edges join nothing: their points have one parent already.
      if (parent[neighbor] !== parent[row]) uniteShared(parent, neighbor, row);
    }
    from = to;
  }
}

/** What labels are made of, once all unions are done, and where they go. */
export interface Labelling {
  /** Flat. */
  readonly forest: PointForest;
  readonly firsts: ClusterFirsts;
  readonly pointOrder: Int32Array;
  /** By original index. */
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
}

/** Labels and core flags of a range of positions; what is not core is noise until `labelBorders` finds a core point beside it. */
export function labelCores(
  {forest, firsts, pointOrder, labels, coreMask}: Labelling,
  start: number,
  end: number,
): void {
  const {isCore, parent} = forest;
  let root = -1;
  let number = NOISE;
  for (let position = start; position < end; position++) {
    const i = pointOrder[position];
    coreMask[i] = isCore[position];
    if (isCore[position] === 0) {
      labels[i] = NOISE;
      continue;
    }
    // Points in a row are mostly of one cluster.
    if (parent[position] !== root) {
      root = parent[position];
      number = clusterNumber(firsts, root);
    }
    labels[i] = number;
  }
}

/** Gives each border point of some rows the lowest number among its core points. Its row holds all of these, and no others. */
export function labelBorders(
  {rows, labelling}: {rows: EdgeRows; labelling: Labelling},
  startRow: number,
  endRow: number,
): void {
  const {edges, firstRow, rowStart} = rows;
  const {forest, firsts, pointOrder, labels} = labelling;
  const {parent} = forest;
  const {first} = firsts;
  const base = rowStart[firstRow];
  let from = (rowStart[startRow] - base) >>> 0;
  for (let row = startRow; row < endRow; row++) {
    const to = (rowStart[row + 1] - base) >>> 0;
    let lowest = NO_FIRST;
    for (let k = from; k < to; k++) lowest = Math.min(lowest, first[parent[edges[k]]]);
    if (to > from) labels[pointOrder[row]] = numberOfFirst(firsts, lowest);
    from = to;
  }
}
