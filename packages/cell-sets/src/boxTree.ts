import {squaredDistance, squaredEps, type Radius} from '@epsball/clustering';
import {boxesNearSquared, buildKdTree, type KdTree} from '@epsball/kd-tree';
import type {CellIndex} from '@epsball/spatial-grid';
import {SlabSearch} from './apart.ts';
import type {CorePair} from './boxes.ts';

interface BoxTree {
  readonly tree: KdTree;
  readonly points: Int32Array;
}

/** Searches for neighbours among two lists of points with a tree of boxes over each. */
export class BoxTrees {
  readonly #coords: Float32Array | Float64Array;
  readonly #dim: number;
  readonly #eps2: number;
  readonly #slabs: SlabSearch;

  constructor({sortedCoords, dim}: CellIndex, {eps, eps2 = squaredEps(eps)}: Pick<Radius, 'eps' | 'eps2'>) {
    this.#coords = sortedCoords;
    this.#dim = dim;
    this.#eps2 = eps2;
    this.#slabs = new SlabSearch(sortedCoords, dim, eps);
  }

  /**
   * A pair of neighbours, one of each list; undefined if there is none.
   *
   * @complexity  O(m log m) for trees of m points, and the pairs of nodes within eps whose points are not: few, unless
   *              the lists run along each other at a distance just above eps
   */
  find(a: Int32Array, b: Int32Array): CorePair | undefined {
    return this.#findIn(this.#build(a), 0, this.#build(b), 0);
  }

  #build(list: Int32Array): BoxTree {
    const dim = this.#dim;
    const coords = new Float64Array(list.length * dim);
    for (let k = 0, to = 0; k < list.length; k++) {
      for (let d = 0; d < dim; d++) coords[to++] = this.#coords[list[k] * dim + d];
    }
    const tree = buildKdTree({coords, dim});
    return {tree, points: tree.pointOrder.map((k) => list[k])};
  }

  #findIn(one: BoxTree, a: number, other: BoxTree, b: number): CorePair | undefined {
    if (this.#boxDistance(one, a, other, b) > this.#eps2) return undefined;
    const [start, end, right] = [one.tree.start[a], one.tree.end[a], one.tree.right[a]];
    const [from, to, otherRight] = [other.tree.start[b], other.tree.end[b], other.tree.right[b]];
    if (this.#slabs.areApart(one.points, start, end, other.points, from, to)) return undefined;
    if (right === 0 && otherRight === 0) return this.#testAll(one, start, end, other, from, to);
    if (right === 0 || (otherRight !== 0 && to - from > end - start)) {
      const pair = this.#findIn(other, b, one, a);
      return pair && {a: pair.b, b: pair.a};
    }
    const isLeftNearer = this.#boxDistance(one, a + 1, other, b) <= this.#boxDistance(one, right, other, b);
    const [near, far] = isLeftNearer ? [a + 1, right] : [right, a + 1];
    return this.#findIn(one, near, other, b) ?? this.#findIn(one, far, other, b);
  }

  #boxDistance(one: BoxTree, a: number, other: BoxTree, b: number): number {
    return boxesNearSquared(one.tree.boxes, this.#dim, a, b, Infinity, other.tree.boxes);
  }

  #testAll(one: BoxTree, start: number, end: number, other: BoxTree, from: number, to: number): CorePair | undefined {
    for (let k = start; k < end; k++) {
      for (let m = from; m < to; m++) {
        const [a, b] = [one.points[k], other.points[m]];
        if (squaredDistance(this.#coords, this.#dim, a, b) <= this.#eps2) return {a, b};
      }
    }
    return undefined;
  }
}
