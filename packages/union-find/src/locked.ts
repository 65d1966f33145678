// Disjoint sets that several threads unite, with locks: UNIONUSINGLOCK of PDSDBSCAN-S. The paper hooks the smaller
// root to the larger. Here the larger is hooked to the smaller, so that the root of a set is its smallest member.
//
// Invariant:
// 1. parent[i] <= i at all times.
// 2. A word leaves the state parent[r] = r once, under the lock of r, and never returns to it.
// 3. All values that a word has held are connected with one another by words below it, and by running unions of members
//    below it. So replacing one of these values by another loses no connection.
//
// Why each race is harmless:
// - Two hooks of one root: both take its lock, and the second finds, when it checks again, that the root is no longer
//   one.
// - A thread holds one lock at a time, for a read and a store, and takes no other meanwhile. So there is no deadlock,
//   and a waiting thread waits for a running thread, never for a task that has not started.
// - Several roots share a lock word. That costs waiting, not correctness: a lock guards all roots that map to it.
// - Plain reads may be stale. They return an earlier value of the word, which by 3 serves as well as the current one;
//   the check under the lock decides.
// - A reader that skips a union because two members have equal roots: by 3 these are connected, perhaps by running
//   unions, so they are in one set when these have ended.
// - Splices are plain stores. unite(x, y) with parents upX > upY stores upY in place of upX, and goes on to unite the
//   two, both below x: that keeps 3. It splices only members that it saw hooked: that keeps 2. The same holds for
//   findRoot's halving.
import {InvalidParameterError} from '@epsball/clustering';
import type {ParentArray} from './forest.ts';

const FREE = 0;
const HELD = 1;
/** Held, and threads may sleep on it: the holder must wake one. */
const CONTENDED = 2;

/** Attempts before sleeping. A holder needs a few nanoseconds; after this many attempts it is probably off its core. */
const SPINS_MAX = 64;

const SLEEP_MS = 1;

/** Makes conflicts of 64 threads rare; takes 4 KiB. */
const LOCK_COUNT = 1024;

/** 4 MiB; more locks would save nothing. */
const LOCKS_MAX = 2 ** 20;

/** False on the main thread of a browser, which must not sleep and keeps trying instead. */
const MAY_SLEEP: boolean = /* @__PURE__ */ maySleep();

/**
 * Creates a table of locks for `uniteLocked`. Root r uses lock r mod `count`.
 *
 * @param count  power of two from 1 to 2^20. Default: 1024
 * @returns      free locks on a `SharedArrayBuffer`; all threads use the same table
 * @throws InvalidParameterError  if `count` is not such a power of two
 */
export function createLocks(count: number = LOCK_COUNT): Int32Array<SharedArrayBuffer> {
  if (!Number.isInteger(Math.log2(count)) || count < 1 || count > LOCKS_MAX) {
    throw new InvalidParameterError('count', count, `a power of two from 1 to ${LOCKS_MAX}`);
  }
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * count));
}

/**
 * Unites two sets while other threads do the same, by Rem's algorithm with splicing. Each root is hooked under its
 * lock. Do not mix it with `uniteShared` or `unite` on members that other threads reach.
 *
 * @param parent  on a `SharedArrayBuffer`; invariant parent[i] <= i is preserved
 * @param locks   from `createLocks`, the same table in all threads
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether this call united them; among the calls of all threads, one for each hook
 * @complexity    as `unite`, without contention
 * @source        Patwary et al. 2012, PDSDBSCAN, UNIONUSINGLOCK; splicing after Patwary, Refsnes and Manne 2012
 */
export function uniteLocked(parent: ParentArray, locks: Int32Array, a: number, b: number): boolean {
  let x = a;
  let y = b;
  let upX = parent[x];
  let upY = parent[y];
  // while p(x) ≠ p(x')
  while (upX !== upY) {
    if (upX < upY) {
      [x, y] = [y, x];
      [upX, upY] = [upY, upX];
    }
    // if x = p(x): LOCK, check again, hook, UNLOCK
    if (x === upX) {
      if (hookUnderLock(parent, locks, x, upY)) return true;
      upX = parent[x];
    } else {
      // x = p(x); the left part of the path moves below the other path
      parent[x] = upY;
      x = upX;
      upX = parent[x];
    }
  }
  return false;
}

function hookUnderLock(parent: ParentArray, locks: Int32Array, root: number, low: number): boolean {
  const k = root & (locks.length - 1);
  acquire(locks, k);
  // Plain accesses: the lock orders them between the previous and the next holder's, and only holders write to roots.
  const isRoot = parent[root] === root;
  if (isRoot) parent[root] = low;
  release(locks, k);
  return isRoot;
}

/** A mutex with three states: releasing it without sleepers makes no system call (Drepper 2011, Futexes are tricky). */
function acquire(locks: Int32Array, k: number): void {
  for (let spin = 0; spin < SPINS_MAX; spin++) {
    if (Atomics.compareExchange(locks, k, FREE, HELD) === FREE) return;
  }
  while (Atomics.exchange(locks, k, CONTENDED) !== FREE) {
    if (MAY_SLEEP) Atomics.wait(locks, k, CONTENDED, SLEEP_MS);
  }
}

function release(locks: Int32Array, k: number): void {
  if (Atomics.exchange(locks, k, FREE) === CONTENDED) Atomics.notify(locks, k, 1);
}

function maySleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
