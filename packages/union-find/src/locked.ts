// Disjoint sets that threads share, with locks: UNIONUSINGLOCK of PDSDBSCAN-S. That hooks the smaller root to the larger;
// here the larger goes to the smaller, so that the root of a set is its smallest member.
//
// Invariant:
// 1. parent[i] <= i at all times.
// 2. A word leaves the state parent[r] = r once, under the lock of r, and never comes back to it.
// 3. The values that a word has ever held are connected with one another through words below it, and through unions under
//    way between members below it. So replacing one of them by another loses no connection.
//
// Why each race is harmless:
// - Two hooks of one root: both take its lock, and the second finds, when it checks again, that the root is none any more.
// - A thread holds one lock at a time, for a read and a store, and asks for nothing meanwhile. So there is no deadlock, and a
//   waiting thread waits for a thread that runs, never for a task that has yet to start.
// - Several roots share a lock word. That costs waiting, not correctness: a lock guards whatever maps to it.
// - Plain reads may be old: what they return was a value of that word, by 3 as good as today's; the check under the lock
//   settles the rest.
// - Splices are plain stores. unite(x, y) with parents upX > upY stores upY where upX was, and goes on uniting these two,
//   both below x: that is 3. It splices only members that it saw hooked: that is 2. findRoot's halving likewise.
import {InvalidParameterError} from '@epsball/clustering';
import type {ParentArray} from './forest.ts';

const FREE = 0;
const HELD = 1;
/** Held, and a thread may sleep on it: the holder must wake one. */
const CONTENDED = 2;

/** Tries before sleeping. A holder needs a few nanoseconds; after this many tries it is likely off its core. */
const SPINS_MAX = 64;

/** A sleep ends at the latest then, and the lock is tried again. */
const SLEEP_MS = 1;

/** Enough for a conflict of 64 threads to be rare, and 4 KiB. */
const LOCK_COUNT = 1024;

/** More would cost memory and spare nothing: 4 MiB. */
const LOCKS_MAX = 2 ** 20;

/** The main thread of a browser must not sleep; there a thread goes on trying. */
const MAY_SLEEP: boolean = /* @__PURE__ */ maySleep();

/**
 * A table of locks for `uniteLocked`; root r takes lock r mod `count`.
 *
 * @param count  a power of two, 1 … 2^20
 * @returns      on a `SharedArrayBuffer`, all free; hand it to every thread
 * @throws InvalidParameterError  if `count` is none
 */
export function createLocks(count: number = LOCK_COUNT): Int32Array<SharedArrayBuffer> {
  if (!Number.isInteger(Math.log2(count)) || count < 1 || count > LOCKS_MAX) {
    throw new InvalidParameterError('count', count, `a power of two from 1 to ${LOCKS_MAX}`);
  }
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * count));
}

/**
 * Unites two sets while other threads do the same, each root being hooked under its lock: Rem's algorithm with splicing.
 * Not to be mixed with `uniteShared` or `unite` on members that other threads reach.
 *
 * @param parent  on a `SharedArrayBuffer`; invariant parent[i] <= i, kept
 * @param locks   from `createLocks`, the same one in all threads
 * @param a       a member; not checked
 * @param b       a member; not checked
 * @returns       whether this call joined them; of all threads' calls, one a hook
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
      // x = p(x), and the part left behind moves below the other path
      parent[x] = upY;
      x = upX;
      upX = parent[x];
    }
  }
  return false;
}

/** Hooks `root` to `low`, if it still is a root. */
function hookUnderLock(parent: ParentArray, locks: Int32Array, root: number, low: number): boolean {
  const k = root & (locks.length - 1);
  acquire(locks, k);
  // Plain: the lock orders them after the last holder's and before the next one's, and only holders write to roots.
  const isRoot = parent[root] === root;
  if (isRoot) parent[root] = low;
  release(locks, k);
  return isRoot;
}

/** A mutex of three states, so that a release without sleepers makes no system call (Drepper 2011, Futexes are tricky). */
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
