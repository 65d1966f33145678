import {InvalidParameterError} from '@epsball/clustering';
import {boxNearSquared} from './boxDistance.ts';
import type {KdTree} from './kdTree.ts';
import {NearestHeap} from './nearestHeap.ts';

/** Waiting nodes of a traversal: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

/**
 * Queries for the k nearest points. Squared distances are float64, with the axes in order. Holds scratch memory: one
 * object a thread.
 */
export class KdNearest {
  readonly k: number;
  readonly #tree: KdTree;
  readonly #heap: NearestHeap;
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
    this.#heap = new NearestHeap(k);
  }

  /**
   * Squared distances of the last query, ascending; infinite where the tree has fewer than k points.
   *
   * @complexity  O(k · log k) once after a query
   */
  get squared(): Float64Array {
    this.#heap.sort();
    return this.#heap.squared;
  }

  /** Positions of the last query, in the order of `squared`; −1 where the tree has fewer. Cost as `squared`. */
  get positions(): Int32Array {
    this.#heap.sort();
    return this.#heap.positions;
  }

  /**
   * Finds the k nearest points: the values of `squared` and `positions`. Of points at the distance of the k-th, any may
   * be among them; points at one distance are in the order of their positions.
   *
   * @param at  coordinates of the point, which begin at `offset`: `tree.coords` and `position · dim` for a point of the
   *            tree, which then counts as its own nearest point
   * @returns   the squared distance of the k-th nearest point; infinite if the tree has fewer points
   * @complexity  O(k · log k + log n) for few dimensions
   */
  query(at: Float64Array, offset: number): number {
    const {dim, n, coords, start, end, right, boxes} = this.#tree;
    const heap = this.#heap;
    const stack = this.#stack;
    const near = this.#near;
    heap.clear();
    let waiting = 0;
    let node = n > 0 ? 0 : -1;
    while (node >= 0) {
      const rightChild = right[node];
      if (rightChild === 0) {
        heap.scan(coords, dim, start[node], end[node], at, offset);
        node = -1;
      } else {
        const {limit} = heap;
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
      while (waiting > 0 && node < 0) if (near[--waiting] < heap.limit) node = stack[waiting];
    }
    return heap.limit;
  }
}
