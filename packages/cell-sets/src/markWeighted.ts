import {limitOf, WeightSum} from '@epsball/clustering';
import {KdRange, type KdTree} from '@epsball/kd-tree';
import {BallQuery, BLOCK} from './ballQuery.ts';
import type {PointWeights, SearchSpace} from './forest.ts';

/** Decides for one position after another whether it is core. */
export type CoreTest = (position: number, ranges: Int32Array, last: number) => boolean;

/**
 * The core test with weights: the sum over all neighbours. It neither stops at minPts nor takes crowded cells for core,
 * because later weights may be negative. It takes the ranges around the cell of the position; a tree needs none.
 */
export function weightedCoreTest(
  space: SearchSpace,
  {values, isPlain}: PointWeights,
  minPts: number,
  tree: KdTree | undefined,
): CoreTest {
  const sum = new WeightSum(values, minPts, isPlain, space.index.pointOrder);
  if (tree !== undefined) {
    const range = new KdRange(tree);
    const limit = limitOf(space);
    return (position) => {
      sum.start();
      range.visitWithin(tree.coords, position * tree.dim, limit, (neighbor) => sum.addOne(neighbor));
      return sum.isEnough();
    };
  }
  const ball = new BallQuery(space.index, space);
  return (position, ranges, last) => {
    sum.start();
    for (let r = 0; r < last; r += 2) {
      for (let from = ranges[r]; from < ranges[r + 1]; from += BLOCK) {
        sum.add(ball.found, ball.collect(position, from, Math.min(from + BLOCK, ranges[r + 1])));
      }
    }
    return sum.isEnough();
  };
}
