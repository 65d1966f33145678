// Disjoint sets that threads share, without locks.
//
// Invariant. A block is what the hooks so far have joined.
// 1. parent[i] <= i at all times.
// 2. A word leaves the state parent[r] = r once, by the compare-and-swap that hooks r, and never comes back to it.
// 3. From then on it holds members of r's own block below r, and nothing else.
// k hooks join n members to n − k blocks and leave n − k words unhooked: one a block. Every walk descends inside its
// block, so it ends at that one, the smallest member.
//
// Why each race is harmless:
// - Two hooks of one root: the swap compares, so one of them fails, learns where the root went, and goes on from there.
// - A plain read may be old. Whatever it returns was a member of the same block then, blocks only grow, and a root that is
//   none any more is found out by the swap. ECMAScript lets such a read return only values that were stored, and never
//   half of one; a failed swap orders later reads after the hook that beat it, so a retry sees it.
// - findRoot's halving store is plain and may undo a shorter path that another thread stored a moment ago. It writes only
//   to members that it saw hooked, and a lower member of the same block, so 2 and 3 hold; the path is merely longer.
//   By compare-and-swap it costs half as much again and gains nothing.
// - flattenShared, and whoever else takes roots by rootOf, must not lose a root that another thread has stored, so there foreign words change by comparison.
import {findRoot, type ParentArray} from './forest.ts';

/**
 * Unites two sets while other threads do the same: hooks the larger root to the smaller by compare-and-swap. Lock-free: a
 * swap fails only because another succeeded. Not to be mixed with `uniteLocked` or `unite` on members that other
 * threads reach.
 *
 * @param parent  on a `SharedArrayBuffer`; invariant parent[i] <= i, kept
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether this call joined them; of all threads' calls, one a hook
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
 * Points every member of a range at its root while other threads flatten theirs. Ranges are disjoint, and all unions have
 * ended.
 *
 * @param parent  on a `SharedArrayBuffer`; once all threads are done parent[i] is the smallest member of i's set for i in
 *                [begin, end). Words outside may change as well: to nearer ancestors
 * @complexity    amortized O(log n) a member
 */
export function flattenShared(parent: ParentArray, begin: number, end: number): void {
  for (let i = begin; i < end; i++) parent[i] = rootOf(parent, i, begin);
}

/** The root of i while threads flatten; the calling one has those members of i's set flattened that are its own, from `begin` up to i. */
export function rootOf(parent: ParentArray, i: number, begin: number): number {
  const up = parent[i];
  // Nobody else changes a flat word.
  return up >= begin ? parent[up] : findRootByComparison(parent, up);
}

/** findRoot that never overwrites what another thread has stored meanwhile. */
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
