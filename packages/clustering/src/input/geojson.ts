import {InvalidPointsError} from '../errors.ts';
import type {NamedPoints} from '../metric/metricPoints.ts';
import {coordinate, formatted, isArrayLike, isMissing, isObject, type ReadCoordinate} from './values.ts';

/** The order of a GeoJSON position (RFC 7946, section 3.1.1). */
const COLUMNS = ['lon', 'lat'];

const TYPES = ['FeatureCollection', 'Feature', 'GeometryCollection', 'Point', 'MultiPoint'];

/** Whether a value is GeoJSON of points by its `type`, or an array of such objects. */
export function isGeoJson(value: unknown): boolean {
  if (isArrayLike(value)) return value.length > 0 && isGeoJson(value[0]);
  return isObject(value) && typeof value['type'] === 'string' && TYPES.includes(value['type']);
}

/**
 * Points from GeoJSON, one for each position, in order. Longitude comes first; an altitude is left out.
 *
 * @throws InvalidPointsError  if a geometry is no point; names its index and type
 */
export function pointsOfGeoJson(value: unknown, read: ReadCoordinate = coordinate): NamedPoints {
  const positions = geoJsonPositions(value, read !== coordinate);
  const coords = new Float64Array(2 * positions.length);
  for (const [i, {position}] of positions.entries()) {
    if (position === null) {
      coords.fill(NaN, 2 * i, 2 * i + 2);
      continue;
    }
    if (!isArrayLike(position) || position.length < 2) {
      throw new InvalidPointsError(`point ${i} = ${formatted(position)}; expected a position [lon, lat]`, i);
    }
    coords[2 * i] = read(position[0], i, 'longitude');
    coords[2 * i + 1] = read(position[1], i, 'latitude');
  }
  return {coords, dim: 2, columns: COLUMNS};
}

/** A position of GeoJSON, and the feature around it, if there is one. */
interface GeoJsonPosition {
  readonly position: unknown;
  readonly feature: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The positions of GeoJSON of points, in order. Throws as `pointsOfGeoJson`.
 *
 * @param mayMiss  whether a geometry of null is a position of null, as is one that the geometry lacks. Default: false
 */
export function geoJsonPositions(value: unknown, mayMiss = false): GeoJsonPosition[] {
  const found: GeoJsonPosition[] = [];
  collect(value, undefined, found, mayMiss);
  return found;
}

function collect(
  value: unknown,
  feature: GeoJsonPosition['feature'],
  found: GeoJsonPosition[],
  mayMiss: boolean,
): void {
  if (isArrayLike(value)) {
    for (let k = 0; k < value.length; k++) collect(value[k], feature, found, mayMiss);
    return;
  }
  const object = isObject(value) ? value : {};
  const {type, features, geometry, geometries, coordinates} = object;
  if (type === 'FeatureCollection') return collect(listOf(features, 'features'), feature, found, mayMiss);
  if (type === 'GeometryCollection') return collect(listOf(geometries, 'geometries'), feature, found, mayMiss);
  if (type === 'Feature' && mayMiss && isMissing(geometry)) {
    found.push({position: null, feature: object});
    return;
  }
  if (type === 'Feature') return collect(geometry, object, found, mayMiss);
  if (type === 'Point') {
    // An empty position is what software writes for a point without a place.
    const isEmpty = isMissing(coordinates) || (isArrayLike(coordinates) && coordinates.length === 0);
    found.push({position: mayMiss && isEmpty ? null : coordinates, feature});
    return;
  }
  const index = found.length;
  if (type !== 'MultiPoint') {
    const what = isObject(value) ? `a geometry of type ${String(type)}` : formatted(value);
    throw new InvalidPointsError(`point ${index} is ${what}; expected a Point or MultiPoint of GeoJSON`, index);
  }
  const list = listOf(coordinates, 'coordinates');
  for (let k = 0; k < list.length; k++) found.push({position: list[k], feature});
}

function listOf(value: unknown, name: string): ArrayLike<unknown> {
  if (isArrayLike(value)) return value;
  throw new InvalidPointsError(`${name} = ${formatted(value)}; expected an array, as GeoJSON has it`);
}
