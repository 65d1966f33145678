// Disjoint sets that several threads unite, without locks.
//
// Invariant. To *hook* root r is to replace parent[r] = r by a smaller member. A *block* is a set of members that the
// hooks so far connect.
// 1. parent[i] <= i at all times.
// 2. A word leaves the state parent[r] = r once, by the compare-and-swap that hooks r, and never returns to it.
// 3. From then on it holds only members of r's block that are smaller than r.
// k hooks connect n members to n − k blocks and leave n − k words unhooked, one for each block. Every walk descends
// inside its block, so it ends at the unhooked word, the smallest member.
//
// Why each race is harmless:
// - Two hooks of one root: the swap compares, so one of them fails, reads the new parent, and continues from there.
// - A plain read may be stale. The value that it returns was a member of the same block, blocks only grow, and the
//   swap detects a root that is no longer one. ECMAScript lets such a read return only stored values, and never half
//   of one. A failed swap orders later reads after the hook that preceded it, so a retry sees that hook.
// - findRoot's halving store is plain and may undo a shorter path that another thread has just stored. It writes only
//   to members that it saw hooked, and only a smaller member of the same block, so 2 and 3 hold; the path is merely
//   longer. A compare-and-swap there costs half as much again and gains nothing.
// - flattenShared and other callers of rootOf must not lose a root that another thread has stored. They change words
//   outside their range by compare-and-swap.
import {findRoot, type ParentArray} from './forest.ts';

/**
 * Unites two sets while other threads do the same: hooks the larger root to the smaller by compare-and-swap.
 * Lock-free: a swap fails only because another swap succeeded. Do not mix it with `uniteLocked` or `unite` on members
 * that other threads reach.
 *
 * @param parent  on a `SharedArrayBuffer`; invariant parent[i] <= i is preserved
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether this call united them; among the calls of all threads, one for each hook
 * @complexity    amortized O(log n), without contention
 * @source        Anderson and Woll 1991; Jayanti and Tarjan 2016 (linking by index, halving)
 */
export function uniteShared(parent: ParentArray, a: number, b: number): boolean {
  let low = findRoot(parent, a);
  let high = findRoot(parent, b);
  while (low !== high) {
    if (low > high) {
      const swapped = low;
      low = high;
      high = swapped;
    }
    const found = Atomics.compareExchange(parent, high, high, low);
    if (found === high) return true;
    high = findRoot(parent, found);
    low = findRoot(parent, low);
  }
  return false;
}

/**
 * Points every member of a range at its root while other threads flatten other ranges. All unions must have ended.
 *
 * @param parent  on a `SharedArrayBuffer`. After all threads have returned, parent[i] is the smallest member of i's
 *                set for i in [begin, end). Words outside the range may change to nearer ancestors
 * @complexity    amortized O(log n) a member
 */
export function flattenShared(parent: ParentArray, begin: number, end: number): void {
  for (let i = begin; i < end; i++) parent[i] = rootOf(parent, i, begin);
}

/** The root of i while threads flatten. The calling thread must have flattened the members of i's set in [begin, i). */
export function rootOf(parent: ParentArray, i: number, begin: number): number {
  const up = parent[i];
  // No other thread changes a flattened word.
  return up >= begin ? parent[up] : findRootByComparison(parent, up);
}

/** As `findRoot`, but never overwrites a value that another thread has stored meanwhile. */
function findRootByComparison(parent: ParentArray, i: number): number {
  let node = i;
  let up = parent[node];
  for (;;) {
    const above = parent[up];
    if (above === up) return up;
    Atomics.compareExchange(parent, node, up, above);
    node = above;
    up = parent[node];
  }
}
