import {
  checkKnownOptions,
  InvalidParameterError,
  orderOnSphere,
  pointCount,
  type NamedPoints,
} from '@epsball/clustering';
import type {Feature, FeatureCollection, Geometry, LineString, Point, Polygon, Position} from 'geojson';
import {clusterSizes} from './groups.ts';
import {convexHulls} from './shapes.ts';

/** Options of `toGeoJson`. */
export interface GeoJsonOptions {
  /** n flags, 1 = core point: adds the property `core`. */
  readonly coreMask?: ArrayLike<number> | undefined;
  /** Properties of a point, by index: its row of a table, or those of the feature that it came from. */
  readonly properties?: ((index: number) => Readonly<Record<string, unknown>> | null | undefined) | undefined;
}

/** Properties of a point. The others are those of `GeoJsonOptions.properties`. */
export interface PointProperties {
  readonly [name: string]: unknown;
  /** The label; −1 is noise. */
  readonly cluster: number;
}

/** Properties of a hull. */
export interface HullProperties {
  readonly cluster: number;
  /** Number of points in the cluster. */
  readonly size: number;
}

/**
 * GeoJSON with one point for each point, and its label as the property `cluster`.
 *
 * @param points  2-D; longitude and latitude, in the order that `columns` tells; without names, longitude first
 * @param labels  n labels; −1 is noise
 * @throws InvalidParameterError  if the points are not 2-D, or the numbers of labels and points differ
 */
export function toGeoJson(
  points: NamedPoints,
  labels: ArrayLike<number>,
  options: GeoJsonOptions = {},
): FeatureCollection<Point, PointProperties> {
  checkKnownOptions(options, ['coreMask', 'properties'], 'options', 'an object such as {coreMask}');
  const {coreMask, properties} = options;
  const n = checkedCount(points, labels);
  const place = placesOf(points);
  const features = Array.from({length: n}, (_, i): Feature<Point, PointProperties> => {
    const core = coreMask === undefined ? {} : {core: coreMask[i] === 1};
    return {
      type: 'Feature',
      geometry: {type: 'Point', coordinates: place(i)},
      properties: {...properties?.(i), cluster: labels[i], ...core},
    };
  });
  return {type: 'FeatureCollection', features};
}

/**
 * GeoJSON with the convex hull of each cluster: a polygon, a line for points on a line, or a point.
 *
 * @param points  as for `toGeoJson`; hulls are computed in the plane of longitude and latitude
 * @throws InvalidParameterError  as `toGeoJson`
 */
export function hullsToGeoJson(
  points: NamedPoints,
  labels: ArrayLike<number>,
): FeatureCollection<Polygon | LineString | Point, HullProperties> {
  checkedCount(points, labels);
  const place = placesOf(points);
  const n = pointCount(points);
  const lonLat = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) lonLat.set(place(i), 2 * i);
  const sizes = clusterSizes(labels);
  const hulls = convexHulls({coords: lonLat, dim: 2}, labels);
  const features = hulls.flatMap((hull, cluster) => {
    if (hull.length === 0) return [];
    const properties = {cluster, size: sizes[cluster]};
    return [{type: 'Feature' as const, geometry: geometryOf(hull), properties}];
  });
  return {type: 'FeatureCollection', features};
}

/** The geometry of a hull; a ring of GeoJSON ends where it begins (RFC 7946, section 3.1.6). */
function geometryOf(hull: Float64Array): Extract<Geometry, Polygon | LineString | Point> {
  const corners: Position[] = Array.from({length: hull.length / 2}, (_, k) => [hull[2 * k], hull[2 * k + 1]]);
  if (corners.length === 1) return {type: 'Point', coordinates: corners[0]};
  if (corners.length === 2) return {type: 'LineString', coordinates: corners};
  return {type: 'Polygon', coordinates: [[...corners, corners[0]]]};
}

function placesOf({coords, columns}: NamedPoints): (i: number) => [lon: number, lat: number] {
  const lon = orderOnSphere(columns, 'lon-lat') === 'lat-lon' ? 1 : 0;
  return (i) => [coords[2 * i + lon], coords[2 * i + 1 - lon]];
}

function checkedCount(points: NamedPoints, labels: ArrayLike<number>): number {
  const n = pointCount(points);
  if (points.dim !== 2 && n > 0) throw new InvalidParameterError('dim', points.dim, '2: a longitude and a latitude');
  if (labels.length !== n) throw new InvalidParameterError('labels.length', labels.length, `${n}, one label a point`);
  return n;
}
