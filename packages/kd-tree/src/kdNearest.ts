import {InvalidParameterError} from '@epsball/clustering';
import {boxNearSquared} from './boxDistance.ts';
import type {KdTree} from './kdTree.ts';

/** Waiting nodes of a traversal: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

/**
 * Queries for the k nearest points. Squared distances are float64, with the axes in order. Holds scratch memory: one
 * object a thread.
 */
export class KdNearest {
  readonly k: number;
  /** Squared distances of the last query, ascending; infinite where the tree has fewer than k points. */
  readonly squared: Float64Array;
  /** Positions of the last query, in the order of `squared`; −1 where the tree has fewer. */
  readonly positions: Int32Array;
  readonly #tree: KdTree;
  readonly #stack = new Int32Array(STACK);
  readonly #near = new Float64Array(STACK);

  /**
   * @param tree  not modified
   * @param k     integer ≥ 1
   * @throws InvalidParameterError  if k is not such an integer
   */
  constructor(tree: KdTree, k: number) {
    if (!Number.isInteger(k) || k < 1) throw new InvalidParameterError('k', k, 'an integer ≥ 1');
    this.#tree = tree;
    this.k = k;
    this.squared = new Float64Array(k);
    this.positions = new Int32Array(k);
  }

  /**
   * Finds the k nearest points, and fills `squared` and `positions`. Of points at the distance of the k-th, any may be
   * among them.
   *
   * @param at  coordinates of the point, which begin at `offset`: `tree.coords` and `position · dim` for a point of the
   *            tree, which then counts as its own nearest point
   * @returns   the squared distance of the k-th nearest point; infinite if the tree has fewer points
   * @complexity  O(k · log n) for few dimensions
   */
  query(at: Float64Array, offset: number): number {
    const {dim, n, coords, start, end, right, boxes} = this.#tree;
    const {squared, k} = this;
    const stack = this.#stack;
    const near = this.#near;
    squared.fill(Infinity);
    this.positions.fill(-1);
    let waiting = 0;
    let node = n > 0 ? 0 : -1;
    while (node >= 0) {
      const rightChild = right[node];
      if (rightChild === 0) {
        this.#scan(coords, dim, start[node], end[node], at, offset);
        node = -1;
      } else {
        const limit = squared[k - 1];
        const leftNear = boxNearSquared(boxes, dim, node + 1, at, offset, limit);
        const rightNear = boxNearSquared(boxes, dim, rightChild, at, offset, limit);
        const isLeftFirst = leftNear <= rightNear;
        stack[waiting] = isLeftFirst ? rightChild : node + 1;
        near[waiting++] = isLeftFirst ? rightNear : leftNear;
        stack[waiting] = isLeftFirst ? node + 1 : rightChild;
        near[waiting++] = isLeftFirst ? leftNear : rightNear;
        node = -1;
      }
      // A node as far as the k-th point cannot lower its distance.
      while (waiting > 0 && node < 0) if (near[--waiting] < squared[k - 1]) node = stack[waiting];
    }
    return squared[k - 1];
  }

  /** Inserts the nearer points of a leaf. */
  #scan(coords: Float64Array, dim: number, start: number, end: number, at: Float64Array, offset: number): void {
    const {squared, positions, k} = this;
    let limit = squared[k - 1];
    for (let p = start; p < end; p++) {
      const first = p * dim;
      let sum = 0;
      for (let d = 0; d < dim; d++) {
        const delta = coords[first + d] - at[offset + d];
        sum += delta * delta;
      }
      if (sum >= limit) continue;
      let slot = k - 1;
      while (slot > 0 && squared[slot - 1] > sum) {
        squared[slot] = squared[slot - 1];
        positions[slot] = positions[slot - 1];
        slot--;
      }
      squared[slot] = sum;
      positions[slot] = p;
      limit = squared[k - 1];
    }
  }
}
