import {findRoot, type ParentArray} from './forest.ts';

/**
 * Unites two sets by index: finds both roots with path halving and hooks the larger to the smaller. For one thread.
 * Faster than Rem's algorithm (`unite`) if many edges connect members of one set.
 *
 * @param parent  invariant parent[i] <= i is preserved
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether the sets were different
 * @complexity    amortized O(log n)
 * @source        Tarjan and van Leeuwen 1984, path halving with naive linking
 */
export function uniteByIndex(parent: ParentArray, a: number, b: number): boolean {
  const rootA = findRoot(parent, a);
  const rootB = findRoot(parent, b);
  if (rootA === rootB) return false;
  if (rootA < rootB) parent[rootB] = rootA;
  else parent[rootA] = rootB;
  return true;
}
