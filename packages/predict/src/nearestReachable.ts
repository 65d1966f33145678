import {filled, type PartListener, type PointSet} from '@epsball/clustering';
import {boxNearSquared, buildKdTree, KdNearest, type KdTree} from '@epsball/kd-tree';
import {distanceOf} from './lowestCluster.ts';

/** Waiting nodes of a traversal: at most one a level, and a tree has fewer than 32 levels. */
const STACK = 64;

export interface Reached {
  /** Index of the point; −1 if there is none. */
  readonly index: number;
  /** w² = max(core² of both, squared distance). */
  readonly squared: number;
}

/** Finds the point of the smallest mutual reachability to a new point. */
export class NearestReachable {
  readonly #tree: KdTree;
  /** By position. */
  readonly #core: Float64Array;
  /** By node: the smallest core distance and the smallest index of its points. */
  readonly #lowestCore: Float64Array;
  readonly #first: Int32Array;
  /** Absent: there are fewer points than the rank, so no core distance is finite. */
  readonly #nearest: KdNearest | undefined;
  readonly #stack = new Int32Array(STACK);

  /** @param rank  of core distances; the nearest point is the first */
  constructor(points: PointSet, coreSquared: Float64Array, rank: number, onProgress?: PartListener) {
    const tree = buildKdTree(points, {onProgress});
    const {n, start, end, right, pointOrder} = tree;
    this.#tree = tree;
    this.#core = filled(new Float64Array(n), (p) => coreSquared[pointOrder[p]]);
    this.#lowestCore = new Float64Array(start.length).fill(Infinity);
    this.#first = new Int32Array(start.length).fill(n);
    // Children follow their parent.
    for (let node = start.length - 1; node >= 0; node--) {
      const parts = right[node] === 0 ? [] : [node + 1, right[node]];
      for (const part of parts) this.#lower(node, this.#lowestCore[part], this.#first[part]);
      if (parts.length > 0) continue;
      for (let p = start[node]; p < end[node]; p++) this.#lower(node, this.#core[p], pointOrder[p]);
    }
    if (rank <= n) this.#nearest = new KdNearest(tree, rank);
  }

  #lower(node: number, core: number, index: number): void {
    this.#lowestCore[node] = Math.min(this.#lowestCore[node], core);
    this.#first[node] = Math.min(this.#first[node], index);
  }

  /**
   * The point of the smallest w², and of the smallest index among several, for a point whose coordinates begin at
   * `offset`.
   *
   * @complexity  O(rank + log n) in few dimensions
   */
  find(at: Float64Array, offset: number): Reached {
    const {dim, n, right} = this.#tree;
    if (n === 0) return {index: -1, squared: Infinity};
    const core = this.#nearest?.query(at, offset) ?? Infinity;
    const stack = this.#stack;
    const boundOf = (node: number): number => {
      return Math.max(core, this.#lowestCore[node], boxNearSquared(this.#tree.boxes, dim, node, at, offset, Infinity));
    };
    let best: Reached = {index: n, squared: Infinity};
    let waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
      const node = stack[--waiting];
      const bound = boundOf(node);
      if (bound > best.squared || (bound === best.squared && this.#first[node] > best.index)) continue;
      if (right[node] === 0) {
        best = this.#nearestInLeaf(node, at, offset, core, best);
        continue;
      }
      const isLeftFirst = boundOf(node + 1) <= boundOf(right[node]);
      stack[waiting++] = isLeftFirst ? right[node] : node + 1;
      stack[waiting++] = isLeftFirst ? node + 1 : right[node];
    }
    return best;
  }

  #nearestInLeaf(node: number, at: Float64Array, offset: number, core: number, bestSoFar: Reached): Reached {
    const {dim, coords, start, end, pointOrder} = this.#tree;
    let {index, squared} = bestSoFar;
    for (let p = start[node]; p < end[node]; p++) {
      const weight = Math.max(core, this.#core[p], distanceOf(coords, dim, p, at, offset, 'euclidean'));
      if (weight > squared || (weight === squared && pointOrder[p] > index)) continue;
      squared = weight;
      index = pointOrder[p];
    }
    return {index, squared};
  }
}
