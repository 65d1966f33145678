// A forest over the members 0 … n − 1, one word a member: a root is its own parent.
// Invariant: parent[i] <= i at all times. So no walk can circle, every walk ends after at most i steps, and the root of a
// set is its smallest member.

/** Parents of the members 0 … n − 1, `parent[i] <= i`. May lie on a `SharedArrayBuffer`. */
export type ParentArray = Int32Array | Uint32Array;

/**
 * Makes every member of a range a set of its own.
 *
 * @param parent  words [begin, end) are overwritten; threads may take a range each
 * @complexity    O(end − begin)
 */
export function makeSets(parent: ParentArray, begin = 0, end: number = parent.length): void {
  for (let i = begin; i < end; i++) parent[i] = i;
}

/**
 * The root of a member's set, which is the smallest member. Halves the path: every other member on it comes to point at
 * its grandparent.
 *
 * Threads may search while others unite with one of the shared forms (`lockFree.ts` and `locked.ts` say why the plain
 * stores are harmless); the answer then is a root of the set at some moment of the call.
 *
 * @param parent  paths are shortened; sets stay as they are
 * @param i       a member; not checked
 * @complexity    amortized O(log n)
 * @source        Tarjan and van Leeuwen 1984, path halving
 */
export function findRoot(parent: ParentArray, i: number): number {
  let node = i;
  let up = parent[node];
  for (;;) {
    const above = parent[up];
    // Ends before the store: words of short paths are only read, and their cache lines stay shared between threads.
    if (above === up) return up;
    parent[node] = above;
    node = above;
    up = parent[node];
  }
}

/**
 * Points every member of a range at its root, for one thread: nobody else may touch `parent` meanwhile. Threads that
 * flatten a range each take `flattenShared`.
 *
 * @param parent  afterwards parent[i] is the smallest member of i's set, for i in [begin, end)
 * @complexity    O(end − begin) where begin is 0; else amortized O(log n) a member
 */
export function flatten(parent: ParentArray, begin = 0, end: number = parent.length): void {
  // Ascending: parents come first, and those of this range are flat already.
  for (let i = begin; i < end; i++) {
    const up = parent[i];
    parent[i] = up >= begin ? parent[up] : findRoot(parent, up);
  }
}
