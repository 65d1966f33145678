import {filled, indicesBelow} from '../filled.ts';
import {DistinctPositions} from '../distinctPositions.ts';
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

/** The smallest point of each group. */
export function firstOfGroups(groupOf: Int32Array, groups: number): Int32Array {
  const first = new Int32Array(groups);
  for (let i = groupOf.length - 1; i >= 0; i--) first[groupOf[i]] = i;
  return first;
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
    return {points, sampleWeight: weights.slice(), groupOf: indicesBelow(n)};
  }
  const groups = new DistinctPositions(coords, dim);
  const groupOf = filled(new Int32Array(n), (i) => groups.add(i));
  const sums = new Float64Array(groups.count);
  for (let i = 0; i < n; i++) sums[groupOf[i]] += weights[i];
  const distinct =
    coords instanceof Float32Array ? new Float32Array(sums.length * dim) : new Float64Array(sums.length * dim);
  for (let group = 0; group < sums.length; group++) {
    const i = groups.pointAt(group);
    for (let d = 0; d < dim; d++) distinct[group * dim + d] = coords[i * dim + d];
  }
  return {points: {coords: distinct, dim}, sampleWeight: sums, groupOf};
}
