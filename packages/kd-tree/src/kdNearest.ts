import {checkInteger} from '@epsball/clustering';
import {boxNearSquared} from './boxDistance.ts';
import type {KdTree} from './kdTree.ts';
import {NearestHeap, SORTED_MAX} from './nearestHeap.ts';
import {squaredOfFour} from './squaredOfFour.ts';

/** From this many dimensions on, distances are computed for four points at a time. */
const WIDE = 16;

/** In more dimensions a box excludes few nodes: only the plane that divides a node from the query has a part in it. */
const BOX_DIM_MAX = 64;

/** Waiting nodes of a descent: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

/**
 * Queries for the k nearest points. Squared distances are float64, with the axes in order. Holds scratch memory: one
 * object a thread.
 */
export class KdNearest {
  readonly k: number;
  readonly #tree: KdTree;
  readonly #heap: NearestHeap;
  /** Nodes that wait, and lower bounds of the squared distances of their points. */
  readonly #stack = new Int32Array(STACK);
  readonly #near = new Float64Array(STACK);
  readonly #four = new Float64Array(4);

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
    this.#heap.clear();
    if (this.#tree.n > 0) this.#search(at, offset);
    return this.#heap.limit;
  }

  /**
   * Searches the nodes, near ones first. One function, also for the points of leaves: so the arrays of the tree are
   * looked up once a query.
   */
  #search(at: Float64Array, offset: number): void {
    const {dim, n, coords, start, end, right, axis: axes, boxes} = this.#tree;
    const heap = this.#heap;
    const {squared, positions} = heap;
    const stack = this.#stack;
    const near = this.#near;
    const last = this.k - 1;
    const [a, b, c, e, f] = firstAxes(at, offset, dim);
    const isWide = dim >= WIDE && n >= 4;
    let {held, limit} = heap;
    let waiting = 1;
    stack[0] = near[0] = 0;
    while (waiting > 0) {
      // A node as far as the k-th point cannot lower its distance.
      if (near[--waiting] >= limit) continue;
      let node = stack[waiting];
      if (dim <= BOX_DIM_MAX && boxNearSquared(boxes, dim, node, at, offset, limit) >= limit) continue;
      for (let rightChild = right[node]; rightChild !== 0; rightChild = right[node]) {
        const axis = axes[node];
        const toLeft = at[offset + axis] - boxes[(2 * node + 3) * dim + axis];
        const toRight = boxes[2 * rightChild * dim + axis] - at[offset + axis];
        const isLeftFirst = toLeft < toRight;
        const across = isLeftFirst ? toRight : toLeft;
        stack[waiting] = isLeftFirst ? rightChild : node + 1;
        near[waiting] = across > 0 ? across * across : 0;
        if (near[waiting] < limit) waiting++;
        node = isLeftFirst ? node + 1 : rightChild;
      }
      for (let p = start[node], first = p * dim, stop = end[node]; p < stop; p++, first += dim) {
        const x = coords[first] - a;
        const y = dim > 1 ? coords[first + 1] - b : 0;
        const z = dim > 2 ? coords[first + 2] - c : 0;
        const v = dim > 3 ? coords[first + 3] - e : 0;
        const w = dim > 4 ? coords[first + 4] - f : 0;
        let sum = x * x + y * y + z * z + v * v + w * w;
        if (isWide) sum = this.#oneOfFour(start[node], p, at, offset, limit);
        for (let d = isWide ? dim : 5; d < dim; d++) {
          const delta = coords[first + d] - at[offset + d];
          sum += delta * delta;
        }
        if (sum >= limit) continue;
        if (last >= SORTED_MAX) {
          limit = heap.take(sum, p);
          continue;
        }
        let slot = held > last ? last : held++;
        for (; slot > 0 && squared[slot - 1] > sum; slot--) {
          squared[slot] = squared[slot - 1];
          positions[slot] = positions[slot - 1];
        }
        squared[slot] = sum;
        positions[slot] = p;
        if (held > last) limit = squared[last];
      }
    }
    if (last < SORTED_MAX) {
      heap.held = held;
      heap.limit = limit;
    }
  }

  /** The squared distance of a point of the leaf that starts at `from`. The first of four points computes them all. */
  #oneOfFour(from: number, p: number, at: Float64Array, offset: number, limit: number): number {
    const {dim, n, coords} = this.#tree;
    const isFirst = ((p - from) & 3) === 0;
    // Points behind the leaf, but none behind the last one.
    const first = Math.min(p - ((p - from) & 3), n - 4);
    if (isFirst) squaredOfFour(coords, dim, first * dim, at, offset, limit, this.#four);
    return this.#four[p - first];
  }
}

/** Coordinates on the first five axes; 0 where there are fewer. */
function firstAxes(at: Float64Array, offset: number, dim: number): [number, number, number, number, number] {
  const on = (axis: number): number => (axis < dim ? at[offset + axis] : 0);
  return [on(0), on(1), on(2), on(3), on(4)];
}
