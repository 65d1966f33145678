import {findRoot, type ParentArray} from './forest.ts';

/**
 * Unites two sets by index: finds both roots with path halving and hooks the larger to the smaller. For one thread. Beside Rem's
 * algorithm (`unite`) it pays off where many edges lie inside a set already.
 *
 * @param parent  invariant parent[i] <= i, kept
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether the sets were apart
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
