import type {CondensedClusters} from './condense.ts';

/** No child or sibling. */
const NONE = -1;

/** The clusters of a condensed tree, in the order of their numbers. */
export interface NumberedClusters extends CondensedClusters {
  /** By cluster of `condensed`: its number. */
  readonly numberOf: Int32Array;
  /** By number: the cluster of `condensed`. */
  readonly clusters: Int32Array;
  /** Clusters of `condensed` by their smallest point, ascending. */
  readonly ascending: Int32Array;
}

/**
 * Numbers that do not depend on the order of discovery: preorder, children by their smallest member.
 *
 * @param smallest  the smallest point that leaves each cluster last, or more than any
 * @complexity      O(clusters · log clusters)
 */
export function numberTree(condensed: CondensedClusters, smallest: Int32Array): NumberedClusters {
  const {parent} = condensed;
  const ascending = bySmallest(smallestPoints(parent, smallest));
  const clusters = preorder(parent, ascending);
  const numberOf = new Int32Array(clusters.length);
  for (let k = 0; k < clusters.length; k++) numberOf[clusters[k]] = k;
  return {
    numberOf,
    clusters,
    ascending,
    parent: gather(parent, clusters).map((above) => (above < 0 ? -1 : numberOf[above])),
    birthSquared: gather(condensed.birthSquared, clusters),
    deathSquared: gather(condensed.deathSquared, clusters),
    size: gather(condensed.size, clusters),
    stability: gather(condensed.stability, clusters),
  };
}

export function gather<Values extends Int32Array | Float64Array | Uint8Array>(
  values: Values,
  order: Int32Array,
): Values {
  const moved = values.slice();
  for (let k = 0; k < order.length; k++) moved[k] = values[order[k]];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- slice keeps the type
  return moved as Values;
}

function preorder(parent: Int32Array, ascending: Int32Array): Int32Array {
  const count = parent.length;
  const firstChild = new Int32Array(count).fill(NONE);
  const nextSibling = new Int32Array(count).fill(NONE);
  // The largest smallest member first, so that each list of children ascends.
  for (let k = count - 1; k >= 0; k--) {
    const c = ascending[k];
    if (c === 0) continue;
    nextSibling[c] = firstChild[parent[c]];
    firstChild[parent[c]] = c;
  }
  const clusters = new Int32Array(count);
  for (let c = 0, number = 0; number < count; number++) {
    clusters[number] = c;
    if (firstChild[c] !== NONE) c = firstChild[c];
    else {
      while (c > 0 && nextSibling[c] === NONE) c = parent[c];
      c = nextSibling[c];
    }
  }
  return clusters;
}

/** The smallest point of each cluster, those of its children included. */
function smallestPoints(parent: Int32Array, own: Int32Array): Int32Array {
  const smallest = own.slice();
  // Children come after their parents.
  for (let c = parent.length - 1; c > 0; c--) {
    if (smallest[c] < smallest[parent[c]]) smallest[parent[c]] = smallest[c];
  }
  return smallest;
}

const DIGIT_BITS = 12;

/** Clusters by their smallest point, ascending; those of one point in their order. A radix sort. */
function bySmallest(smallest: Int32Array): Int32Array {
  const count = smallest.length;
  const largest = smallest.reduce((a, b) => Math.max(a, b), 0);
  let clusters = new Int32Array(count).map((_, c) => c);
  let next = new Int32Array(count);
  const places = new Uint32Array(2 ** DIGIT_BITS);
  for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += DIGIT_BITS) {
    const digitOf = (c: number): number => (smallest[c] >>> shift) & (places.length - 1);
    places.fill(0);
    for (let c = 0; c < count; c++) places[digitOf(c)]++;
    for (let digit = 0, sum = 0; digit < places.length; digit++) {
      sum += places[digit];
      places[digit] = sum - places[digit];
    }
    for (let k = 0; k < count; k++) next[places[digitOf(clusters[k])]++] = clusters[k];
    [clusters, next] = [next, clusters];
  }
  return clusters;
}
