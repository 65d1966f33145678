import type {PointSet} from '@epsball/clustering';
import {seededRandom} from './random.ts';

/** Points in a seeded random order: point `to` of `moved` is point `order[to]`. */
export function readPermuted({coords, dim}: PointSet, seed: number): {order: number[]; moved: PointSet} {
  const random = seededRandom(seed);
  const order = Array.from({length: coords.length / dim}, (_, k) => k);
  for (let k = order.length - 1; k > 0; k--) {
    const other = Math.floor(random() * (k + 1));
    [order[k], order[other]] = [order[other], order[k]];
  }
  const moved = coords.slice();
  order.forEach((from, to) => moved.set(coords.subarray(from * dim, (from + 1) * dim), to * dim));
  return {order, moved: {coords: moved, dim}};
}
