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
 * @param smallest  the smallest point in each cluster, or of those that leave it last, or more than any
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

const DIGIT_BITS = 11;
const DIGIT_MASK = 2 ** DIGIT_BITS - 1;

/** Clusters by their smallest point, ascending; those of one point in their order. A radix sort. */
function bySmallest(smallest: Int32Array): Int32Array {
  const count = smallest.length;
  let largest = 0;
  for (let c = 0; c < count; c++) if (smallest[c] > largest) largest = smallest[c];
  let clusters = new Int32Array(count);
  for (let c = 0; c < count; c++) clusters[c] = c;
  let next = new Int32Array(count);
  for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += DIGIT_BITS) {
    sortByDigit(smallest, shift, clusters, next);
    [clusters, next] = [next, clusters];
  }
  return clusters;
}

/** A function of its own, and no closure: V8 takes a third of the time. */
function sortByDigit(keys: Int32Array, shift: number, from: Int32Array, to: Int32Array): void {
  const places = new Uint32Array(DIGIT_MASK + 1);
  for (let k = 0; k < keys.length; k++) places[(keys[k] >>> shift) & DIGIT_MASK]++;
  for (let digit = 0, sum = 0; digit <= DIGIT_MASK; digit++) {
    sum += places[digit];
    places[digit] = sum - places[digit];
  }
  for (let k = 0; k < from.length; k++) to[places[(keys[from[k]] >>> shift) & DIGIT_MASK]++] = from[k];
}
