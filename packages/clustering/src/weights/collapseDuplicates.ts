import {pointCount, validatePoints, type PointSet} from '../points.ts';
import {grainOfWeights, haveExactSums, toWeights} from './weights.ts';

/** Points of which no two are equal, with weights in place of duplicates. */
export interface CollapsedPoints {
  /** One point for each group, in the order of first points. */
  readonly points: PointSet;
  /** The sum of the weights of each group. */
  readonly sampleWeight: Float64Array;
  /** n numbers: the group of each point. `labels[groupOf[i]]` is the label of point i. */
  readonly groupOf: Int32Array;
}

/**
 * Replaces equal points by one point with the sum of their weights. The labels of a clustering stay the same: a group
 * is core if its points are, and groups are in the order of their first points.
 *
 * Where the weights have sums that float64 does not hold, points stay apart: a rounded sum could change labels.
 *
 * @param points        not modified. −0 equals 0
 * @param sampleWeight  n finite weights. Default: 1 for each point
 * @returns             new arrays; if points stay apart, `points` is the argument
 * @throws InvalidPointsError, InvalidParameterError
 * @complexity          O(n · dim), by hashing; allocates 20 bytes a point and the result
 */
export function collapseDuplicates(points: PointSet, sampleWeight?: ArrayLike<number>): CollapsedPoints {
  validatePoints(points);
  const {coords, dim} = points;
  const n = pointCount(points);
  const weights = sampleWeight === undefined ? new Float64Array(n).fill(1) : toWeights(sampleWeight, n);
  if (!haveExactSums(grainOfWeights(weights))) {
    return {points, sampleWeight: weights.slice(), groupOf: Int32Array.from({length: n}, (_, i) => i)};
  }
  const firstOf = firstEqual(points, n);
  const groupOf = new Int32Array(n);
  const firsts: number[] = [];
  for (let i = 0; i < n; i++) {
    if (firstOf[i] === i) groupOf[i] = firsts.push(i) - 1;
    else groupOf[i] = groupOf[firstOf[i]];
  }
  const sums = new Float64Array(firsts.length);
  for (let i = 0; i < n; i++) sums[groupOf[i]] += weights[i];
  const distinct =
    coords instanceof Float32Array ? new Float32Array(sums.length * dim) : new Float64Array(sums.length * dim);
  for (const [group, i] of firsts.entries()) {
    for (let d = 0; d < dim; d++) distinct[group * dim + d] = coords[i * dim + d];
  }
  return {points: {coords: distinct, dim}, sampleWeight: sums, groupOf};
}

function firstEqual({coords, dim}: PointSet, n: number): Int32Array {
  // At most half full.
  const mask = 2 ** Math.ceil(Math.log2(2 * n + 2)) - 1;
  /** Open addressing: first points, and −1 where a slot is free. */
  const slots = new Int32Array(mask + 1).fill(-1);
  const value = new Float64Array(1);
  const bits = new Int32Array(value.buffer);
  const isEqual = (i: number, j: number): boolean => {
    for (let d = 0; d < dim; d++) if (coords[i * dim + d] !== coords[j * dim + d]) return false;
    return true;
  };
  const firstOf = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    let hash = 0;
    for (let d = 0; d < dim; d++) {
      // −0 becomes 0.
      value[0] = coords[i * dim + d] + 0;
      hash = Math.imul(hash ^ bits[0], 0x85eb_ca6b);
      hash = Math.imul((hash ^ (hash >>> 15)) + bits[1], 0xc2b2_ae35);
      hash ^= hash >>> 16;
    }
    let slot = hash & mask;
    while (slots[slot] >= 0 && !isEqual(slots[slot], i)) slot = (slot + 1) & mask;
    if (slots[slot] < 0) slots[slot] = i;
    firstOf[i] = slots[slot];
  }
  return firstOf;
}
