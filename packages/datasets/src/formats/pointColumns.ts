import type {NamedChoice} from './columnChoice.ts';

/** Coordinate reference systems of longitudes and latitudes: identifiers, and PROJJSON. */
const OF_GLOBE = /^(?:OGC:CRS\w+$|EPSG:4(?:258|269|326|979)$|\{[^{}]*"type":\s*"Geographic)/;

/** Columns of points by name, each with the names of its coordinates. */
export type PointColumns = ReadonlyMap<string, readonly string[]>;

/**
 * The names of the coordinates of a column of points, as those of a structure: `geometry.lon` and `geometry.lat`, or
 * `geometry.x` and `geometry.y`.
 *
 * @param crs  the coordinate reference system, an identifier or PROJJSON. Default: that of longitudes and latitudes
 */
export function pointAxes(column: string, crs = 'OGC:CRS84'): readonly string[] {
  return (OF_GLOBE.test(crs) ? ['lon', 'lat'] : ['x', 'y']).map((axis) => `${column}.${axis}`);
}

/** A choice of columns with the coordinates in place of each column of points. */
export function withPointAxes(columns: NamedChoice['columns'], points: PointColumns): NamedChoice['columns'] {
  if (columns === undefined || typeof columns === 'string') return columns;
  return columns.flatMap((column): readonly (string | number)[] => points.get(String(column)) ?? [column]);
}

/** A coordinate of a point of GeoJSON; the type of another geometry. */
export function coordinateOf(geometry: unknown, axis: number): unknown {
  if (typeof geometry !== 'object' || geometry === null || !('type' in geometry)) return geometry;
  const coordinates: unknown = 'coordinates' in geometry ? geometry.coordinates : undefined;
  return geometry.type === 'Point' && Array.isArray(coordinates) ? coordinates[axis] : geometry.type;
}
