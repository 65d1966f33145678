import {
  checkKnownOptions,
  InvalidParameterError,
  pointCount,
  pointsAt,
  toPoints,
  toWeights,
  validatePoints,
  type DbscanResult,
  type PointsInput,
} from '@epsball/clustering';
import {RUNNER_OPTIONS} from '@epsball/clustering/catalogue';
import {createDbscan, type CreateDbscanOptions, type DbscanOptions} from './dbscan.ts';
import {DBSCAN_OPTIONS, paramsOf} from './request.ts';

/** A group of points, and its clusters. */
export interface DbscanGroup<Key> {
  readonly key: Key;
  /** Number of points. */
  readonly size: number;
  /** Its clusters have the labels `firstLabel` to `firstLabel + clusterCount − 1`. */
  readonly firstLabel: number;
  readonly clusterCount: number;
}

/** The result of `groupBy`: as that of `dbscan` for all points, and the groups in the order of their first points. */
export interface DbscanGroups<Key> extends Pick<DbscanResult, 'labels' | 'coreMask' | 'clusterCount'> {
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
  const given = toPoints(points);
  validatePoints(given);
  const n = pointCount(given);
  const count: number | undefined = (keys as Partial<ArrayLike<Key>> | undefined)?.length;
  if (count !== n) throw new InvalidParameterError('keys.length', count, `${n}, one key a point`);
  const params = paramsOf(options);
  const weights = params.sampleWeight && toWeights(params.sampleWeight, n);
  const {time} = params;
  if (time !== undefined && time.length !== n) {
    throw new InvalidParameterError('time.length', time.length, `${n}, one time a point`);
  }
  const {signal, onProgress} = options;
  const found = {labels: new Int32Array(n), coreMask: new Uint8Array(n), clusterCount: 0};
  const groups: DbscanGroup<Key>[] = [];
  let done = 0;
  const dbscan = await createDbscan(runnerOptionsOf(options));
  try {
    for (const [key, indices] of Map.groupBy(Array(n).keys(), (i) => keys[i])) {
      const before = done;
      const {labels, coreMask, clusterCount} = await dbscan.run(
        {...given, ...pointsAt(given, indices)},
        {
          ...params,
          sampleWeight: weights && indices.map((i) => weights[i]),
          time: time && indices.map((i) => time[i]),
        },
        {signal, onProgress: onProgress && ((at) => onProgress({...at, done: before + at.done, total: n}))},
      );
      const firstLabel = found.clusterCount;
      for (const [k, i] of indices.entries()) {
        found.labels[i] = labels[k] < 0 ? labels[k] : firstLabel + labels[k];
        found.coreMask[i] = coreMask[k];
      }
      found.clusterCount += clusterCount;
      done += indices.length;
      groups.push({key, size: indices.length, firstLabel, clusterCount});
    }
  } finally {
    dbscan.destroy();
  }
  return {...found, groups};
}

function runnerOptionsOf(options: DbscanOptions): CreateDbscanOptions {
  const names: readonly string[] = RUNNER_OPTIONS;
  return Object.fromEntries(Object.entries(options).filter(([name]) => names.includes(name)));
}
