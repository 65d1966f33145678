import {InvalidParameterError} from '@epsball/clustering';
import {findRoot, flatten, makeSets} from './forest.ts';
import {unite} from './rem.ts';

const MEMBERS_MAX = 0x7fffffff;

/** Disjoint sets of the members 0 … n − 1, with checked arguments. Inner loops call the free functions on `parent`. */
export class DisjointSets {
  /** The forest: parent[i] <= i. Owned by this object; unions made on it directly do not change `setCount`. */
  readonly parent: Int32Array<ArrayBuffer>;
  #setCount: number;

  /**
   * Creates n sets of one member each.
   *
   * @param n  number of members, integer from 0 to 2^31 − 1
   * @throws InvalidParameterError  if n is not such an integer
   */
  constructor(n: number) {
    validateMemberCount(n);
    this.parent = new Int32Array(n);
    this.#setCount = n;
    makeSets(this.parent);
  }

  get n(): number {
    return this.parent.length;
  }

  get setCount(): number {
    return this.#setCount;
  }

  /**
   * Unites the sets of two members.
   *
   * @returns  whether the sets were different
   * @throws InvalidParameterError  if a or b is not a member
   */
  unite(a: number, b: number): boolean {
    checkMember('a', a, this.parent.length);
    checkMember('b', b, this.parent.length);
    const wereApart = unite(this.parent, a, b);
    if (wereApart) this.#setCount--;
    return wereApart;
  }

  /**
   * Returns the smallest member of i's set.
   *
   * @throws InvalidParameterError  if i is not a member
   */
  findRoot(i: number): number {
    checkMember('i', i, this.parent.length);
    return findRoot(this.parent, i);
  }

  /**
   * Whether two members are in one set.
   *
   * @throws InvalidParameterError  if a or b is not a member
   */
  areUnited(a: number, b: number): boolean {
    checkMember('a', a, this.parent.length);
    checkMember('b', b, this.parent.length);
    return findRoot(this.parent, a) === findRoot(this.parent, b);
  }

  /** Points every member at its root. Returns `parent` itself: the smallest member of each member's set. O(n). */
  flatten(): Int32Array<ArrayBuffer> {
    flatten(this.parent);
    return this.parent;
  }
}

function checkMember(name: string, i: number, n: number): void {
  if (Number.isInteger(i) && i >= 0 && i < n) return;
  throw new InvalidParameterError(name, i, memberExpectation(n));
}

/** @throws InvalidParameterError  if n is not an integer from 0 to 2^31 − 1 */
export function validateMemberCount(n: number): void {
  if (Number.isInteger(n) && n >= 0 && n <= MEMBERS_MAX) return;
  throw new InvalidParameterError('n', n, `an integer from 0 to ${MEMBERS_MAX}`);
}

export function memberExpectation(n: number): string {
  return n === 0 ? 'no member, because n = 0' : `an integer from 0 to ${n - 1}`;
}
