import {CenterGrid} from './centerGrid.ts';
import {groupModes, type ModeGroups} from './modeGroups.ts';
import {finish, ITEMS_PER_PAUSE, type Resumable} from '../resumable.ts';

/** Clusters of modes. */
export interface MergedModes {
  /** Cluster of each mode, 0…k−1; −1 if its trajectory has met no point. */
  readonly labels: Int32Array;
  /** k · dim: the mean of each cluster's modes. */
  readonly clusterCenters: Float64Array;
  /** Modes of each cluster, falling. */
  readonly support: Int32Array;
}

/**
 * Merges modes to clusters about a bandwidth wide.
 *
 * Modes are first grouped by cells of a quarter of the bandwidth. The largest group is the first centre. A group whose
 * mean lies within a bandwidth of a centre is not a centre; the largest of the others is the next centre. Every group
 * then joins the nearest centre. If modes lie in heaps smaller than a bandwidth and more than two bandwidths apart, the
 * clusters are these heaps, whatever the rounding. Else two modes closer than a bandwidth can have different clusters.
 * Clusters are numbered by falling support, equal ones by their first mode.
 *
 * @param shifted    m · dim coordinates of the ends of trajectories; not modified
 * @param bandwidth  finite, > 0
 * @param isLost     1: the trajectory has met no point. Default: all have
 * @returns          arrays owned by the caller
 * @complexity       O(m · dim + g · (log g + 3^min(dim, 4))), g = occupied cells
 * @source           Comaniciu and Meer 2002, §4; the order of merging is scikit-learn's
 */
export function mergeModes(shifted: Float64Array, dim: number, bandwidth: number, isLost?: Uint8Array): MergedModes {
  return finish(mergeModesResumably(shifted, dim, bandwidth, isLost));
}

export function* mergeModesResumably(
  shifted: Float64Array,
  dim: number,
  bandwidth: number,
  isLost?: Uint8Array,
): Resumable<MergedModes> {
  const groups = yield* groupModes(shifted, dim, bandwidth, isLost);
  const {clusterOf, ...clusters} = yield* mergeGroups(groups, bandwidth);
  const labels = groups.groupOf.map((group) => (group < 0 ? -1 : clusterOf[group]));
  return {labels, ...clusters};
}

export type GroupSums = Omit<ModeGroups, 'groupOf'>;

export interface MergedGroups {
  readonly clusterOf: Int32Array;
  readonly clusterCenters: Float64Array;
  readonly support: Int32Array;
}

/** The clusters of groups of modes, as resumable work, for backends that group modes themselves. */
export function* mergeGroups(groups: GroupSums, bandwidth: number): Resumable<MergedGroups> {
  const {dim, sums, sizes, first} = groups;
  const count = sizes.length;
  const means = Float64Array.from(sums, (sum, k) => sum / sizes[Math.floor(k / dim)]);
  const order = Int32Array.from({length: count}, (_, g) => g).sort(
    (a, b) => sizes[b] - sizes[a] || first[a] - first[b],
  );
  const centers = new CenterGrid(dim, bandwidth);
  for (let k = 0; k < count; k++) {
    if (k % ITEMS_PER_PAUSE === 0) yield k / count;
    const at = order[k] * dim;
    if (centers.nearestWithin(means, at) < 0) centers.add(means, at);
  }
  const owner = new Int32Array(count);
  for (let g = 0; g < count; g++) {
    if (g % ITEMS_PER_PAUSE === 0) yield 1;
    owner[g] = centers.nearestWithin(means, g * dim);
  }
  return numberClusters(groups, owner);
}

/** Clusters by falling support, equal ones by their first mode. `owner` has any numbers below that of groups. */
export function numberClusters({dim, sizes, first, sums}: GroupSums, owner: Int32Array): MergedGroups {
  const count = sizes.length;
  const support = new Int32Array(count);
  const firstMode = new Int32Array(count).fill(2 ** 31 - 1);
  for (let g = 0; g < count; g++) {
    support[owner[g]] += sizes[g];
    firstMode[owner[g]] = Math.min(firstMode[owner[g]], first[g]);
  }
  // With millions of groups plain loops are several times as fast as callbacks.
  let clusters = 0;
  const bySupport = new Int32Array(count);
  for (let c = 0; c < count; c++) if (support[c] > 0) bySupport[clusters++] = c;
  const order = bySupport.subarray(0, clusters);
  order.sort((a, b) => support[b] - support[a] || firstMode[a] - firstMode[b]);
  const rank = new Int32Array(count);
  const sorted = new Int32Array(clusters);
  for (let position = 0; position < clusters; position++) {
    rank[order[position]] = position;
    sorted[position] = support[order[position]];
  }
  const clusterOf = new Int32Array(count);
  const clusterCenters = new Float64Array(clusters * dim);
  for (let g = 0; g < count; g++) {
    const cluster = rank[owner[g]];
    clusterOf[g] = cluster;
    for (let d = 0; d < dim; d++) clusterCenters[cluster * dim + d] += sums[g * dim + d];
  }
  for (let c = 0; c < clusters; c++) for (let d = 0; d < dim; d++) clusterCenters[c * dim + d] /= sorted[c];
  return {clusterOf, clusterCenters, support: sorted};
}
