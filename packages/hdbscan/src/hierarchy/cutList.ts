import {NOISE} from '@epsball/clustering';
import type {LeafOrder} from './leafOrder.ts';

/**
 * DBSCAN's core partition: ranges of a hierarchy whose inner heights are ≤ eps, of entries with a core distance ≤ eps.
 * A root before the comparison would be wrong: d² may exceed eps·eps although √d² rounds to eps.
 *
 * @param coreSquared  by what `order` holds
 * @param eps2         the bound of squares
 * @returns            labels by smallest core point; −1 for points that are not core
 * @complexity         O(n)
 */
export function cutList({order, heights}: LeafOrder, coreSquared: Float64Array, eps2: number): Int32Array {
  const n = order.length;
  const labels = new Int32Array(n).fill(NOISE);
  let ranges = 0;
  for (let k = 0; k < n; k++) {
    if (k === 0 || heights[k] > eps2) ranges++;
    if (coreSquared[order[k]] <= eps2) labels[order[k]] = ranges - 1;
  }
  const numbers = new Int32Array(ranges).fill(NOISE);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const range = labels[i];
    if (range === NOISE) continue;
    if (numbers[range] === NOISE) numbers[range] = count++;
    labels[i] = numbers[range];
  }
  return labels;
}
