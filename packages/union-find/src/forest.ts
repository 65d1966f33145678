// A forest over the members 0 … n − 1, one word for each member: a root is its own parent. Invariant: parent[i] <= i
// at all times. So no walk can cycle, a walk from i ends after at most i steps, and the root of a set is its smallest
// member.

/** Parents of the members 0 … n − 1, `parent[i] <= i`. May lie on a `SharedArrayBuffer`. */
export type ParentArray = Int32Array | Uint32Array;

/**
 * Makes every member of a range a set of its own.
 *
 * @param parent  words [begin, end) are overwritten; several threads may call it, each for its own range
 * @complexity    O(end − begin)
 */
export function makeSets(parent: ParentArray, begin = 0, end: number = parent.length): void {
  for (let i = begin; i < end; i++) parent[i] = i;
}

/**
 * Returns the root of a member's set, which is its smallest member. Halves the path: every other member on it then
 * points at its grandparent.
 *
 * Threads may search while other threads unite by one of the shared forms (`lockFree.ts` and `locked.ts` show why the
 * plain stores are harmless). The result was then a root at some moment of the call: that of the set, or under
 * `uniteLocked` of a set that a running union joins to it.
 *
 * @param parent  paths are shortened; sets do not change
 * @param i       a member; not checked
 * @complexity    amortized O(log n)
 * @source        Tarjan and van Leeuwen 1984, path halving
 */
export function findRoot(parent: ParentArray, i: number): number {
  let node = i;
  let up = parent[node];
  for (;;) {
    const above = parent[up];
    // Before the store: short paths are only read, so their cache lines stay shared between threads.
    if (above === up) return up;
    parent[node] = above;
    node = above;
    up = parent[node];
  }
}

/**
 * Points every member of a range at its root, for one thread: no other thread may access `parent` meanwhile. Several
 * threads call `flattenShared`.
 *
 * @param parent  afterwards parent[i] is the smallest member of i's set, for i in [begin, end)
 * @complexity    O(end − begin) if begin is 0; otherwise amortized O(log n) a member
 */
export function flatten(parent: ParentArray, begin = 0, end: number = parent.length): void {
  // Ascending: parents come before children, and parents inside the range already point at their roots.
  for (let i = begin; i < end; i++) {
    const up = parent[i];
    parent[i] = up >= begin ? parent[up] : findRoot(parent, up);
  }
}

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
