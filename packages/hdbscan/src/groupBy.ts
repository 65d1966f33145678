import {pointCount, takeCompleteGroups, toPoints, validatePoints, type PointsInput} from '@epsball/clustering';
import {runGroups, runnerOptionsOf, type PointGroup} from '@epsball/clustering/catalogue';
import type {HdbscanPhase, HdbscanResult} from './algorithm.ts';
import {createHdbscan, ofAllPoints, type HdbscanOptions, type HdbscanRan} from './hdbscan.ts';
import {checkOptions, CLUSTERS, prepareRun, requestOf} from './request.ts';
import {checkWeights} from './weightParts.ts';

/** A group of points, and its clusters. */
export interface HdbscanGroup<Key> extends PointGroup<Key> {
  /** As of `hdbscan`. */
  readonly warnings: readonly string[];
}

/**
 * The result of `groupBy`: labels, probabilities and scores as those of `hdbscan` for all points; the sums of the runs'
 * times and counters in `stats`; what ran for the largest group.
 */
export interface HdbscanGroups<Key>
  extends Pick<HdbscanResult, 'labels' | 'probabilities' | 'outlierScores' | 'clusterCount' | 'stats'>, HdbscanRan {
  /** In the order of their first points. */
  readonly groups: readonly HdbscanGroup<Key>[];
}

/**
 * Clusters each group of points alone, as PARTITION BY does in SQL. Labels go on from group to group, in the order of
 * the first points of the groups. Probabilities and scores are those within the group.
 *
 * @param points   as for `hdbscan`
 * @param keys     the group of each point: n values, which are compared as keys of a `Map`
 * @param options  as for `hdbscan`; `sampleWeight` is for all points, and a group of fewer than `minClusterSize` points
 *                 is noise
 * @returns        arrays owned by the caller
 * @throws as `hdbscan`; InvalidParameterError also if the keys are not as many as the points
 * @complexity     that of `hdbscan` for each group; a copy of the points
 */
export async function groupBy<Key>(
  points: PointsInput,
  keys: ArrayLike<Key>,
  options: HdbscanOptions = {},
): Promise<HdbscanGroups<Key>> {
  checkOptions(options, 'groupBy', CLUSTERS);
  const {missing, signal, onProgress} = options;
  if (missing === 'noise' || missing === 'drop') return groupComplete(points, keys, options);
  const given = toPoints(points);
  const request = requestOf(options, CLUSTERS);
  // All points at once: an error names a point by its own index, not by that in its group.
  validatePoints(prepareRun(given, request, {signal, onProgress}, CLUSTERS).points);
  const n = pointCount(given);
  const weights = request.sampleWeight && checkWeights(request.sampleWeight, n);
  const probabilities = new Float64Array(n);
  const outlierScores = new Float64Array(n);
  const warnings: (readonly string[])[] = [];
  const hdbscan = await createHdbscan(runnerOptionsOf(options));
  try {
    const {largest, groups, ...found} = await runGroups<Key, HdbscanPhase, HdbscanResult & HdbscanRan>(
      given,
      keys,
      (own, indices, report) => {
        const sampleWeight = weights && indices.map((i) => weights[i]);
        return hdbscan.run(own, {...request, sampleWeight}, {signal, onProgress: report});
      },
      (result, indices) => {
        warnings.push(result.warnings);
        for (const [k, i] of indices.entries()) {
          probabilities[i] = result.probabilities[k];
          outlierScores[i] = result.outlierScores[k];
        }
      },
      onProgress,
    );
    const {algorithm, backend, options: chosen, adapter, fallback} = largest;
    return {
      ...found,
      probabilities,
      outlierScores,
      groups: groups.map((group, g) => ({...group, warnings: warnings[g]})),
      algorithm,
      backend,
      options: chosen,
      ...(adapter === undefined ? {} : {adapter}),
      ...(fallback === undefined ? {} : {fallback}),
    };
  } finally {
    hdbscan.destroy();
  }
}

/** Groups the points that lack nothing. The others are noise of no group, or left out. */
async function groupComplete<Key>(
  input: PointsInput,
  allKeys: ArrayLike<Key>,
  {missing, sampleWeight, ...options}: HdbscanOptions,
): Promise<HdbscanGroups<Key>> {
  const {n, points, rows, keys, others} = takeCompleteGroups(input, allKeys, options, {sampleWeight});
  const found = await groupBy(points, keys, {...options, ...others});
  if (rows === undefined) return found;
  return {...found, ...ofAllPoints(found, missing === 'noise' ? rows : undefined, n), rows};
}
