import {InvalidParameterError, NOISE} from '@epsball/clustering';

/** The points of each cluster, in compressed rows (CSR). */
export interface Groups {
  /** k, the number of clusters. */
  readonly count: number;
  /** k + 1 offsets: cluster c holds `members[start[c]]` up to, not including, `members[start[c + 1]]`. */
  readonly start: Int32Array;
  /** Indices of the points in clusters, ascending within each cluster. */
  readonly members: Int32Array;
  /** Indices of noise points, ascending. */
  readonly noise: Int32Array;
}

/**
 * Groups points by label.
 *
 * @param labels  n labels: −1 is noise, clusters are 0…k−1; not modified
 * @returns       owned by the caller
 * @throws InvalidParameterError  if a label is not an integer ≥ −1 below n; names the first
 * @complexity    O(n + k)
 */
export function groups(labels: ArrayLike<number>): Groups {
  const sizes = clusterSizes(labels);
  const count = sizes.length;
  const start = new Int32Array(count + 1);
  for (let c = 0; c < count; c++) start[c + 1] = start[c] + sizes[c];
  const members = new Int32Array(start[count]);
  const noise = new Int32Array(labels.length - start[count]);
  const next = start.slice(0, count);
  let noiseCount = 0;
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i];
    if (label === NOISE) noise[noiseCount++] = i;
    else members[next[label]++] = i;
  }
  return {count, start, members, noise};
}

/**
 * The points of each cluster, one array a cluster.
 *
 * @returns  k views of `members`; they share its memory
 */
export function groupArrays({count, start, members}: Groups): Int32Array[] {
  return Array.from({length: count}, (_, c) => members.subarray(start[c], start[c + 1]));
}

/**
 * Number of points of each cluster; noise is not counted.
 *
 * @param labels  as for `groups`
 * @returns       k counts; owned by the caller
 * @throws InvalidParameterError  as `groups`
 */
export function clusterSizes(labels: ArrayLike<number>): Int32Array {
  const n = labels.length;
  let count = 0;
  for (let i = 0; i < n; i++) {
    const label = labels[i];
    if (!Number.isInteger(label) || label < NOISE || label >= n) {
      throw new InvalidParameterError(`labels[${i}]`, label, '−1 for noise, or a cluster from 0 to n − 1');
    }
    if (label >= count) count = label + 1;
  }
  const sizes = new Int32Array(count);
  for (let i = 0; i < n; i++) if (labels[i] !== NOISE) sizes[labels[i]]++;
  return sizes;
}
