import {squaredEps, type Radius} from '@epsball/clustering';
import {boxesNearSquared, buildKdTree, type KdTree} from '@epsball/kd-tree';
import type {CellIndex} from '@epsball/spatial-grid';
import {SlabSearch} from './apart.ts';
import {pairAmong, type CorePair} from './boxes.ts';

interface BoxTree {
  readonly tree: KdTree;
  readonly points: Int32Array;
}

/**
 * A search for a pair of neighbours among two lists of points, one of each, with a tree of boxes over either.
 *
 * @complexity  O(m log m) for trees of m points, and the pairs of nodes within eps whose points are not: few, unless
 *              the lists run along each other at a distance just above eps
 */
export function treeSearch(
  {sortedCoords, dim}: CellIndex,
  {eps, eps2 = squaredEps(eps)}: Pick<Radius, 'eps' | 'eps2'>,
): (a: Int32Array, b: Int32Array) => CorePair | undefined {
  const slabs = new SlabSearch(sortedCoords, dim, eps);
  const build = (list: Int32Array): BoxTree => {
    const coords = new Float64Array(list.length * dim);
    for (let k = 0, to = 0; k < list.length; k++) {
      for (let d = 0; d < dim; d++) coords[to++] = sortedCoords[list[k] * dim + d];
    }
    const tree = buildKdTree({coords, dim});
    return {tree, points: tree.pointOrder.map((k) => list[k])};
  };
  const boxDistance = (one: BoxTree, a: number, other: BoxTree, b: number): number =>
    boxesNearSquared(one.tree.boxes, dim, a, b, Infinity, other.tree.boxes);
  const findIn = (one: BoxTree, a: number, other: BoxTree, b: number): CorePair | undefined => {
    if (boxDistance(one, a, other, b) > eps2) return undefined;
    const [start, end, right] = [one.tree.start[a], one.tree.end[a], one.tree.right[a]];
    const [from, to, otherRight] = [other.tree.start[b], other.tree.end[b], other.tree.right[b]];
    if (slabs.areApart(one.points, start, end, other.points, from, to)) return undefined;
    if (right === 0 && otherRight === 0) {
      return pairAmong(sortedCoords, dim, eps2, one.points.subarray(start, end), other.points.subarray(from, to));
    }
    if (right === 0 || (otherRight !== 0 && to - from > end - start)) {
      const pair = findIn(other, b, one, a);
      return pair && {a: pair.b, b: pair.a};
    }
    const isLeftNearer = boxDistance(one, a + 1, other, b) <= boxDistance(one, right, other, b);
    const [near, far] = isLeftNearer ? [a + 1, right] : [right, a + 1];
    return findIn(one, near, other, b) ?? findIn(one, far, other, b);
  };
  return (a, b) => findIn(build(a), 0, build(b), 0);
}
