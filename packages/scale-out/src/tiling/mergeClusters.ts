import {findRoot, makeSets, unite} from '@epsball/union-find';
import type {JoinedRange} from './joinReports.ts';

/** The clusters of the whole data. */
export interface MergedClusters {
  /** By key of a local cluster: its global label. */
  readonly labelOf: Int32Array | Float64Array;
  readonly clusterCount: number;
}

/** Labels above it do not fit int32. */
const INT32_MAX = 2 ** 31 - 1;

/**
 * Unites local clusters along links and numbers the results by their first core row.
 *
 * The members of the disjoint sets are the distinct first core rows, ascending. A core point has one cluster, so
 * clusters with the same first core row are one. The root of a set is its smallest member: the first core row of a
 * component.
 *
 * @param firstCoreRows  by key of a local cluster; not modified
 * @param links          pairs of keys
 * @complexity           O(k log k) time and 28 k bytes, k local clusters
 */
export function mergeClusters(firstCoreRows: Float64Array, links: Iterable<Float64Array>): MergedClusters {
  const distinct = distinctSorted(firstCoreRows);
  const memberOf = (key: number): number => lowerBound(distinct, firstCoreRows[key]);
  const parent = new Int32Array(distinct.length);
  makeSets(parent);
  for (const pairs of links) {
    for (let k = 0; k < pairs.length; k += 2) unite(parent, memberOf(pairs[k]), memberOf(pairs[k + 1]));
  }
  const labelOfMember = new Float64Array(distinct.length);
  let clusterCount = 0;
  for (let member = 0; member < distinct.length; member++) {
    const root = findRoot(parent, member);
    labelOfMember[member] = root === member ? clusterCount++ : labelOfMember[root];
  }
  const labelOf =
    clusterCount > INT32_MAX ? new Float64Array(firstCoreRows.length) : new Int32Array(firstCoreRows.length);
  for (let key = 0; key < labelOf.length; key++) labelOf[key] = labelOfMember[memberOf(key)];
  return {labelOf, clusterCount};
}

/** Calls `patch` with each border point that several clusters claim, by rising row, and its label: the lowest. */
export function labelCandidates(
  {candidateRows, candidateKeys}: Pick<JoinedRange, 'candidateRows' | 'candidateKeys'>,
  {labelOf}: Pick<MergedClusters, 'labelOf'>,
  patch: (row: number, label: number) => void,
): void {
  for (let k = 0; k < candidateRows.length;) {
    const row = candidateRows[k];
    let label = Infinity;
    for (; k < candidateRows.length && candidateRows[k] === row; k++) {
      label = Math.min(label, labelOf[candidateKeys[k]]);
    }
    patch(row, label);
  }
}

function distinctSorted(values: Float64Array): Float64Array {
  const sorted = Float64Array.from(values).sort();
  let length = 0;
  for (let k = 0; k < sorted.length; k++) {
    if (k === 0 || sorted[k] !== sorted[k - 1]) sorted[length++] = sorted[k];
  }
  return sorted.subarray(0, length);
}

/** The index of the first of ascending values that is not below `value`. */
export function lowerBound(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
