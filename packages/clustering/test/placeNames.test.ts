import {describe, expect, it} from 'vitest';
import {
  findCoordinates,
  InvalidPointsError,
  metricPoints,
  orderOfCoordinates,
  orderOnSphere,
  toPoints,
  type NamedPoints,
} from '@epsball/clustering';

const KM = {metric: 'haversine', angles: 'degrees', epsUnit: 'km'} as const;

const LATITUDES = [
  'lat',
  'LAT',
  'lats',
  ' Latitude ',
  'pickup_latitude',
  'pickup latitude',
  'decimalLatitude',
  'startLat',
  'lat_deg',
  'lat1',
  'latDeg',
  'lat(deg)',
  'GPSLatitude',
  'GPS.Lat',
  'startlatitude',
  'latitud',
];
const LONGITUDES = [
  'lon',
  'LNG',
  'long',
  'lons',
  'Longitude',
  'dropoff_longitude',
  'decimalLongitude',
  'start_lng',
  'startLng',
  'end-long',
  'lon2',
  'GPSLongitude',
  'endlongitude',
  'longitud',
];
const NEITHER = [
  'flat',
  'plateau',
  'late',
  'latency',
  'longest',
  'longer',
  'along',
  'belong',
  'colon',
  'salon',
  'Latin',
  'platitude',
  'x',
  '0',
  'lat_lon',
  'latLng',
  'latitude/longitude',
];

describe('names of a latitude and a longitude', () => {
  it.each(LATITUDES)('%s is a latitude', (name) => {
    expect(orderOfCoordinates([name, 'lon'])).toBe('lat-lon');
    expect(orderOfCoordinates(['lon', name])).toBe('lon-lat');
    expect(findCoordinates(['id', 'lon', name])).toEqual([2, 1]);
  });

  it.each(LONGITUDES)('%s is a longitude', (name) => {
    expect(orderOfCoordinates([name, 'lat'])).toBe('lon-lat');
    expect(orderOfCoordinates(['lat', name])).toBe('lat-lon');
    expect(findCoordinates([name, 'lat', 'time'])).toEqual([1, 0]);
  });

  it('are found in pairs', () => {
    expect(orderOfCoordinates(['reclong', 'reclat'])).toBe('lon-lat');
    expect(orderOfCoordinates(['along', 'format'])).toBeUndefined();
    expect(orderOfCoordinates(['startlat', 'endlng'])).toBeUndefined();
  });

  it.each(NEITHER)('%s is neither', (name) => {
    expect(orderOfCoordinates([name, 'lon'])).toBeUndefined();
    expect(orderOfCoordinates([name, 'lat'])).toBeUndefined();
    expect(findCoordinates([name, 'lat', 'lon'])).toEqual([1, 2]);
  });

  it('that are the word alone go before longer ones', () => {
    expect(findCoordinates(['lat', 'lon', 'lat_err', 'long_name'])).toEqual([0, 1]);
    expect(findCoordinates(['lat_deg', 'long_deg', 'pop'])).toEqual([0, 1]);
    expect(findCoordinates(['pickup_lat', 'pickup_lon', 'dropoff_lat', 'dropoff_lon'])).toBeUndefined();
    expect(findCoordinates(['lat', 'latitude', 'lon'])).toBeUndefined();
  });
});

describe('orderOnSphere', () => {
  it.each<[readonly string[] | undefined, 'lat-lon' | 'lon-lat']>([
    [undefined, 'lat-lon'],
    [['pickup_longitude', 'pickup_latitude'], 'lon-lat'],
    [['pickup_latitude', 'pickup_longitude'], 'lat-lon'],
    // One word decides.
    [['x', 'lat'], 'lon-lat'],
    [['lon', 'y'], 'lon-lat'],
    [['lat', 'x'], 'lat-lon'],
    [['y', 'lon'], 'lat-lon'],
    // Without a word: latitude first.
    [['a', 'b'], 'lat-lon'],
    [['1', '0'], 'lat-lon'],
    // Short words without a border, in pairs.
    [['reclong', 'reclat'], 'lon-lat'],
    [['reclat', 'reclong'], 'lat-lon'],
    [['INTPTLONG', 'INTPTLAT'], 'lon-lat'],
    [['startlng', 'startlat'], 'lon-lat'],
    [['lonsite', 'latsite'], 'lon-lat'],
    [['format', 'along'], 'lat-lon'],
    // With the same rest.
    [['long_deg', 'lat_deg'], 'lon-lat'],
    [['Lat (deg)', 'Long (deg)'], 'lat-lon'],
    [['gps_long_wgs84', 'gps_lat_wgs84'], 'lon-lat'],
    // An adjective.
    [['long_name', 'lat'], 'lon-lat'],
    [['long_term', 'flat'], 'lat-lon'],
  ])('%s: %s', (columns, order) => {
    expect(orderOnSphere(columns)).toBe(order);
  });

  it.each([
    [['pickup_latitude', 'dropoff_latitude'], 'latitudes'],
    [['lon', 'long'], 'longitudes'],
  ])('refuses %s', (columns, kind) => {
    const place: NamedPoints = {coords: Float64Array.of(52, 13), dim: 2, columns};
    const expected = `columns ${columns.join(', ')} are two ${kind} by name; expected one latitude and one longitude`;
    expect(() => orderOnSphere(columns)).toThrow(InvalidPointsError);
    expect(() => metricPoints(place, KM)).toThrow(expected);
  });
});

describe('haversine', () => {
  it('takes the same place from every order of columns', () => {
    const of = (first: number, second: number, columns?: readonly string[]): unknown =>
      metricPoints({coords: Float64Array.of(first, second), dim: 2, ...(columns && {columns})}, KM);
    const expected = of(40.7, -74);
    expect(of(-74, 40.7, ['pickup_longitude', 'pickup_latitude'])).toEqual(expected);
    expect(of(-74, 40.7, ['decimalLongitude', 'decimalLatitude'])).toEqual(expected);
    expect(of(40.7, -74, ['a', 'b'])).toEqual(expected);
  });
});

describe('the advice of toPoints', () => {
  const trip = {
    id: 'a',
    pickup_longitude: -74,
    pickup_latitude: 40.7,
    dropoff_longitude: -73.9,
    dropoff_latitude: 40.8,
  };

  /** The points of the call that the error shows. */
  function followed(input: object, name: 'objects' | 'table'): NamedPoints {
    let message = '';
    try {
      toPoints(input as never);
    } catch (error) {
      message = String(error);
    }
    const [, axes] = new RegExp(String.raw`toPoints\(${name}, \[(.*)\]\)$`).exec(message) ?? [];
    if (axes === undefined) throw new Error(`no advice in: ${message}`);
    return toPoints(
      input as never,
      axes.split(', ').map((axis) => axis.slice(1, -1)),
    );
  }

  it('works when it is followed, on the globe too', () => {
    const expected = metricPoints({coords: Float64Array.of(40.7, -74), dim: 2}, KM);
    const columns = ['pickup_latitude', 'pickup_longitude'];
    const arrays = Object.fromEntries(Object.entries(trip).map(([key, value]) => [key, [value]]));
    for (const points of [followed([trip], 'objects'), followed(arrays, 'table')]) {
      expect(points).toMatchObject({dim: 2, columns});
      expect(metricPoints(points, KM)).toEqual(expected);
    }
    const named = toPoints([trip], ['pickup_longitude', 'pickup_latitude']);
    expect(metricPoints(named, KM)).toEqual(expected);
  });

  it('names columns of numbers', () => {
    expect(followed([{name: 'p', e: 1, tag: null, n: 2}], 'objects').columns).toEqual(['e', 'n']);
    expect(followed({name: ['p'], e: [1], n: [2n]}, 'table').columns).toEqual(['e', 'n']);
    expect(followed([{name: 'p', only: 1}], 'objects').columns).toEqual(['only']);
  });

  it('is not needed where each word comes once', () => {
    const {id, pickup_longitude, pickup_latitude} = trip;
    expect(toPoints([{id, pickup_longitude, pickup_latitude}]).columns).toEqual([
      'pickup_latitude',
      'pickup_longitude',
    ]);
  });

  it('is left out where no column holds numbers', () => {
    expect(() => toPoints([{name: 'p', tag: 'q'}])).toThrow(/the names of the coordinates among name, tag.*numbers/);
  });
});

describe('a pair of names without borders', () => {
  it('is found among others, if it is the only one', () => {
    expect(findCoordinates(['name', 'reclong', 'mass', 'reclat'])).toEqual([3, 1]);
    expect(findCoordinates(['INTPTLAT', 'id', 'INTPTLONG'])).toEqual([0, 2]);
    expect(findCoordinates(['reclat', 'reclong', 'fromlat', 'fromlon'])).toBeUndefined();
    expect(findCoordinates(['reclat', 'reclong', 'lat'])).toBeUndefined();
    expect(findCoordinates(['flat', 'salon'])).toBeUndefined();
  });
});

it('coordinates in metres are refused with the reason', () => {
  const metres = {coords: Float64Array.of(5_820_000, 390_000), dim: 2};
  expect(() => metricPoints(metres, KM)).toThrow(
    'latitude = 5820000; expected −90 to 90 degrees (coordinates in metres',
  );
});
