import type {CondensedTree} from '../algorithm.ts';
import type {Condensed} from './condense.ts';

/** No child or sibling. */
const NONE = -1;

/**
 * The condensed tree with numbers that do not depend on the order of discovery: preorder, children by their smallest
 * member.
 *
 * @complexity  O(n)
 */
export function numberTree(condensed: Condensed, isSelected: Uint8Array): CondensedTree {
  const {parent, clusterOf} = condensed;
  const order = preorder(condensed);
  const numberOf = new Int32Array(order.length);
  order.forEach((c, number) => (numberOf[c] = number));
  const numbered = new Int32Array(clusterOf.length);
  for (let i = 0; i < numbered.length; i++) numbered[i] = numberOf[clusterOf[i]];
  return {
    parent: Int32Array.from(order, (c) => (parent[c] < 0 ? -1 : numberOf[parent[c]])),
    birthSquared: Float64Array.from(order, (c) => condensed.birthSquared[c]),
    deathSquared: Float64Array.from(order, (c) => condensed.deathSquared[c]),
    size: Int32Array.from(order, (c) => condensed.size[c]),
    stability: Float64Array.from(order, (c) => condensed.stability[c]),
    isSelected: Uint8Array.from(order, (c) => isSelected[c]),
    clusterOf: numbered,
    leavesSquared: condensed.leavesSquared,
  };
}

function preorder({parent, clusterOf}: Condensed): Int32Array {
  const count = parent.length;
  const smallest = new Int32Array(count).fill(clusterOf.length);
  for (let i = clusterOf.length - 1; i >= 0; i--) smallest[clusterOf[i]] = i;
  for (let c = count - 1; c > 0; c--) smallest[parent[c]] = Math.min(smallest[parent[c]], smallest[c]);
  const firstChild = new Int32Array(count).fill(NONE);
  const nextSibling = new Int32Array(count).fill(NONE);
  // The largest smallest member first, so that each list of children ascends.
  for (let i = clusterOf.length - 1; i >= 0; i--) {
    for (let c = clusterOf[i]; c > 0 && smallest[c] === i; c = parent[c]) {
      nextSibling[c] = firstChild[parent[c]];
      firstChild[parent[c]] = c;
    }
  }
  const order = new Int32Array(count);
  for (let c = 0, number = 0; number < count; number++) {
    order[number] = c;
    if (firstChild[c] !== NONE) c = firstChild[c];
    else {
      while (c > 0 && nextSibling[c] === NONE) c = parent[c];
      c = nextSibling[c];
    }
  }
  return order;
}
