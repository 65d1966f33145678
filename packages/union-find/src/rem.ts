import type {ParentArray} from './forest.ts';

/**
 * Unites two sets by Rem's algorithm with splicing: climbs both paths at once, always on the one with the larger
 * parent, and moves the part that it leaves below the other path. It often ends long before a root. For one thread.
 *
 * @param parent  invariant parent[i] <= i is preserved
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether the sets were different
 * @complexity    amortized O(log n) in practice; no bound as good as that of union by rank is known
 * @source        Patwary, Blair and Manne 2010, REM with SP; PDSDBSCAN (Patwary et al. 2012) unites with it
 */
export function unite(parent: ParentArray, a: number, b: number): boolean {
  let x = a;
  let y = b;
  let upX = parent[x];
  let upY = parent[y];
  while (upX !== upY) {
    if (upX > upY) {
      const isRoot = x === upX;
      parent[x] = upY;
      if (isRoot) return true;
      x = upX;
      upX = parent[x];
    } else {
      const isRoot = y === upY;
      parent[y] = upX;
      if (isRoot) return true;
      y = upY;
      upY = parent[y];
    }
  }
  return false;
}
