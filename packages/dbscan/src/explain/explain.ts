import {
  checkRow,
  indicesBelow,
  InvalidParameterError,
  NOISE,
  pointCount,
  smallestEps,
  validatePoints,
  type DbscanParams,
  type DbscanResult,
  type PointsInput,
  type RunOptions,
} from '@epsball/clustering';
import {prepareRun, type DbscanRequest} from '../request.ts';
import {CoreBounds} from './coreBounds.ts';

/** Parts of the work for a row: the bounds for core, label and cluster. */
const PARTS = 3;

/** Why a point has its label, and what would change it. Every eps is in the unit of the metric. */
export interface DbscanExplanation {
  readonly row: number;
  readonly label: number;
  readonly isCore: boolean;
  /** Points within eps, and within `epsTime` if there are times, the point itself counted. */
  readonly neighbors: number;
  /** Their weight; as many as `neighbors` without weights. */
  readonly weight: number;
  /** What is missing to minPts; 0 for a core point. */
  readonly missing: number;
  /** The smallest eps at which the point is core; infinite if there is none. At the float64 before it is not. */
  readonly coreEps: number;
  /** The smallest eps at which the point is not noise: in a cluster of now, or in one of what is noise now. */
  readonly labelEps: number;
  /** The smallest eps at which a point that has a label now is core, and within eps; infinite if there is none. */
  readonly clusterEps: number;
  /** The label of that point, the lowest of several; −1 if there is none. */
  readonly cluster: number;
}

/**
 * Explains labels of DBSCAN: how many neighbours points have, what is missing to be core, and the smallest eps at which
 * they become core, get a label, and reach a cluster, with all other parameters as they are.
 *
 * @param points  that were clustered; not modified
 * @param params  of the clustering
 * @param result  of the clustering
 * @param rows    indices of points
 * @param options `onProgress` hears of the parts of each row
 * @returns       one explanation a row
 * @throws InvalidParameterError, InvalidPointsError  as `dbscan`; if the result does not fit, or a row does not exist
 * @complexity    O(n · log n · minPts) a row
 */
export function explain(
  points: PointsInput,
  params: DbscanRequest,
  result: Pick<DbscanResult, 'labels' | 'coreMask'>,
  rows: readonly number[],
  {onProgress}: Pick<RunOptions<'explain'>, 'onProgress'> = {},
): DbscanExplanation[] {
  const prepared = prepareRun(points, params, {});
  validatePoints(prepared.points);
  const n = pointCount(prepared.points);
  for (const name of ['labels', 'coreMask'] as const) {
    const {length} = result[name];
    if (length !== n) throw new InvalidParameterError(`${name}.length`, length, `${n}, one a point`);
  }
  const bounds = new CoreBounds(prepared.points, prepared.params);
  return rows.map((row, done) => {
    const tell = (part: number): void =>
      onProgress?.({phase: 'explain', done: PARTS * done + part, total: PARTS * rows.length});
    tell(0);
    checkRow(row, n);
    const distances = bounds.distancesFrom(row);
    const core = bounds.of(row, 0);
    tell(1);
    const label = labelBound(core, distances, bounds);
    tell(2);
    const joined = clusterBound(distances, result, bounds);
    return {
      ...neighborhood(row, bounds, prepared.params, result),
      coreEps: smallestEps(core, params),
      labelEps: smallestEps(label, params),
      clusterEps: smallestEps(joined.bound, params),
      cluster: joined.cluster,
    };
  });
}

function neighborhood(
  row: number,
  bounds: CoreBounds,
  params: DbscanParams,
  {labels, coreMask}: Pick<DbscanResult, 'labels' | 'coreMask'>,
): Omit<DbscanExplanation, 'coreEps' | 'labelEps' | 'clusterEps' | 'cluster'> {
  let neighbors = 0;
  let weight = 0;
  for (let j = 0; j < labels.length; j++) {
    if (!bounds.areNeighbors(row, j)) continue;
    neighbors++;
    weight += params.sampleWeight?.[j] ?? 1;
  }
  const isCore = coreMask[row] === 1;
  return {row, label: labels[row], isCore, neighbors, weight, missing: isCore ? 0 : params.minPts - weight};
}

/** The compared distance from which on a point has a label: it is core, or within reach of a point that is. */
function labelBound(core: number, distances: Float64Array, bounds: CoreBounds): number {
  let bound = core;
  for (const j of nearestFirst(distances, (d) => d < core)) {
    if (distances[j] >= bound) break;
    bound = Math.min(bound, bounds.of(j, distances[j]));
  }
  return bound;
}

/** The compared distance from which on a point is within reach of a core point that has a label now. */
function clusterBound(
  distances: Float64Array,
  {labels, coreMask}: Pick<DbscanResult, 'labels' | 'coreMask'>,
  bounds: CoreBounds,
): {readonly bound: number; readonly cluster: number} {
  let nearest = NOISE;
  for (let j = 0; j < distances.length; j++) {
    if (coreMask[j] === 1 && (nearest === NOISE || distances[j] < distances[nearest])) nearest = j;
  }
  const farthest = nearest === NOISE ? Infinity : bounds.of(nearest, distances[nearest]);
  let bound = Infinity;
  let cluster = NOISE;
  for (const j of nearestFirst(distances, (d, k) => labels[k] !== NOISE && d <= farthest)) {
    if (distances[j] > bound) break;
    const reached = bounds.of(j, distances[j]);
    if (reached > bound || (reached === bound && labels[j] >= cluster)) continue;
    bound = reached;
    cluster = labels[j];
  }
  return {bound, cluster};
}

function nearestFirst(distances: Float64Array, isWanted: (distance: number, j: number) => boolean): Int32Array {
  const wanted = indicesBelow(distances.length).filter((j) => isWanted(distances[j], j));
  return wanted.sort((a, b) => distances[a] - distances[b] || a - b);
}
