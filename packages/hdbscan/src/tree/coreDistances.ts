import {KdNearest} from '@epsball/kd-tree';
import type {BoruvkaState} from './boruvkaState.ts';

/**
 * Writes the squared core distances of the points in a range of leaves: the squared distance to the k-th nearest point,
 * the point itself counted.
 *
 * @complexity  O(points · (k · log k + log n)) for few dimensions
 */
export function findCores({tree, core, leaves}: BoruvkaState, k: number, firstLeaf: number, endLeaf: number): void {
  const nearest = new KdNearest(tree, k);
  const {coords, dim} = tree;
  const first = tree.start[leaves[firstLeaf]];
  const end = tree.end[leaves[endLeaf - 1]];
  for (let p = first; p < end; p++) core[p] = nearest.query(coords, p * dim);
}
