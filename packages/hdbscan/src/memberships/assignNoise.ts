import {
  checkKnownOptions,
  indicesBelow,
  InvalidParameterError,
  NOISE,
  throwIfAborted,
  type PointsInput,
  type RunOptions,
} from '@epsball/clustering';
import type {HdbscanResult} from '../algorithm.ts';
import type {HdbscanRequest} from '../request.ts';
import {clusteringOf} from './clustering.ts';
import {topMemberships} from './topMemberships.ts';

export interface AssignNoiseOptions extends RunOptions<'memberships'> {
  /** Default: `membership`. The labels of `dbscan` have `assignNoise` of @epsball/predict, by `nearest-core`. */
  readonly by?: 'membership' | undefined;
  /** The least membership that gives a cluster; from 0 to 1. Default: 0, any membership above 0. */
  readonly within?: number | undefined;
}

/**
 * Labels noise by the largest membership, the lowest cluster of several, and leaves all other labels as they are.
 *
 * @param points  that were clustered; not modified
 * @param params  of the clustering
 * @param result  of the clustering
 * @returns       n labels; owned by the caller. −1 where the largest membership is 0 or below `within`
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError  as `memberships`
 * @complexity    that of `memberships` for noise alone
 */
export async function assignNoise(
  points: PointsInput,
  params: HdbscanRequest,
  result: Pick<HdbscanResult, 'labels' | 'condensedTree'>,
  options: AssignNoiseOptions = {},
): Promise<Int32Array> {
  checkKnownOptions(options, ['by', 'within', 'signal', 'onProgress'], 'options', 'an object such as {within: 0.1}');
  const {by = 'membership', within = 0, ...run} = options;
  if (by !== 'membership') {
    const expectation = "'membership'; assignNoise of @epsball/predict labels noise of dbscan by 'nearest-core'";
    throw new InvalidParameterError('by', by, expectation);
  }
  if (!(within >= 0 && within <= 1)) throw new InvalidParameterError('within', within, 'a membership from 0 to 1');
  const clustering = clusteringOf(points, params, result);
  throwIfAborted(run.signal, 'start');
  const labels = Int32Array.from(result.labels);
  const noise = indicesBelow(labels.length).filter((i) => labels[i] === NOISE);
  const top = Math.min(1, clustering.selected.clusters.length);
  const {clusters, values} = await topMemberships(clustering, noise, top, run);
  for (let k = 0; k < clusters.length; k++) {
    if (values[k] > 0 && values[k] >= within) labels[noise[k]] = clusters[k];
  }
  return labels;
}
