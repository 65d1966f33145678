import {InvalidPointsError} from '../errors.ts';
import type {NamedPoints} from '../metric/metricPoints.ts';
import {coordinate, formatted, isArrayLike, isObject} from './values.ts';

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
export function pointsOfGeoJson(value: unknown): NamedPoints {
  const positions: unknown[] = [];
  collect(value, positions);
  const coords = new Float64Array(2 * positions.length);
  for (const [i, position] of positions.entries()) {
    if (!isArrayLike(position) || position.length < 2) {
      throw new InvalidPointsError(`point ${i} = ${formatted(position)}; expected a position [lon, lat]`, i);
    }
    coords[2 * i] = coordinate(position[0], i, 'longitude');
    coords[2 * i + 1] = coordinate(position[1], i, 'latitude');
  }
  return {coords, dim: 2, columns: COLUMNS};
}

function collect(value: unknown, positions: unknown[]): void {
  if (isArrayLike(value)) {
    for (let k = 0; k < value.length; k++) collect(value[k], positions);
    return;
  }
  const {type, features, geometry, geometries, coordinates} = isObject(value) ? value : {};
  if (type === 'FeatureCollection') return collect(listOf(features, 'features'), positions);
  if (type === 'GeometryCollection') return collect(listOf(geometries, 'geometries'), positions);
  if (type === 'Feature') return collect(geometry, positions);
  if (type === 'Point') {
    positions.push(coordinates);
    return;
  }
  const index = positions.length;
  if (type !== 'MultiPoint') {
    const what = isObject(value) ? `a geometry of type ${String(type)}` : formatted(value);
    throw new InvalidPointsError(`point ${index} is ${what}; expected a Point or MultiPoint of GeoJSON`, index);
  }
  const list = listOf(coordinates, 'coordinates');
  for (let k = 0; k < list.length; k++) positions.push(list[k]);
}

function listOf(value: unknown, name: string): ArrayLike<unknown> {
  if (isArrayLike(value)) return value;
  throw new InvalidPointsError(`${name} = ${formatted(value)}; expected an array, as GeoJSON has it`);
}
