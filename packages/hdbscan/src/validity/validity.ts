import {
  checkKnownOptions,
  checkMissing,
  filled,
  InvalidParameterError,
  pointCount,
  reportParts,
  takeComplete,
  throwIfAborted,
  toPoints,
  validateDim,
  validatePoints,
  type Metric,
  type MissingOptions,
  type PointSet,
  type PointsInput,
} from '@epsball/clustering';
import {KD_DIM_MAX} from '@epsball/kd-tree';
import type {PoolOptions} from '@epsball/workers';
import {clustersOf, layClusters, type ClusterState, type LabelledClusters} from './clusterState.ts';
import {sparsenessSquared, startTrees} from './clusterTree.ts';
import {onCallingThread, type ValidityEngine, type ValidityRunOptions} from './engine.ts';
import {internalNodes, separationsSquared, type InternalNodes} from './separations.ts';

/** `threads` or a `pool` of `@epsball/workers` share the work. Default: the calling thread alone. */
export interface ValidityOptions extends ValidityRunOptions, PoolOptions, MissingOptions {
  /** Default: `euclidean`, the only one. */
  readonly metric?: Metric | undefined;
}

/** One entry for each distinct label but −1, ascending. */
export interface ClusterValidity {
  readonly label: Int32Array;
  readonly size: Int32Array;
  /** The longest internal edge (DSC); NaN for one point. */
  readonly sparseness: Float64Array;
  /** The smallest reachability of another cluster (the least DSPC); NaN for one point, or without another cluster. */
  readonly separation: Float64Array;
  /** From −1 to 1; 0 where one of the two is NaN. */
  readonly validity: Float64Array;
}

export interface ValidityResult {
  /** From −1 to 1: the validities of the clusters, weighted by their shares of all points, noise included. */
  readonly score: number;
  readonly clusters: ClusterValidity;
}

const OPTION_NAMES: readonly string[] = ['metric', 'missing', 'threads', 'pool', 'signal', 'onProgress'];

/**
 * DBCV, the index of density-based clustering validation: whether clusters of any shape are dense inside and apart from
 * each other. The result has the same bytes for any order of the points and any number of threads.
 *
 * Memory: some 100 + 20 · dim bytes a point.
 *
 * @param points   in any form that `toPoints` takes, 1 to 1536 dimensions; not modified
 * @param labels   of any clustering: n integers, −1 for noise, other clusters ≥ 0, gaps allowed; not modified. With
 *                 `missing: 'drop'` also one a point that lacks no coordinate, as such a clustering returns them
 * @param options  threads start here and end before this resolves; a pool is borrowed
 * @returns        arrays owned by the caller
 * @throws InvalidParameterError, InvalidPointsError, UnsupportedDimensionError, WorkersUnavailableError,
 *         WorkerFailedError, RunAbortedError
 * @complexity     O(Σ |C|² · dim): each pair of a cluster twice for core distances, once for its tree
 * @source         Moulavi, Jaskowiak, Campello, Zimek and Sander 2014, definitions 1 to 8. docs/contract.md has the
 *                 rules for what the paper leaves open
 */
export async function validity(
  points: PointsInput,
  labels: ArrayLike<number>,
  options: ValidityOptions = {},
): Promise<ValidityResult> {
  checkKnownOptions(options, OPTION_NAMES, 'options', 'an object: validity(points, labels, {threads: 4})');
  const {metric = 'euclidean', missing, threads, pool, ...runOptions} = options;
  checkMissing(missing);
  if (missing === 'noise' || missing === 'drop') return ofComplete(points, labels, {...options, missing});
  const checked = toPoints(points);
  validatePoints(checked);
  validateDim(checked.dim, 'validity', KD_DIM_MAX);
  // The density of definition 1 counts axes, and a cluster on a sphere has one fewer than its unit vectors.
  if (metric !== 'euclidean') throw new InvalidParameterError('metric', metric, 'euclidean for validity');
  const n = pointCount(checked);
  if (labels?.length !== n) throw new InvalidParameterError('labels.length', labels?.length, `${n}, one a point`);
  throwIfAborted(options.signal, 'start');

  const clusters = clustersOf(labels);
  const total = clusters.order.reduce((sum, c) => sum + clusters.size[c], 0);
  const isThreaded = threads !== undefined || pool !== undefined;
  const engine = isThreaded
    ? (await import('../workers/validityThreads.ts')).validityThreads({threads, pool}, total, runOptions)
    : onCallingThread(total, runOptions);
  try {
    return resultOf(clusters, n, await measure(checked, labels, clusters, engine, runOptions));
  } finally {
    engine.release();
  }
}

/**
 * The validity of the points that lack nothing. With `noise` the others are noise, which counts among all points; with
 * `drop` they are no points.
 */
async function ofComplete(
  input: PointsInput,
  labels: ArrayLike<number>,
  {missing, ...options}: ValidityOptions,
): Promise<ValidityResult> {
  const {n, points, rows} = takeComplete(input, {}, {});
  const count = rows?.length ?? n;
  const isOfRows = missing === 'drop' && labels?.length === count;
  if (!isOfRows && labels?.length !== n) {
    throw new InvalidParameterError('labels.length', labels?.length, `${n}, one a point`);
  }
  const own = isOfRows || rows === undefined ? labels : filled(new Int32Array(rows.length), (k) => labels[rows[k]]);
  const {score, clusters} = await validity(points, own, options);
  return {score: missing === 'noise' ? scoreOf(clusters, n) : score, clusters};
}

/** Squares for the clusters of two points and more. */
interface Measured {
  readonly sparseness: Float64Array;
  /** NaN if there is one cluster only. */
  readonly separation: Float64Array;
}

async function measure(
  points: PointSet,
  labels: ArrayLike<number>,
  clusters: LabelledClusters,
  engine: ValidityEngine,
  {onProgress}: ValidityRunOptions,
): Promise<Measured> {
  const k = clusters.order.length;
  if (k === 0) return {sparseness: new Float64Array(0), separation: new Float64Array(0)};
  // The other arrays of the clusters are garbage before the next ones are made.
  const {sparseness, nodes, total} = await grow(layClusters(points, labels, clusters, engine), engine);
  if (k === 1) return {sparseness, separation: Float64Array.of(Number.NaN)};
  const onPart = reportParts('separation', total, onProgress);
  onPart?.(0);
  const separation = await separationsSquared(nodes, k, engine, onPart);
  onPart?.(1);
  return {sparseness, separation};
}

/** Core distances and trees. */
async function grow(
  state: ClusterState,
  engine: ValidityEngine,
): Promise<{readonly sparseness: Float64Array; readonly nodes: InternalNodes; readonly total: number}> {
  const {start, left} = state;
  const k = left.length;
  const total = start[k];
  const pairsOf = (c: number): number => (start[c + 1] - start[c]) ** 2 / 2;
  await engine.run('sortChunk', 'core', state, chunks(k, pairsOf, engine.pairs), () => 0);
  let c = 0;
  const partnersOf = (p: number): number => {
    if (p >= start[c + 1]) c++;
    return start[c + 1] - start[c];
  };
  const positions = chunks(total, partnersOf, engine.pairs);
  await engine.run('coresChunk', 'core', state, positions, (count) => positions[count]);
  startTrees(state);
  const waiting = (): number => left.reduce((sum, one) => sum + one, 0);
  // A chunk looks at a part of the pairs of a large cluster. The largest ones are first.
  for (let end = k; end > 0;) {
    await engine.run('treesChunk', 'tree', state, chunks(end, pairsOf, engine.pairs), () => total - waiting());
    while (end > 0 && left[end - 1] === 0) end--;
  }
  const sparseness = Float64Array.from(left, (_, one) => sparsenessSquared(state, one));
  return {sparseness, nodes: internalNodes(state), total};
}

/** Bounds of chunks of `count` items that cost `most` or a little more. */
function chunks(count: number, costOf: (item: number) => number, most: number): number[] {
  const bounds = [0];
  let cost = 0;
  for (let item = 0; item < count; item++) {
    cost += costOf(item);
    if (cost < most && item + 1 < count) continue;
    bounds.push(item + 1);
    cost = 0;
  }
  return bounds;
}

function resultOf({label, size, order}: LabelledClusters, n: number, measured: Measured): ValidityResult {
  const sparseness = new Float64Array(label.length).fill(Number.NaN);
  const separation = sparseness.slice();
  order.forEach((one, c) => {
    sparseness[one] = Math.sqrt(measured.sparseness[c]);
    separation[one] = Math.sqrt(measured.separation[c]);
  });
  const ofClusters = sparseness.map((sparse, c) => validityOf(separation[c], sparse));
  const clusters = {label, size, sparseness, separation, validity: ofClusters};
  return {score: scoreOf(clusters, n), clusters};
}

/** Definition 8. Products are added in ascending order: the numbers of the clusters do not matter. */
function scoreOf({size, validity: ofClusters}: ClusterValidity, n: number): number {
  const products = ofClusters.map((one, c) => size[c] * one).sort();
  return n === 0 ? 0 : products.reduce((sum, one) => sum + one, 0) / n;
}

/** Definition 7. */
function validityOf(separation: number, sparseness: number): number {
  if (Number.isNaN(separation) || separation === sparseness) return 0;
  if (separation === Infinity) return 1;
  if (sparseness === Infinity) return -1;
  return (separation - sparseness) / Math.max(separation, sparseness);
}
