import {collapseDuplicates, firstOfGroups, pointCount, type PointSet} from '@epsball/clustering';
import type {CheckedTree} from './checkParams.ts';

/** How points lie on what a tree is over. */
export interface Copies {
  /** Points in all. */
  readonly total: number;
  /** Points at each place. Absent: each place has one. */
  readonly copies?: Float64Array;
  /** n numbers: the place of each point. Absent: each point is a place of its own. */
  readonly placeOf?: Int32Array;
}

/** What a run clusters: every point, or the distinct places of the points. */
export interface Places extends Copies {
  /** The points as given, or one for each distinct place, in the order of their first points. */
  readonly points: PointSet;
}

/**
 * The places that a run clusters; −0 equals 0.
 *
 * @param points  valid; not modified
 * @complexity    O(n · dim) with `duplicates: 'once'`, else O(1)
 */
export function placesOf(points: PointSet, {duplicates}: CheckedTree): Places {
  const total = pointCount(points);
  if (duplicates === 'count') return {points, total};
  const {points: distinct, sampleWeight: copies, groupOf: placeOf} = collapseDuplicates(points);
  return copies.length === total ? {points, total} : {points: distinct, total, copies, placeOf};
}

export function integersByPoint(values: Int32Array, {placeOf}: Copies): Int32Array {
  return placeOf === undefined ? values : Int32Array.from(placeOf, (place) => values[place]);
}

export function numbersByPoint(values: Float64Array, {placeOf}: Copies): Float64Array {
  return placeOf === undefined ? values : Float64Array.from(placeOf, (place) => values[place]);
}

/** The smallest point of each place. Absent: each point is a place of its own. */
export function firstPoints({placeOf, points}: Places): Int32Array | undefined {
  return placeOf && firstOfGroups(placeOf, pointCount(points));
}
