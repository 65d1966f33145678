import {findRoot, makeSets} from '@epsball/union-find';
import type {TreeEdges} from './sortEdges.ts';

/**
 * The single-linkage hierarchy of n points as a binary tree. Node k, 0 ≤ k < n − 1, joins two components by the k-th
 * edge. A child below n is a point; child n + k is node k. Nodes of equal squares that are parent and child are one
 * step of the hierarchy, whose parts are the children that leave these nodes.
 */
export interface Dendrogram {
  readonly n: number;
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Points below each node. */
  readonly size: Int32Array;
  /** Squared weights, ascending. */
  readonly squared: Float64Array;
}

/**
 * Joins the components of a spanning tree, edge by edge.
 *
 * @param edges  n − 1 edges, or none, ascending; `squared` is kept
 * @complexity   O(n · α(n))
 */
export function buildDendrogram(n: number, {from, to, squared}: TreeEdges): Dendrogram {
  const parent = new Int32Array(n);
  makeSets(parent);
  const nodeOf = Int32Array.from(parent);
  const nodes = squared.length;
  const left = new Int32Array(nodes);
  const right = new Int32Array(nodes);
  const size = new Int32Array(nodes);
  for (let k = 0; k < nodes; k++) {
    const a = findRoot(parent, from[k]);
    const b = findRoot(parent, to[k]);
    const nodeA = nodeOf[a];
    const nodeB = nodeOf[b];
    left[k] = nodeA;
    right[k] = nodeB;
    size[k] = (nodeA < n ? 1 : size[nodeA - n]) + (nodeB < n ? 1 : size[nodeB - n]);
    const low = a < b ? a : b;
    parent[a < b ? b : a] = low;
    nodeOf[low] = n + k;
  }
  return {n, left, right, size, squared};
}
