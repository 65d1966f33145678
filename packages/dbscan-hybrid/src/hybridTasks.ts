// What threads do in a run of the hybrid: one function a wave.
// Plain stores go to words of the chunk's own. Other threads read them in later waves only, which `WorkerPool` orders.
// Unions use atomics (`lockFree.ts` of union-find has the proof), so waves over two chunks of edges may overlap.
import {NOISE} from '@epsball/clustering';
import {
  clusterNumber,
  findFirsts,
  makeSets,
  markFirsts,
  markFirstsOf,
  NO_FIRST,
  rankFirsts,
  uniteShared,
  type ClusterFirsts,
  type PointForest,
} from '@epsball/union-find';

export interface SharedRun {
  readonly forest: PointForest;
  readonly firsts: ClusterFirsts;
  /** Original index; until the first wave over the rows the highest bit tells core points. */
  readonly pointOrder: Int32Array;
  readonly labels: Int32Array;
  readonly coreMask: Uint8Array;
  /** One word: number of edges of border points in the united rows, modulo 2^32. */
  readonly borderEdges: Int32Array;
  /** Word 0: number of clusters; then their roots. If the number exceeds the room, the list is incomplete. */
  readonly roots: Int32Array;
  readonly clusterCount: Int32Array;
}

export interface EdgeRows {
  readonly edges: Int32Array;
  readonly firstRow: number;
  /** Of all rows: exclusive sums of their lengths modulo 2^32, so differences within a chunk are right. */
  readonly rowStart: Uint32Array;
}

export interface RowRun {
  readonly rows: EdgeRows;
  readonly run: SharedRun;
}

/** Every point a set of its own, where parents do not come with the rows. */
export function makeRowSets({parent}: PointForest, start: number, end: number): void {
  makeSets(parent, start, end);
}

/** Resets firsts, labels and core flags. Labels are new memory, whose pages are touched while the device works. */
export function readyRows({run: {firsts, labels, coreMask}}: RowRun, start: number, end: number): void {
  firsts.first.fill(NO_FIRST, start, end);
  labels.fill(NOISE, start, end);
  coreMask.fill(0, start, end);
}

/** Unpacks core flags of rows, and unites their core points with their neighbours. */
export function uniteRows({rows, run}: RowRun, startRow: number, endRow: number): void {
  const {edges, firstRow, rowStart} = rows;
  const {forest, pointOrder, borderEdges} = run;
  const {isCore, parent} = forest;
  const base = rowStart[firstRow];
  let from = (rowStart[startRow] - base) >>> 0;
  let ofBorders = 0;
  for (let row = startRow; row < endRow; row++) {
    const to = (rowStart[row + 1] - base) >>> 0;
    const word = pointOrder[row];
    isCore[row] = word >>> 31;
    pointOrder[row] = word & 0x7fffffff;
    if (word >= 0) ofBorders += to - from;
    for (let k = word < 0 ? from : to; k < to; k++) {
      const neighbor = edges[k];
      // Most edges join nothing: their points have one parent already.
      if (parent[neighbor] !== parent[row]) uniteShared(parent, neighbor, row);
    }
    from = to;
  }
  Atomics.add(borderEdges, 0, ofBorders);
}

/** A border point gets the lowest number among its core points: its row has one of each adjacent cluster. */
export function labelRows({rows, run}: RowRun, startRow: number, endRow: number): void {
  const {edges, firstRow, rowStart} = rows;
  const {forest, firsts, pointOrder, labels, coreMask} = run;
  const {isCore, parent} = forest;
  const base = rowStart[firstRow];
  let from = (rowStart[startRow] - base) >>> 0;
  let root = -1;
  let number = NOISE;
  for (let row = startRow; row < endRow; row++) {
    const to = (rowStart[row + 1] - base) >>> 0;
    const i = pointOrder[row];
    let own = -1;
    if (isCore[row] === 1) {
      own = parent[row];
      coreMask[i] = 1;
    } else if (to > from) own = lowestRoot(firsts, parent, edges, from, to);
    from = to;
    if (own < 0) continue;
    // Points in a row are mostly of one cluster.
    if (own !== root) {
      root = own;
      number = clusterNumber(firsts, root);
    }
    labels[i] = number;
  }
}

/** Returns the root of the first cluster among those of a row, which has at least one core point. */
function lowestRoot({first}: ClusterFirsts, parent: Int32Array, edges: Int32Array, from: number, to: number): number {
  let root = parent[edges[from]];
  for (let k = from + 1; k < to; k++) {
    const other = parent[edges[k]];
    if (other !== root && first[other] < first[root]) root = other;
  }
  return root;
}

// Tasks of one wave with several steps (`rowSteps.ts`); all have the same input.

/** Lists the roots as well, all of a chunk's or none. */
export function findRowFirsts(
  {run: {forest, firsts, pointOrder, roots}}: RowRun,
  startRow: number,
  endRow: number,
): void {
  const most = roots.length - 1;
  const own = findFirsts(forest, firsts, pointOrder, startRow, endRow, most);
  const count = own?.length ?? most + 1;
  const at = Atomics.add(roots, 0, count);
  if (own !== undefined && at + count <= most) roots.set(own, 1 + at);
}

/** One chunk, of all rows: a word of marks is 32 points, and clusters are mostly few. */
export function numberRowFirsts(
  {run: {forest, firsts, roots, clusterCount}}: RowRun,
  startRow: number,
  endRow: number,
): void {
  if (roots[0] < roots.length) markFirstsOf(roots.subarray(1, 1 + roots[0]), firsts);
  else markFirsts(forest, firsts, startRow, endRow);
  clusterCount[0] = rankFirsts(firsts);
}
