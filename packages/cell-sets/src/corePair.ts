import {squaredDistance, squaredEps, type Radius} from '@epsball/clustering';
import type {CellIndex} from '@epsball/spatial-grid';
import {SlabSearch} from './apart.ts';
import {boxOf, pairAmong, squaredDistanceToBox, type CorePair} from './boxes.ts';
import {treeSearch} from './boxTree.ts';

/** Up to this many tests all pairs are tested: less than the other steps cost. */
const FEW_PAIRS = 1024;

/** Steps from a point to the nearest one of the other side before the full search. */
const STEPS = 3;

/**
 * Finds a pair of neighbouring core points of two crowded sides, or shows that there is none, without testing all
 * pairs.
 *
 * 1. Points farther than eps from the bounding box of the other side have no neighbour there.
 * 2. Cells that touch mostly have a pair among the points nearest to each other: a few steps from one to the other.
 * 3. Sides that are apart mostly have a slab of width eps between them (`SlabSearch`).
 * 4. What is left is searched in two trees of boxes.
 *
 * Distances to boxes are computed as those of points, axis by axis. Differences, squares and sums round monotonically,
 * so a point is never closer than the box that holds it, rounding included.
 */
export class CorePairSearch {
  readonly #index: CellIndex;
  readonly #isCore: Uint8Array;
  readonly #eps2: number;
  readonly #slabs: SlabSearch;
  readonly #findInTrees: ReturnType<typeof treeSearch>;

  constructor(index: CellIndex, isCore: Uint8Array, radius: Pick<Radius, 'eps' | 'eps2'>) {
    const {eps, eps2 = squaredEps(eps)} = radius;
    this.#index = index;
    this.#isCore = isCore;
    this.#eps2 = eps2;
    this.#slabs = new SlabSearch(index.sortedCoords, index.dim, eps);
    this.#findInTrees = treeSearch(index, radius);
  }

  /** A pair of neighbouring core points, one in [start, end) and one in [from, to); undefined if there is none. */
  find(start: number, end: number, from: number, to: number): CorePair | undefined {
    let a = this.#corePoints(start, end);
    let b = this.#corePoints(from, to);
    if (a.length * b.length > FEW_PAIRS) {
      a = this.#near(a, b);
      b = this.#near(b, a);
    }
    if (a.length === 0 || b.length === 0) return undefined;
    const {sortedCoords, dim} = this.#index;
    if (a.length * b.length <= FEW_PAIRS) return pairAmong(sortedCoords, dim, this.#eps2, a, b);
    const near = this.#approach(a, b);
    if (near !== undefined) return near;
    if (this.#slabs.areApart(a, 0, a.length, b, 0, b.length)) return undefined;
    return this.#findInTrees(a, b);
  }

  #corePoints(start: number, end: number): Int32Array {
    const isCore = this.#isCore;
    const points = new Int32Array(end - start);
    let count = 0;
    for (let position = start; position < end; position++) if (isCore[position] === 1) points[count++] = position;
    return points.subarray(0, count);
  }

  #near(points: Int32Array, others: Int32Array): Int32Array {
    if (others.length === 0) return others;
    const {sortedCoords, dim} = this.#index;
    const box = boxOf(sortedCoords, dim, others);
    return points.filter((position) => squaredDistanceToBox(sortedCoords, dim, position, box) <= this.#eps2);
  }

  #approach(a: Int32Array, b: Int32Array): CorePair | undefined {
    const {sortedCoords, dim} = this.#index;
    const box = boxOf(sortedCoords, dim, b);
    let at = lowest(a, (position) => squaredDistanceToBox(sortedCoords, dim, position, box));
    for (let step = 0; step < STEPS; step++) {
      const sides = step % 2 === 0 ? b : a;
      const from = at;
      at = lowest(sides, (position) => squaredDistance(sortedCoords, dim, position, from));
      if (squaredDistance(sortedCoords, dim, at, from) <= this.#eps2) {
        return step % 2 === 0 ? {a: from, b: at} : {a: at, b: from};
      }
    }
    return undefined;
  }
}

function lowest(points: Int32Array, valueOf: (position: number) => number): number {
  let best = points[0];
  let lowestValue = Number.POSITIVE_INFINITY;
  for (let k = 0; k < points.length; k++) {
    const value = valueOf(points[k]);
    if (value < lowestValue) {
      lowestValue = value;
      best = points[k];
    }
  }
  return best;
}
