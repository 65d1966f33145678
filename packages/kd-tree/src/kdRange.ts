import {boxFarSquared, boxNearSquared} from './boxDistance.ts';
import type {KdTree} from './kdTree.ts';

/** Waiting nodes of a traversal: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

/**
 * Queries for the points within a distance of a point. A point is within the limit if its squared distance, in float64
 * and with the axes in order, is at most the squared limit. Holds scratch memory: one object a thread.
 */
export class KdRange {
  readonly #tree: KdTree;
  readonly #stack = new Int32Array(STACK);

  constructor(tree: KdTree) {
    this.#tree = tree;
  }

  /**
   * Counts the points within a limit, and stops early.
   *
   * @param at            coordinates of the point, which begin at `offset`: `tree.coords` and `position · dim` for a
   *                      point of the tree, which then counts itself
   * @param limitSquared  squared distance; not negative
   * @param enough        the count ends when it reaches this number. Default: the end of the points
   * @returns             the number of points, if it is below `enough`; else a number from `enough` on
   * @complexity          O(log n + visited leaves); nodes that lie within the limit as a whole are not opened
   */
  countWithin(at: Float64Array, offset: number, limitSquared: number, enough: number = Infinity): number {
    const {dim, n, coords, start, end, right, boxes} = this.#tree;
    const stack = this.#stack;
    let count = 0;
    let waiting = 0;
    if (n > 0 && boxNearSquared(boxes, dim, 0, at, offset, limitSquared) <= limitSquared) stack[waiting++] = 0;
    while (waiting > 0 && count < enough) {
      const node = stack[--waiting];
      if (boxFarSquared(boxes, dim, node, at, offset, limitSquared) <= limitSquared) {
        count += end[node] - start[node];
        continue;
      }
      const rightChild = right[node];
      if (rightChild === 0) {
        for (let p = start[node]; p < end[node]; p++) if (isWithin(coords, dim, p, at, offset, limitSquared)) count++;
        continue;
      }
      const leftNear = boxNearSquared(boxes, dim, node + 1, at, offset, limitSquared);
      const rightNear = boxNearSquared(boxes, dim, rightChild, at, offset, limitSquared);
      // The nearer child first: near points end a count sooner.
      const isLeftFirst = leftNear <= rightNear;
      const near = isLeftFirst ? leftNear : rightNear;
      if (near > limitSquared) continue;
      if ((isLeftFirst ? rightNear : leftNear) <= limitSquared) stack[waiting++] = isLeftFirst ? rightChild : node + 1;
      stack[waiting++] = isLeftFirst ? node + 1 : rightChild;
    }
    return count;
  }

  /**
   * Calls `visit` with the position of each point within a limit, in ascending order, until it returns true.
   *
   * @param at            as in `countWithin`
   * @param limitSquared  as in `countWithin`
   * @param visit         returns true to end the visit
   * @returns             whether `visit` ended it
   */
  visitWithin(
    at: Float64Array,
    offset: number,
    limitSquared: number,
    visit: (position: number) => boolean | void,
  ): boolean {
    const {dim, n, coords, start, end, right, boxes} = this.#tree;
    // `visit` may query this object, too.
    const stack = [0];
    if (n === 0) return false;
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      if (boxNearSquared(boxes, dim, node, at, offset, limitSquared) > limitSquared) continue;
      if (right[node] !== 0) {
        stack.push(right[node], node + 1);
        continue;
      }
      for (let p = start[node]; p < end[node]; p++) {
        if (isWithin(coords, dim, p, at, offset, limitSquared) && visit(p) === true) return true;
      }
    }
    return false;
  }
}

function isWithin(
  coords: Float64Array,
  dim: number,
  position: number,
  at: Float64Array,
  offset: number,
  limitSquared: number,
): boolean {
  const first = position * dim;
  let sum = 0;
  for (let d = 0; d < dim; d++) {
    const delta = coords[first + d] - at[offset + d];
    sum += delta * delta;
  }
  return sum <= limitSquared;
}
