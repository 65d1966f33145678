import {InvalidPointsError, toPoints, type GeoJsonLike, type PointSet} from '@epsball/clustering';
import {DatasetFormatError, listed} from './errors.ts';
import {readBytes, withOpenFile} from './inputFile.ts';
import {writeFileRows} from './fileRows.ts';
import type {LoadedPoints} from './numbers.ts';

/** Longest text of JavaScript engines, less a margin. */
const TEXT_MAX = 2 ** 29 - 2 ** 16;

/** Properties of features by point. */
type Properties = readonly (Readonly<Record<string, unknown>> | null)[];

/**
 * Reads the points of a GeoJSON file: longitude and latitude, float64. An altitude is left out.
 *
 * @param weightColumn  the property that holds the weight of a point
 * @throws DatasetFormatError  if the file is no GeoJSON of points, longer than 512 MB, or a feature has no such weight
 */
export async function readGeoJson(path: string, weightColumn: string | number | undefined): Promise<LoadedPoints> {
  const text = await withOpenFile(path, async (file) => {
    if (file.size > TEXT_MAX) {
      throw new DatasetFormatError(
        path,
        'is longer than 512 MB; expected a smaller file, or columns as Parquet or CSV',
      );
    }
    const bytes = new Uint8Array(file.size);
    await readBytes(file, bytes, 0);
    return new TextDecoder().decode(bytes);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DatasetFormatError(path, 'is not JSON; expected GeoJSON of points', {cause: error});
  }
  const properties: (Readonly<Record<string, unknown>> | null)[] = [];
  const points = pointsOf(path, value);
  collectProperties(value, null, properties);
  if (weightColumn === undefined) return {...points, properties};
  return {...points, properties, weights: weightsOf(path, properties, String(weightColumn))};
}

function pointsOf(path: string, value: unknown): PointSet & {readonly columns?: readonly string[]} {
  if (!isGeoJson(value)) throw new DatasetFormatError(path, 'is JSON, but no GeoJSON; expected a FeatureCollection');
  try {
    return toPoints(value);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const reason = error instanceof InvalidPointsError ? error.message : `is no GeoJSON of points: ${error.message}`;
    throw new DatasetFormatError(path, reason, {cause: error});
  }
}

function isGeoJson(value: unknown): value is GeoJsonLike {
  return isObject(value) && typeof value['type'] === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Appends the properties of the feature around each point, in the order of `toPoints`. */
function collectProperties(
  value: unknown,
  ofFeature: Readonly<Record<string, unknown>> | null,
  found: (Readonly<Record<string, unknown>> | null)[],
): void {
  if (!isObject(value)) return;
  const {type, features, geometry, geometries, coordinates, properties} = value;
  if (type === 'Point') found.push(ofFeature);
  else if (type === 'MultiPoint' && Array.isArray(coordinates)) for (const _ of coordinates) found.push(ofFeature);
  else if (type === 'Feature') collectProperties(geometry, isObject(properties) ? properties : null, found);
  const list: unknown = type === 'FeatureCollection' ? features : type === 'GeometryCollection' ? geometries : [];
  if (Array.isArray(list)) for (const one of list) collectProperties(one, ofFeature, found);
}

function weightsOf(path: string, properties: Properties, name: string): Float64Array {
  return Float64Array.from(properties, (one, i) => {
    const weight = one?.[name];
    if (typeof weight === 'number') return weight;
    const names = Object.keys(one ?? {});
    const has = weight === undefined ? `has no property ${name}` : `has text for ${name}`;
    throw new DatasetFormatError(path, `point ${i} ${has}; expected a number among its properties ${listed(names)}`);
  });
}

/** What a GeoJSON file of points holds besides places. */
export interface GeoJsonColumns {
  /** Property `cluster`. */
  readonly labels?: Int32Array | undefined;
  /** Property `core`. */
  readonly coreMask?: Uint8Array | undefined;
  /** Further properties of each point. */
  readonly properties?: Properties | undefined;
}

/**
 * Writes points as a GeoJSON file, a feature each. An old file at the path is unchanged until the new one is complete.
 *
 * @param points  2-D, longitude first
 * @throws DatasetWriteError    if the file cannot be written
 * @throws the signal's reason  if `signal` fires
 */
export function writeGeoJson(
  path: string,
  {coords}: PointSet,
  {labels, coreMask, properties}: GeoJsonColumns = {},
  signal?: AbortSignal,
): Promise<void> {
  const n = coords.length / 2;
  const row = (i: number): string => {
    const own = labels === undefined ? {} : {cluster: labels[i]};
    const core = coreMask === undefined ? {} : {core: coreMask[i] === 1};
    const feature = {
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [coords[2 * i], coords[2 * i + 1]]},
      properties: {...properties?.[i], ...own, ...core},
    };
    return JSON.stringify(feature) + (i + 1 < n ? ',' : '');
  };
  return writeFileRows(path, {head: '{"type":"FeatureCollection","features":[\n', tail: ']}\n', n, row}, signal);
}
