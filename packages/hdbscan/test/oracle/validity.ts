import {pointCount, squaredDistance, type PointSet} from '@epsball/clustering';
import type {ValidityResult} from '@epsball/hdbscan';

/** One plausible error each. */
export interface ValidityFlaw {
  /** Sums and ties run by row. */
  readonly keepsRows?: boolean;
  /** Ties of the tree by rank alone. */
  readonly ignoresDistance?: boolean;
  /** Pairs of coinciding points do not count in core distances, as in McInnes's hdbscan. */
  readonly leavesOutCopies?: boolean;
  /** All nodes count as internal. */
  readonly hasNoBorder?: boolean;
  /** The largest of no edges is 0. */
  readonly emptyIsDense?: boolean;
  /** A cluster of one point separates others. */
  readonly singlesSeparate?: boolean;
  /** Without another cluster the separation is infinite. */
  readonly aloneIsApart?: boolean;
  /** Weights are shares of the points in clusters. */
  readonly forgetsNoise?: boolean;
  /** Core distances divide by |C|. */
  readonly countsSelf?: boolean;
  /** Distances are squared, as in the authors' program. */
  readonly keepsSquares?: boolean;
}

/** Points that have a tree, by rank, and what is known of each. */
interface OracleCluster {
  readonly rows: readonly number[];
  readonly core: readonly number[];
  readonly internal: readonly number[];
  readonly sparse: number;
}

/**
 * DBCV as docs/contract.md defines it, step by step.
 *
 * @complexity  O(n² · log n); a list of all edges of a cluster
 */
export function validityOracle(points: PointSet, labels: ArrayLike<number>, flaw: ValidityFlaw = {}): ValidityResult {
  const n = pointCount(points);
  const label = Int32Array.from(new Set(Array.from(labels))).filter((one) => one !== -1);
  label.sort();
  const clusters = Array.from(label, (one) => clusterOf(points, labels, one, flaw));
  const size = Int32Array.from(clusters, ({rows}) => rows.length);
  const scale = flaw.keepsSquares === true ? (squared: number): number => squared : Math.sqrt;
  const sparseness = Float64Array.from(clusters, ({sparse}) => scale(sparse));
  const separation = Float64Array.from(clusters, (one) => {
    const others = clusters.filter((other) => other !== one && other.internal.length > 0);
    if (one.internal.length === 0) return Number.NaN;
    if (others.length === 0) return flaw.aloneIsApart === true ? Infinity : Number.NaN;
    let least = Infinity;
    for (const other of others) least = Math.min(least, reachability(points, one, other));
    return scale(least);
  });
  const validity = sparseness.map((sparse, c) => {
    const apart = separation[c];
    if (Number.isNaN(apart) || Number.isNaN(sparse) || apart === sparse) return 0;
    if (apart === Infinity) return 1;
    if (sparse === Infinity) return -1;
    return (apart - sparse) / Math.max(apart, sparse);
  });
  const products = [...validity].map((one, c) => one * size[c]).sort((a, b) => a - b);
  const whole = flaw.forgetsNoise === true ? size.reduce((a, b) => a + b, 0) : n;
  const score = n === 0 ? 0 : products.reduce((a, b) => a + b, 0) / whole;
  return {score, clusters: {label, size, sparseness, separation, validity}};
}

function clusterOf(points: PointSet, labels: ArrayLike<number>, label: number, flaw: ValidityFlaw): OracleCluster {
  const {coords, dim} = points;
  const rows = Array.from({length: labels.length}, (_, i) => i).filter((i) => labels[i] === label);
  if (flaw.keepsRows !== true) {
    rows.sort((i, j) => {
      const axis = Array.from({length: dim}, (_, d) => d).find((d) => coords[i * dim + d] !== coords[j * dim + d]);
      return axis === undefined ? 0 : coords[i * dim + axis] - coords[j * dim + axis];
    });
  }
  if (rows.length === 1) {
    return {rows, core: [0], internal: flaw.singlesSeparate === true ? [0] : [], sparse: Number.NaN};
  }
  const core = rows.map((i, k) => {
    const squares: number[] = [];
    for (const [other, j] of rows.entries()) if (other !== k) squares.push(squaredDistance(coords, dim, i, j));
    return coreSquared(squares, dim, flaw);
  });
  const edges = spanningTree(points, rows, core, flaw);
  const degree = rows.map(() => 0);
  for (const {a, b} of edges) {
    degree[a]++;
    degree[b]++;
  }
  const isInternal = (k: number): boolean => degree[k] > 1 || flaw.hasNoBorder === true;
  const inside = edges.filter(({a, b}) => isInternal(a) && isInternal(b));
  const counted = inside.length > 0 ? inside : flaw.emptyIsDense === true ? [{weight: 0}] : edges;
  const internal = [...rows.keys()].filter((k) => isInternal(k));
  const sparse = counted.reduce((most, {weight}) => Math.max(most, weight), 0);
  return {rows, core, internal: internal.length > 0 ? internal : [...rows.keys()], sparse};
}

function coreSquared(all: readonly number[], dim: number, flaw: ValidityFlaw): number {
  const squares = flaw.leavesOutCopies === true ? all.filter((square) => square > 0) : all;
  const least = squares.reduce((a, b) => Math.min(a, b), Infinity);
  if (least === 0 || least === Infinity) return flaw.leavesOutCopies === true && least === Infinity ? 0 : least;
  let sum = 0;
  for (const square of squares) {
    let term = dim % 2 === 1 ? Math.sqrt(least / square) : 1;
    for (let h = 2; h <= dim; h += 2) term *= least / square;
    sum += term;
  }
  const mean = sum / (all.length + (flaw.countsSelf === true ? 1 : 0));
  if (dim % 2 === 0) return least / root(mean, dim / 2);
  const y = root(mean, dim);
  return least / (y * y);
}

function root(x: number, k: number): number {
  if (k === 1) return x;
  for (let y = 1; ;) {
    let power = y;
    for (let j = 1; j < k - 1; j++) power *= y;
    const next = y - (y - x / power) / k;
    if (next >= y) return y;
    y = next;
  }
}

interface Edge {
  readonly weight: number;
  readonly square: number;
  readonly a: number;
  readonly b: number;
}

/** Kruskal's algorithm over all pairs, in the order of (w², d², smaller rank, larger rank). */
function spanningTree(
  {coords, dim}: PointSet,
  rows: readonly number[],
  core: readonly number[],
  {ignoresDistance = false}: ValidityFlaw,
): Edge[] {
  const all: Edge[] = [];
  for (let a = 0; a < rows.length; a++) {
    for (let b = a + 1; b < rows.length; b++) {
      const square = squaredDistance(coords, dim, rows[a], rows[b]);
      all.push({weight: Math.max(core[a], core[b], square), square, a, b});
    }
  }
  // Infinite squares have no difference.
  const order = (x: number, y: number): number => (x < y ? -1 : x > y ? 1 : 0);
  all.sort((p, q) => {
    const byDistance = ignoresDistance ? 0 : order(p.square, q.square);
    return order(p.weight, q.weight) || byDistance || p.a - q.a || p.b - q.b;
  });
  const component = [...rows.keys()];
  const find = (k: number): number => {
    let at = k;
    while (component[at] !== at) at = component[at] = component[component[at]];
    return at;
  };
  return all.filter(({a, b}) => {
    const [from, to] = [find(a), find(b)];
    component[from] = to;
    return from !== to;
  });
}

function reachability({coords, dim}: PointSet, one: OracleCluster, other: OracleCluster): number {
  let least = Infinity;
  for (const k of one.internal) {
    for (const j of other.internal) {
      const square = squaredDistance(coords, dim, one.rows[k], other.rows[j]);
      const weight = Math.max(one.core[k], other.core[j], square);
      if (weight < least) least = weight;
    }
  }
  return least;
}
