import type {CondensedTree} from '../algorithm.ts';
import type {Condensed} from './condense.ts';

/**
 * The condensed tree with numbers that do not depend on the order of discovery: preorder, children by their smallest
 * member.
 *
 * @complexity  O(n + clusters · log clusters)
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
    birthSquared: Float64Array.from(order, (c) => condensed.birth[c]),
    deathSquared: Float64Array.from(order, (c) => condensed.death[c]),
    size: Int32Array.from(order, (c) => condensed.size[c]),
    stability: Float64Array.from(order, (c) => condensed.stability[c]),
    isSelected: Uint8Array.from(order, (c) => isSelected[c]),
    clusterOf: numbered,
    leavesSquared: condensed.leaves,
  };
}

function preorder({parent, clusterOf}: Condensed): number[] {
  const smallest = new Int32Array(parent.length).fill(clusterOf.length);
  for (let i = clusterOf.length - 1; i >= 0; i--) smallest[clusterOf[i]] = i;
  const children: number[][] = parent.map(() => []);
  for (let c = parent.length - 1; c > 0; c--) {
    smallest[parent[c]] = Math.min(smallest[parent[c]], smallest[c]);
    children[parent[c]].push(c);
  }
  const order: number[] = [];
  const open = [0];
  for (let c = open.pop(); c !== undefined; c = open.pop()) {
    order.push(c);
    open.push(...children[c].sort((a, b) => smallest[b] - smallest[a]));
  }
  return order;
}
