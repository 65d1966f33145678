import {gather} from './numberTree.ts';
import {
  countDigits,
  laySort,
  moveEdges,
  orderKeys,
  placeDigits,
  readEdges,
  SORT_DIGITS,
  type SortMemory,
  writeSorted,
} from './radixSort.ts';
import type {TreeEdges} from './treeEdges.ts';

export type {TreeEdges} from './treeEdges.ts';

/** From this many edges on, a radix sort is faster than a comparison sort. */
const RADIX_FROM = 4096;

/**
 * Sorts edges by their weights.
 *
 * @param edges   not modified, unless they lie in `memory`
 * @param memory  which changes. Default: made if needed
 * @returns       ends in the first `memory`; the order among equal weights is not specified
 * @complexity    O(m)
 */
export function sortEdges(edges: TreeEdges, memory?: SortMemory): TreeEdges {
  const {length} = edges.squared;
  if (length < RADIX_FROM) return compareWeights(edges);
  const sort = laySort(edges, 1, memory ?? [new ArrayBuffer(16 * length), new ArrayBuffer(16 * length)]);
  readEdges(sort, 0, length);
  for (let digit = 0; digit < SORT_DIGITS; digit++) {
    countDigits(sort, 0, length, 0);
    placeDigits(sort);
    moveEdges(sort, 0, length, 0);
  }
  writeSorted(sort, 0, length);
  return orderKeys(sort, compareWeights);
}

export function compareWeights({from, to, squared}: TreeEdges): TreeEdges {
  const order = Int32Array.from(squared.keys()).sort((a, b) => squared[a] - squared[b] || 0);
  return {from: gather(from, order), to: gather(to, order), squared: gather(squared, order)};
}
