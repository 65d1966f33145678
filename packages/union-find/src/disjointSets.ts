import {InvalidParameterError} from '@epsball/clustering';
import {findRoot, flatten, makeSets} from './forest.ts';
import {unite} from './rem.ts';

/** Members are int32 indices. */
const MEMBERS_MAX = 0x7fffffff;

/**
 * Disjoint sets of the members 0 … n − 1 that checks what it is asked. Loops that have checked already call the free functions
 * on `parent`.
 */
export class DisjointSets {
  /** The forest: parent[i] <= i. Owned by this object; uniting in it directly leaves `setCount` behind. */
  readonly parent: Int32Array<ArrayBuffer>;
  #setCount: number;

  /**
   * Every member is a set of its own at first.
   *
   * @param n  members, 0 … 2^31 − 1
   * @throws InvalidParameterError  if n is no such integer
   */
  constructor(n: number) {
    validateMemberCount(n);
    this.parent = new Int32Array(n);
    this.#setCount = n;
    makeSets(this.parent);
  }

  /** Members. */
  get n(): number {
    return this.parent.length;
  }

  /** Sets that are left. */
  get setCount(): number {
    return this.#setCount;
  }

  /**
   * Unites the sets of two members.
   *
   * @returns  whether they were apart
   * @throws InvalidParameterError  if a or b is no member
   */
  unite(a: number, b: number): boolean {
    checkMember('a', a, this.parent.length);
    checkMember('b', b, this.parent.length);
    const wereApart = unite(this.parent, a, b);
    if (wereApart) this.#setCount--;
    return wereApart;
  }

  /**
   * The smallest member of i's set.
   *
   * @throws InvalidParameterError  if i is no member
   */
  findRoot(i: number): number {
    checkMember('i', i, this.parent.length);
    return findRoot(this.parent, i);
  }

  /**
   * Whether two members are in one set.
   *
   * @throws InvalidParameterError  if a or b is no member
   */
  areUnited(a: number, b: number): boolean {
    checkMember('a', a, this.parent.length);
    checkMember('b', b, this.parent.length);
    return findRoot(this.parent, a) === findRoot(this.parent, b);
  }

  /** Points every member at its root and returns `parent` itself: the smallest member of each member's set. O(n). */
  flatten(): Int32Array<ArrayBuffer> {
    flatten(this.parent);
    return this.parent;
  }
}

function checkMember(name: string, i: number, n: number): void {
  if (Number.isInteger(i) && i >= 0 && i < n) return;
  throw new InvalidParameterError(name, i, memberExpectation(n));
}

/** @throws InvalidParameterError  if n is no integer from 0 to 2^31 − 1 */
export function validateMemberCount(n: number): void {
  if (Number.isInteger(n) && n >= 0 && n <= MEMBERS_MAX) return;
  throw new InvalidParameterError('n', n, `an integer from 0 to ${MEMBERS_MAX}`);
}

/** What a member of n is, for errors. */
export function memberExpectation(n: number): string {
  return n === 0 ? 'no member at all, because n = 0' : `an integer from 0 to ${n - 1}`;
}
