import {
  checkInteger,
  checkKnownOptions,
  filled,
  indicesBelow,
  throwIfAborted,
  type PointsInput,
  type RunOptions,
} from '@epsball/clustering';
import type {CondensedTree, HdbscanResult} from '../algorithm.ts';
import {lambdaOf} from '../hierarchy/steps.ts';
import type {HdbscanRequest} from '../request.ts';
import {clusteringOf} from './clustering.ts';
import type {Exemplars} from './exemplars.ts';
import {topMemberships} from './topMemberships.ts';

/** Clusters of a point. */
const TOP = 10;

export interface MembershipOptions extends RunOptions<'memberships'> {
  /** Most clusters a point; integer ≥ 1. Default: 10. */
  readonly top?: number | undefined;
}

/** How much points belong to clusters. */
export interface Memberships {
  /** n + 1 offsets: the clusters of point i are from `start[i]` to `start[i + 1]`. */
  readonly start: Int32Array;
  /** Labels, the largest membership first, at equal memberships the lower label. */
  readonly clusters: Int32Array;
  /** From 0 to 1. Over all clusters those of a point sum to its probability to be in any. */
  readonly values: Float64Array;
  /** The most typical points of each cluster. */
  readonly exemplars: Exemplars;
  /** By label: stability relative to that of as many points that stay for ever; from 0 to 1. */
  readonly persistence: Float64Array;
}

/**
 * Soft clustering: how much each point belongs to the clusters that are nearest to it by their exemplars and by the
 * condensed tree.
 *
 * @param points  that were clustered; not modified
 * @param params  of the clustering
 * @param result  of the clustering
 * @returns       arrays owned by the caller: 12 bytes for each of the `top` clusters of a point, and 4
 * @throws InvalidParameterError, InvalidPointsError, RunAbortedError  as `hdbscan`; if the result does not fit
 * @complexity    O(n · k · log exemplars) for k clusters, in few dimensions; on the calling thread in slices
 * @source        McInnes, Healy and Astels, hdbscan: soft clustering; docs/contract.md
 */
export async function memberships(
  points: PointsInput,
  params: HdbscanRequest,
  result: Pick<HdbscanResult, 'labels' | 'condensedTree'>,
  options: MembershipOptions = {},
): Promise<Memberships> {
  checkKnownOptions(options, ['top', 'signal', 'onProgress'], 'options', 'an object such as {top: 10}');
  const {top = TOP, ...run} = options;
  checkInteger('top', top, 1);
  const clustering = clusteringOf(points, params, result);
  throwIfAborted(run.signal, 'start');
  const {clusterOf} = result.condensedTree;
  const {selected, exemplars} = clustering;
  const perPoint = Math.min(top, selected.clusters.length);
  const found = await topMemberships(clustering, indicesBelow(clusterOf.length), perPoint, run);
  const start = filled(new Int32Array(clusterOf.length + 1), (i) => i * perPoint);
  return {start, ...found, exemplars, persistence: persistenceOf(result.condensedTree, selected.clusters)};
}

/** Stability / (size · largest finite λ of the tree); 1 where the stability is infinite. */
function persistenceOf({stability, size, leavesSquared}: CondensedTree, clusters: Int32Array): Float64Array {
  const least = leavesSquared.reduce((low, squared) => (squared > 0 && squared < low ? squared : low), Infinity);
  const most = lambdaOf(least);
  return Float64Array.from(clusters, (c) =>
    stability[c] === Infinity || most === 0 ? 1 : Math.min(1, stability[c] / (size[c] * most)),
  );
}
