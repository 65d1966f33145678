import {checkInteger} from '@epsball/clustering';
import type {KdTree} from './kdTree.ts';
import {NearestHeap} from './nearestHeap.ts';

/** In more dimensions a sum over all axes excludes few nodes: only those on the way to the node have a part in it. */
const SUM_DIM_MAX = 64;

/**
 * Queries for the k nearest points. Squared distances are float64, with the axes in order. Holds scratch memory: one
 * object a thread.
 */
export class KdNearest {
  readonly k: number;
  readonly #tree: KdTree;
  readonly #heap: NearestHeap;
  /** By axis: no point below the node is closer to the query. Sums of the squares are bounds as those of boxes. */
  readonly #away: Float64Array;

  /**
   * @param tree  not modified
   * @param k     integer ≥ 1
   * @throws InvalidParameterError  if k is not such an integer
   */
  constructor(tree: KdTree, k: number) {
    checkInteger('k', k, 1);
    this.#tree = tree;
    this.k = k;
    this.#heap = new NearestHeap(k);
    this.#away = new Float64Array(tree.dim);
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

  /** Positions of the last query in no order, the first `held` of these. Costs nothing. */
  get unordered(): Int32Array {
    return this.#heap.positions;
  }

  /** The points that the last query found; at most k. */
  get held(): number {
    return this.#heap.held;
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
    const {dim, n, boxes} = this.#tree;
    this.#heap.clear();
    if (n === 0) return Infinity;
    let squared = 0;
    for (let d = 0; d < dim; d++) {
      const x = at[offset + d];
      const away = Math.max(boxes[d] - x, x - boxes[dim + d], 0);
      this.#away[d] = away;
      squared += away * away;
    }
    // Also where no square is finite: the distances of the points are infinite, too.
    if (squared < Infinity) this.#search(0, at, offset);
    return this.#heap.limit;
  }

  /** Searches the points below a node, those on the side of the query first. */
  #search(node: number, at: Float64Array, offset: number): void {
    const {dim, coords, start, end, right, axis: axes, boxes} = this.#tree;
    const heap = this.#heap;
    const away = this.#away;
    const rightChild = right[node];
    if (rightChild === 0) return heap.scan(coords, dim, start[node], end[node], at, offset);
    const axis = axes[node];
    const x = at[offset + axis];
    const toLeft = x - boxes[(2 * node + 3) * dim + axis];
    const toRight = boxes[2 * rightChild * dim + axis] - x;
    const isLeftFirst = toLeft < toRight;
    this.#search(isLeftFirst ? node + 1 : rightChild, at, offset);
    const across = isLeftFirst ? toRight : toLeft;
    const before = away[axis];
    if (across > before) {
      if (across * across >= heap.limit) return;
      away[axis] = across;
    }
    let squared = 0;
    if (dim <= SUM_DIM_MAX) for (let d = 0; d < dim; d++) squared += away[d] * away[d];
    // A node as far as the k-th point cannot lower its distance.
    if (squared < heap.limit) this.#search(isLeftFirst ? rightChild : node + 1, at, offset);
    away[axis] = before;
  }
}
