import {InvalidParameterError, pointCount, UnsupportedDimensionError, type PointSet} from '@epsball/clustering';
import {polygonHull} from 'd3-polygon';
import {groups, type Groups} from './groups.ts';
import {unitScale} from './unitScale.ts';

/** Smallest boxes around clusters with sides along the axes. */
export interface Boxes {
  /** k · dim smallest coordinates, cluster by cluster. */
  readonly min: Float64Array;
  /** k · dim largest coordinates. */
  readonly max: Float64Array;
}

/**
 * The mean of the points of each cluster. Sums neither overflow nor underflow, whatever the coordinates.
 *
 * Degrees are averaged as plain numbers: a cluster across the date line has its mean on the other side of the globe.
 *
 * @param labels  n labels, or their groups
 * @returns       k · dim coordinates, cluster by cluster; NaN for a cluster without points
 * @throws InvalidParameterError  if the numbers of labels and points differ
 * @complexity    O(n · dim)
 */
export function centroids(points: PointSet, labels: ArrayLike<number> | Groups): Float64Array {
  const {coords, dim} = points;
  const {count, start, members} = groupsOf(points, labels);
  const means = new Float64Array(count * dim);
  for (let c = 0; c < count; c++) {
    const size = start[c + 1] - start[c];
    const origin = members[start[c]] * dim;
    for (let d = 0; d < dim; d++) {
      let largest = 0;
      for (let k = start[c]; k < start[c + 1]; k++) largest = Math.max(largest, Math.abs(coords[members[k] * dim + d]));
      const scale = unitScale(largest);
      const first = scale.toUnit(coords[origin + d]);
      // Differences from a member: far from the origin no digits are lost.
      let sum = 0;
      for (let k = start[c]; k < start[c + 1]; k++) sum += scale.toUnit(coords[members[k] * dim + d]) - first;
      means[c * dim + d] = scale.fromUnit(first + sum / size);
    }
  }
  return means;
}

/**
 * The smallest box around each cluster.
 *
 * @param labels  n labels, or their groups
 * @returns       empty intervals, from ∞ to −∞, for a cluster without points
 * @throws InvalidParameterError  if the numbers of labels and points differ
 * @complexity    O(n · dim)
 */
export function boxes(points: PointSet, labels: ArrayLike<number> | Groups): Boxes {
  const {coords, dim} = points;
  const {count, start, members} = groupsOf(points, labels);
  const min = new Float64Array(count * dim).fill(Infinity);
  const max = new Float64Array(count * dim).fill(-Infinity);
  for (let c = 0; c < count; c++) {
    for (let k = start[c]; k < start[c + 1]; k++) {
      for (let d = 0; d < dim; d++) {
        const x = coords[members[k] * dim + d];
        if (x < min[c * dim + d]) min[c * dim + d] = x;
        if (x > max[c * dim + d]) max[c * dim + d] = x;
      }
    }
  }
  return {min, max};
}

/**
 * The convex hull of each cluster in the plane (d3-polygon: Andrew's monotone chain), whatever the coordinates. Corners
 * are points of the cluster. A corner that sticks out by less than rounding, 2^-50 of the extent, may be left out.
 *
 * @param points  2-D
 * @param labels  n labels, or their groups
 * @returns       k lists of corners in counterclockwise order, y up, as `x0 y0 x1 y1 …`: two corners for points on a
 *                line, one for a single place, none for a cluster without points
 * @throws UnsupportedDimensionError  if the points are not 2-D
 * @throws InvalidParameterError      if the numbers of labels and points differ
 * @complexity    O(n log n)
 */
export function convexHulls(points: PointSet, labels: ArrayLike<number> | Groups): Float64Array[] {
  if (points.dim !== 2) throw new UnsupportedDimensionError('a convex hull in the plane', points.dim, 2);
  const {coords} = points;
  const {count, start, members} = groupsOf(points, labels);
  return Array.from({length: count}, (_, c) => {
    const places: [number, number][] = [];
    for (let k = start[c]; k < start[c + 1]; k++) places.push([coords[2 * members[k]], coords[2 * members[k] + 1]]);
    return Float64Array.from(hullOf(places).flat());
  });
}

function hullOf(places: [number, number][]): [number, number][] {
  if (places.length < 2) return places;
  const inUnits = new Map(unitPlaces(places).map((place, k) => [place, places[k]]));
  const hull = places.length > 2 ? polygonHull([...inUnits.keys()]) : null;
  // d3 returns the hull clockwise for y up, and repeats a place where all points are on a line.
  const corners = (hull?.map((corner) => inUnits.get(corner) ?? corner) ?? extremes(places)).toReversed();
  const distinct = corners.filter(([x, y], k) => k === 0 || x !== corners[k - 1][0] || y !== corners[k - 1][1]);
  const isClosed = distinct.length > 1 && isSame(distinct[0], distinct[distinct.length - 1]);
  return isClosed ? distinct.slice(0, -1) : distinct;
}

/** The places in units of each axis, which change no hull: products of differences neither overflow nor vanish. */
function unitPlaces(places: readonly [number, number][]): [number, number][] {
  const [xs, ys] = [0, 1].map((axis) =>
    unitScale(places.reduce((most, place) => Math.max(most, Math.abs(place[axis])), 0)),
  );
  return places.map(([x, y]) => [xs.toUnit(x), ys.toUnit(y)]);
}

/** The two ends of places on a line. */
function extremes(places: [number, number][]): [number, number][] {
  const sorted = places.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [sorted[0], sorted[sorted.length - 1]];
}

function isSame(a: readonly [number, number], b: readonly [number, number]): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

/** @throws InvalidParameterError  if the numbers of labels and points differ */
function groupsOf(points: PointSet, labels: ArrayLike<number> | Groups): Groups {
  const isGrouped = 'members' in labels;
  const n = pointCount(points);
  const given = isGrouped ? labels.members.length + labels.noise.length : labels.length;
  if (given !== n) throw new InvalidParameterError('labels.length', given, `${n}, one label a point`);
  return isGrouped ? labels : groups(labels);
}
