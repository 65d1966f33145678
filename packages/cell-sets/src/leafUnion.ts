// All threads unite in one forest, earlier parts included, by a shared form of `union-find`; `lockFree.ts` and
// `locked.ts` there show why that is harmless. `findRoot` returns a member of the block, which may be a root no longer.
// So two members with equal results are in one set, whenever these were read. With locks, a splice may come before its
// union ends: then they are in one set when the step ends, which is all that a skip needs. Unequal results say nothing,
// and cost a search at most.
import {limitOf, squaredDistance} from '@epsball/clustering';
import {boxFarSquared, boxNearSquared, type KdTree} from '@epsball/kd-tree';
import {findRoot} from '@epsball/union-find';
import type {SearchSpace} from './forest.ts';
import type {LeafIndex} from './leafIndex.ts';
import type {Unite} from './pointUnion.ts';

const NONE = -1;
const UNKNOWN = -2;

/**
 * Unites the points of the leaves of a tree with their neighbours. Each core point searches the tree for earlier core
 * points within eps.
 *
 * A subtree is *whole* if its core points are in one set. Sets only grow, so a subtree stays whole. It is skipped by
 * the points of that set, and if it is within eps of a point as a whole, it costs one union. So in a large cluster most
 * searches end near the root. That is why threads do not list pairs with the points of other threads, for a later
 * merging, as PDSDBSCAN-S does: a point has thousands of them in many dimensions, and none of its searches would end.
 */
export class LeafUnion {
  readonly #tree: KdTree;
  readonly #cellStart: Int32Array;
  readonly #isCore: Uint8Array;
  readonly #parent: Int32Array;
  readonly #eps2: number;
  readonly #unite: Unite;
  /** By node: a core point of a whole subtree, `NONE`, or `UNKNOWN`. */
  readonly #wholeBy: Int32Array;
  readonly #stack = new Int32Array(64);

  constructor(space: SearchSpace, index: LeafIndex, unite: Unite) {
    this.#tree = index.tree;
    this.#cellStart = index.cellStart;
    this.#isCore = space.forest.isCore;
    this.#parent = space.forest.parent;
    this.#eps2 = limitOf(space);
    this.#unite = unite;
    this.#wholeBy = new Int32Array(index.tree.right.length).fill(UNKNOWN);
  }

  uniteCells(firstLeaf: number, endLeaf: number): void {
    for (let position = this.#cellStart[firstLeaf]; position < this.#cellStart[endLeaf]; position++) {
      if (this.#isCore[position] === 1) this.#uniteWithEarlier(position);
    }
  }

  #uniteWithEarlier(position: number): void {
    const {dim, coords, start, end, right, boxes} = this.#tree;
    const parent = this.#parent;
    const eps2 = this.#eps2;
    const stack = this.#stack;
    const offset = position * dim;
    let root = findRoot(parent, position);
    let waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
      const node = stack[--waiting];
      if (start[node] >= position) continue;
      const core = this.#wholeCore(node);
      if (core === NONE || (core >= 0 && findRoot(parent, core) === root)) continue;
      if (boxNearSquared(boxes, dim, node, coords, offset, eps2) > eps2) continue;
      if (core >= 0 && boxFarSquared(boxes, dim, node, coords, offset, eps2) <= eps2) {
        this.#unite(core, position);
        root = findRoot(parent, position);
      } else if (right[node] === 0) {
        root = this.#uniteWithLeaf(position, root, start[node], Math.min(end[node], position));
      } else {
        stack[waiting++] = right[node];
        stack[waiting++] = node + 1;
      }
    }
  }

  /** Unites a point with those of [from, to). Returns its root. */
  #uniteWithLeaf(position: number, oldRoot: number, from: number, to: number): number {
    const {dim, coords} = this.#tree;
    const isCore = this.#isCore;
    const parent = this.#parent;
    let root = oldRoot;
    for (let other = from; other < to; other++) {
      if (isCore[other] === 0) continue;
      if (parent[other] === root) continue;
      if (squaredDistance(coords, dim, position, other) > this.#eps2) continue;
      this.#unite(other, position);
      root = findRoot(parent, position);
    }
    return root;
  }

  /** A core point of a subtree if it is whole, `NONE` if it has no core point, else `UNKNOWN`. */
  #wholeCore(node: number): number {
    const wholeBy = this.#wholeBy;
    if (wholeBy[node] !== UNKNOWN) return wholeBy[node];
    const {right} = this.#tree;
    if (right[node] === 0) return (wholeBy[node] = this.#wholeLeaf(node));
    const left = wholeBy[node + 1];
    const other = wholeBy[right[node]];
    if (left === UNKNOWN || other === UNKNOWN) return UNKNOWN;
    if (left === NONE) return (wholeBy[node] = other);
    if (other !== NONE && findRoot(this.#parent, left) !== findRoot(this.#parent, other)) return UNKNOWN;
    return (wholeBy[node] = left);
  }

  #wholeLeaf(node: number): number {
    const {start, end} = this.#tree;
    let core = NONE;
    let root = NONE;
    for (let position = start[node]; position < end[node]; position++) {
      if (this.#isCore[position] === 0) continue;
      const other = findRoot(this.#parent, position);
      if (core !== NONE && other !== root) return UNKNOWN;
      core = position;
      root = other;
    }
    return core;
  }
}
