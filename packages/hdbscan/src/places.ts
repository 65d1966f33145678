import {collapseDuplicates, filled, firstOfGroups, pointCount, type PointSet} from '@epsball/clustering';
import type {CheckedTree} from './checkParams.ts';
import {checkWeights, weightParts} from './weightParts.ts';

/** How points lie on what a tree is over. */
export interface Copies {
  /** Points in all. */
  readonly total: number;
  /** What each place weighs, as kinds of parts of `weightParts`: its copies or their weights. Absent: 1 each. */
  readonly weights?: readonly Float64Array[] | undefined;
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
 * @throws InvalidParameterError  if weights do not fit: see `checkWeights`
 * @complexity    O(n · dim) with `duplicates: 'once'`, O(n) with weights, else O(1)
 */
export function placesOf(points: PointSet, {duplicates, sampleWeight}: CheckedTree): Places {
  const total = pointCount(points);
  const weights = sampleWeight && weightParts(checkWeights(sampleWeight, total));
  if (duplicates === 'count') return {points, total, weights};
  const {points: distinct, sampleWeight: copies, groupOf: placeOf} = collapseDuplicates(points);
  if (copies.length === total) return {points, total, weights};
  const ofPlaces = weights?.map((parts) => sumsOfPlaces(parts, placeOf, copies.length)) ?? [copies];
  return {points: distinct, total, weights: ofPlaces, placeOf};
}

function sumsOfPlaces(parts: Float64Array, placeOf: Int32Array, places: number): Float64Array {
  const sums = new Float64Array(places);
  for (let i = 0; i < parts.length; i++) sums[placeOf[i]] += parts[i];
  return sums;
}

export function integersByPoint(values: Int32Array, {placeOf}: Copies): Int32Array {
  return placeOf === undefined ? values : filled(new Int32Array(placeOf.length), (i) => values[placeOf[i]]);
}

export function numbersByPoint(values: Float64Array, {placeOf}: Copies): Float64Array {
  return placeOf === undefined ? values : filled(new Float64Array(placeOf.length), (i) => values[placeOf[i]]);
}

/** The smallest point of each place. Absent: each point is a place of its own. */
export function firstPoints({placeOf, points}: Places): Int32Array | undefined {
  return placeOf && firstOfGroups(placeOf, pointCount(points));
}
