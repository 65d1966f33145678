import {
  checkKnownOptions,
  pointCount,
  scatterRows,
  takeCompleteGroups,
  toPoints,
  toWeights,
  validatePoints,
  type DbscanPhase,
  type PointsInput,
} from '@epsball/clustering';
import {runGroups, runnerOptionsOf, type PointGroup} from '@epsball/clustering/catalogue';
import {createDbscan, type DbscanOptions, type DbscanOutcome} from './dbscan.ts';
import {DBSCAN_OPTIONS, paramsOf, prepareRun} from './request.ts';

/** A group of points, and its clusters. */
export type DbscanGroup<Key> = PointGroup<Key>;

/**
 * The result of `groupBy`: labels, core mask and number of clusters are of all points, `stats` has the sums of all
 * runs, and the other fields are those of the largest group.
 */
export interface DbscanGroups<Key> extends DbscanOutcome {
  /** In the order of their first points. */
  readonly groups: readonly DbscanGroup<Key>[];
}

/**
 * Clusters each group of points alone, as PARTITION BY does in SQL: points of different groups are no neighbours.
 * Labels go on from group to group, in the order of the first points of the groups.
 *
 * @param points   as for `dbscan`
 * @param keys     the group of each point: n values, which are compared as keys of a `Map`
 * @param options  as for `dbscan`; `sampleWeight` and `time` are for all points
 * @returns        arrays owned by the caller
 * @throws as `dbscan`; InvalidParameterError also if the keys are not as many as the points
 * @complexity     that of `dbscan` for each group; a copy of the points
 */
export async function groupBy<Key>(
  points: PointsInput,
  keys: ArrayLike<Key>,
  options: DbscanOptions,
): Promise<DbscanGroups<Key>> {
  checkKnownOptions(options, DBSCAN_OPTIONS, 'options', 'an object with eps and minPts');
  const {signal, onProgress} = options;
  const params = paramsOf(options);
  const {missing} = params;
  if (missing === 'noise' || missing === 'drop') return groupComplete(points, keys, options);
  const given = toPoints(points);
  // All points at once: an error names a point by its own index, not by that in its group.
  validatePoints(prepareRun(given, params, {signal, onProgress}).points);
  const n = pointCount(given);
  const weights = params.sampleWeight && toWeights(params.sampleWeight, n);
  const {time} = params;
  const coreMask = new Uint8Array(n);
  const dbscan = await createDbscan(runnerOptionsOf(options));
  try {
    const {largest, ...found} = await runGroups<Key, DbscanPhase, DbscanOutcome>(
      given,
      keys,
      (own, indices, report) => {
        const sampleWeight = weights && indices.map((i) => weights[i]);
        const ownTime = time && indices.map((i) => time[i]);
        return dbscan.run(own, {...params, sampleWeight, time: ownTime}, {signal, onProgress: report});
      },
      (result, indices) => indices.forEach((i, k) => (coreMask[i] = result.coreMask[k])),
      onProgress,
    );
    return {...largest, ...found, coreMask};
  } finally {
    dbscan.destroy();
  }
}

/** Groups the points that lack nothing. The others are noise of no group, or left out. */
async function groupComplete<Key>(
  input: PointsInput,
  allKeys: ArrayLike<Key>,
  {missing, sampleWeight, time, ...options}: DbscanOptions,
): Promise<DbscanGroups<Key>> {
  const {n, points, rows, keys, others} = takeCompleteGroups(input, allKeys, options, {sampleWeight, time});
  const found = await groupBy(points, keys, {...options, ...others});
  if (rows === undefined) return found;
  const to = missing === 'noise' ? rows : undefined;
  const coreMask = scatterRows(found.coreMask, to, n, 0);
  return {...found, labels: scatterRows(found.labels, to, n, -1), coreMask, rows};
}
