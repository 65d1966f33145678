import {squaredEps, type Radius} from '@epsball/clustering';
import type {CellIndex} from '@epsball/spatial-grid';
import {SlabSearch} from './apart.ts';
import {boundPoints, squaredDistanceOf} from './boxes.ts';
import type {CorePair} from './pair.ts';

/** Maximum points of a leaf. */
const LEAF = 16;

/** A balanced k-d tree: node k has the children 2k + 1 and 2k + 2, and each node halves its points. */
interface BoxTree {
  /** Ordered by leaf. */
  readonly points: Int32Array;
  /** Bounding box of each node, as `Box`. */
  readonly boxes: Float64Array;
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
    const one = this.#build(a);
    const other = this.#build(b);
    const pair = this.#findIn(one, 0, 0, a.length, other, 0, 0, b.length);
    return pair;
  }

  #build(list: Int32Array): BoxTree {
    const points = list.slice();
    let leaves = 1;
    while (leaves * LEAF < points.length) leaves *= 2;
    const boxes = new Float64Array(2 * this.#dim * (2 * leaves - 1));
    this.#buildNode({points, boxes}, 0, 0, points.length);
    return {points, boxes};
  }

  #buildNode(tree: BoxTree, node: number, start: number, end: number): void {
    const dim = this.#dim;
    const {points, boxes} = tree;
    const at = 2 * dim * node;
    boundPoints(this.#coords, dim, points, start, end, boxes, at);
    if (this.#isLeaf(tree, node)) return;
    let axis = 0;
    for (let d = 1; d < dim; d++) {
      if (boxes[at + dim + d] - boxes[at + d] > boxes[at + dim + axis] - boxes[at + axis]) axis = d;
    }
    const middle = (start + end) >>> 1;
    this.#select(points, axis, start, end - 1, middle);
    this.#buildNode(tree, 2 * node + 1, start, middle);
    this.#buildNode(tree, 2 * node + 2, middle, end);
  }

  #isLeaf({boxes}: BoxTree, node: number): boolean {
    return 2 * this.#dim * (2 * node + 1) >= boxes.length;
  }

  /** Puts the point of rank `wanted` on an axis at its place: lower ones before it, higher ones behind (Hoare). */
  #select(points: Int32Array, axis: number, from: number, to: number, wanted: number): void {
    const coords = this.#coords;
    const dim = this.#dim;
    let low = from;
    let high = to;
    while (low < high) {
      const pivot = coords[points[(low + high) >>> 1] * dim + axis];
      let i = low;
      let j = high;
      while (i <= j) {
        while (coords[points[i] * dim + axis] < pivot) i++;
        while (coords[points[j] * dim + axis] > pivot) j--;
        if (i > j) break;
        const swapped = points[i];
        points[i++] = points[j];
        points[j--] = swapped;
      }
      if (wanted <= j) high = j;
      else if (wanted >= i) low = i;
      else return;
    }
  }

  #findIn(
    one: BoxTree,
    a: number,
    start: number,
    end: number,
    other: BoxTree,
    b: number,
    from: number,
    to: number,
  ): CorePair | undefined {
    if (this.#boxDistance(one, a, other, b) > this.#eps2) return undefined;
    if (this.#slabs.areApart(one.points, start, end, other.points, from, to)) return undefined;
    const isLeaf = this.#isLeaf(one, a);
    if (isLeaf && this.#isLeaf(other, b)) return this.#testAll(one, start, end, other, from, to);
    if (isLeaf || (!this.#isLeaf(other, b) && to - from > end - start)) {
      const pair = this.#findIn(other, b, from, to, one, a, start, end);
      return pair && {a: pair.b, b: pair.a};
    }
    const middle = (start + end) >>> 1;
    const left = 2 * a + 1;
    const isLeftNearer = this.#boxDistance(one, left, other, b) <= this.#boxDistance(one, left + 1, other, b);
    const first = isLeftNearer
      ? this.#findIn(one, left, start, middle, other, b, from, to)
      : this.#findIn(one, left + 1, middle, end, other, b, from, to);
    if (first !== undefined) return first;
    return isLeftNearer
      ? this.#findIn(one, left + 1, middle, end, other, b, from, to)
      : this.#findIn(one, left, start, middle, other, b, from, to);
  }

  /** Squared distance of two boxes; at most that of any two of their points, rounding included. */
  #boxDistance(one: BoxTree, a: number, other: BoxTree, b: number): number {
    const dim = this.#dim;
    const atA = 2 * dim * a;
    const atB = 2 * dim * b;
    let sum = 0;
    for (let d = 0; d < dim; d++) {
      const lowA = one.boxes[atA + d];
      const lowB = other.boxes[atB + d];
      const highA = one.boxes[atA + dim + d];
      const highB = other.boxes[atB + dim + d];
      const delta = highA < lowB ? lowB - highA : highB < lowA ? lowA - highB : 0;
      sum += delta * delta;
    }
    return sum;
  }

  #testAll(one: BoxTree, start: number, end: number, other: BoxTree, from: number, to: number): CorePair | undefined {
    for (let k = start; k < end; k++) {
      for (let m = from; m < to; m++) {
        const [a, b] = [one.points[k], other.points[m]];
        if (squaredDistanceOf(this.#coords, this.#dim, a, b) <= this.#eps2) return {a, b};
      }
    }
    return undefined;
  }
}
