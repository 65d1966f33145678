import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {writePoints} from '@epsball/datasets';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {ClusterReport} from '../src/cluster/clusterReport.ts';
import {clusterReportSchema} from '../src/cluster/clusterReportSchema.ts';
import type {Ended} from './runEpsball.ts';
import {runMain} from './runMain.ts';

let folder: string;

/** Two places 15 km apart, one 880 km away. */
const PLACES = [
  {name: 'Berlin', lat: 52.52, lon: 13.4, people: 3.7},
  {name: 'Spandau', lat: 52.54, lon: 13.2, people: 0.2},
  {name: 'Paris', lat: 48.86, lon: 2.35, people: 2.1},
];

const GLOBE = ['--metric', 'haversine'];
const HDBSCAN = ['--min-cluster-size', '2'];
const TWO = /^clusters +1$[^]*^noise +1 /m;

/** Headers of the same places, longitude first. */
const HEADERS = {
  'taxi.csv': 'pickup_longitude,pickup_latitude',
  'gbif.csv': 'decimalLongitude,decimalLatitude',
  'ways.csv': 'start_lat,endLat',
  'half.csv': 'east,lat_deg',
  'plain.csv': 'a,b',
  'headless.csv': '',
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-metrics-'));
  const rows = PLACES.map(({name, lat, lon, people}) => `${name},${lon},${people},${lat}`);
  writeFileSync(join(folder, 'places.csv'), `name,lon,people,lat\n${rows.join('\n')}\n`);
  writeFileSync(join(folder, 'other.csv'), `a,b\n${PLACES.map(({lat, lon}) => `${lat},${lon}`).join('\n')}\n`);
  const features = PLACES.map(({lat, lon, ...properties}) => ({
    type: 'Feature',
    geometry: {type: 'Point', coordinates: [lon, lat]},
    properties,
  }));
  writeFileSync(join(folder, 'places.geojson'), JSON.stringify({type: 'FeatureCollection', features}));
  const coords = Float64Array.from(PLACES.flatMap(({lat, lon}) => [lon, lat]));
  await writePoints(join(folder, 'lonLat.npy'), {coords, dim: 2});
});

afterAll(() => rmSync(folder, {recursive: true}));

function cluster(input: string, ...more: string[]): Promise<Ended> {
  return runMain(['cluster', input, '--min-pts', '2', ...more], {cwd: folder});
}

/** Kilometres on the globe. */
async function within20km(input: string, ...more: string[]): Promise<ClusterReport> {
  const {stdout, stderr} = await cluster(input, '--metric', 'haversine', '--eps', '20km', '--json', ...more);
  if (stdout === '') throw new Error(stderr);
  return clusterReportSchema.parse(JSON.parse(stdout));
}

describe('epsball cluster --metric haversine', () => {
  it('finds latitude and longitude by name, by position, and in GeoJSON', async () => {
    const expected = {points: 3, clusters: 1, noise: 1, eps: 20, epsUnit: 'km', metric: 'haversine'};
    expect(await within20km('places.csv')).toMatchObject({...expected, columns: ['lat', 'lon']});
    expect(await within20km('other.csv', '--columns', 'a,b')).toMatchObject({...expected, columns: ['a', 'b']});
    expect(await within20km('places.geojson', '--verify')).toMatchObject({...expected, columns: ['lon', 'lat']});
    expect(await within20km('lonLat.npy', '--columns', '1,0')).toMatchObject(expected);
  });

  it('asks for what the file does not tell', async () => {
    const refused = async (...args: [string, ...string[]]): Promise<string> => {
      const {code, stderr} = await cluster(...args);
      expect(code).toBe(2);
      return stderr;
    };
    const globe = ['--metric', 'haversine'];
    expect(await refused('other.csv', ...globe, '--eps', '20km')).toContain('one latitude and one longitude by name');
    expect(await refused('other.csv', ...globe, '--eps', '20km')).toMatch(/, or both chosen by --columns$/m);
    expect(await refused('lonLat.npy', ...globe, '--eps', '20km')).toContain('the positions of LAT,LON');
    expect(await refused('places.csv', ...globe, '--eps', '20')).toContain('a unit with --metric haversine: 20km');
    expect(await refused('places.csv', ...globe, '--eps', '20miles')).toContain('m, km, mi, rad');
    expect(await refused('other.csv', '--eps', '20km')).toContain('no unit with --metric euclidean');
    expect(await refused('other.csv', '--eps', '1', '--metric', 'haversin')).toContain('haversine');
  });

  it('writes GeoJSON with labels and the properties of the input', async () => {
    await within20km('places.geojson', '--out', 'out.geojson');
    const {features} = JSON.parse(readFileSync(join(folder, 'out.geojson'), 'utf8')) as {
      features: {geometry: {coordinates: number[]}; properties: object}[];
    };
    expect(features[0].geometry.coordinates).toEqual([13.4, 52.52]);
    expect(features.map(({properties}) => properties)).toMatchObject([
      {name: 'Berlin', cluster: 0, core: true},
      {name: 'Spandau', cluster: 0},
      {name: 'Paris', cluster: -1, core: false},
    ]);
    await within20km('places.csv', '--out', 'fromCsv.geojson');
    expect(readFileSync(join(folder, 'fromCsv.geojson'), 'utf8')).toContain('[13.4,52.52]');
  });
});

/** Every command that takes `--columns`, and what it finds of two towns 15 km apart and one far away. */
const ON_GLOBE: readonly [string, (input: string, columns: readonly string[]) => string[], RegExp][] = [
  ['cluster', (input, columns) => ['cluster', input, ...GLOBE, '--eps', '20km', '--min-pts', '2', ...columns], TWO],
  ['hdbscan', (input, columns) => ['hdbscan', input, ...GLOBE, ...HDBSCAN, ...columns], /^clusters +\d+$/m],
  [
    'predict',
    (input, columns) => ['predict', 'model.arrow', input, ...columns, '--out', 'said.csv'],
    /1 clusters, 1 no/,
  ],
  ['suggest', (input, columns) => ['suggest', input, ...GLOBE, '--min-pts', '2', ...columns], /km/],
];

describe('names of columns on the globe', () => {
  beforeAll(async () => {
    // 113° is no latitude: the wrong order is refused.
    const rows = PLACES.map(({lat, lon}) => `${lon + 100},${lat}`);
    for (const [file, header] of Object.entries(HEADERS)) {
      writeFileSync(join(folder, file), `${header === '' ? '' : `${header}\n`}${rows.join('\n')}\n`);
    }
    const args = ['--metric', 'haversine', '--eps', '20km', '--save-model', 'model.arrow'];
    expect((await cluster('taxi.csv', ...args)).code).toBe(0);
  });

  it.each(ON_GLOBE)('%s finds them, and takes them in any order', async (_, argsOf, words) => {
    const columns = ['--columns', 'pickup_longitude,pickup_latitude'];
    for (const args of [argsOf('taxi.csv', []), argsOf('taxi.csv', columns), argsOf('gbif.csv', [])]) {
      const {code, stdout, stderr} = await runMain(args, {cwd: folder});
      expect(stderr).toBe('');
      expect(stdout).toMatch(words);
      expect(code).toBe(0);
    }
  });

  it.each(ON_GLOBE)('%s takes LAT,LON where no name tells', async (_, argsOf) => {
    // 113° is no latitude.
    const wrong = await runMain(argsOf('plain.csv', ['--columns', 'a,b']), {cwd: folder});
    expect(wrong.stderr).toContain('point 0, latitude = 113.4');
    expect(wrong.code).toBe(2);
    const right = await runMain(argsOf('plain.csv', ['--columns', 'b,a']), {cwd: folder});
    expect(right.stderr).toBe('');
    expect(right.code).toBe(0);
  });

  it.each(ON_GLOBE)('%s refuses two latitudes', async (_, argsOf) => {
    const {code, stderr} = await runMain(argsOf('ways.csv', ['--columns', 'start_lat,endLat']), {cwd: folder});
    expect(stderr).toContain(
      'columns start_lat, endLat are two latitudes by name; expected one latitude and one longit',
    );
    expect(code).toBe(2);
  });

  it('the summary has them as they stand in the file', async () => {
    const shown = async (file: string, ...more: string[]): Promise<string | undefined> => {
      const {stdout} = await cluster(file, '--metric', 'haversine', '--eps', '20km', ...more);
      return /^columns +(.*)$/m.exec(stdout)?.[1];
    };
    expect(await shown('taxi.csv', '--columns', 'pickup_longitude,pickup_latitude')).toBe(
      'pickup_longitude, pickup_latitude',
    );
    expect(await shown('gbif.csv')).toBe('decimalLatitude, decimalLongitude');
    expect(await shown('plain.csv', '--columns', 'b,a')).toBe('b, a (latitude, longitude)');
    expect(await shown('half.csv', '--columns', 'east,lat_deg')).toBe('east, lat_deg (longitude, latitude)');
    expect(await shown('headless.csv', '--columns', '1,0')).toBe('1, 0 (latitude, longitude)');
    const hierarchy = [...HDBSCAN, '--metric', 'haversine'];
    const {stdout} = await runMain(['hdbscan', 'plain.csv', ...hierarchy, '--columns', 'b,a'], {cwd: folder});
    expect(stdout).toMatch(/^columns +b, a \(latitude, longitude\)$/m);
  });

  it.each([
    ['taxi.csv', 'pickup_longitude,pickup_latitude'],
    ['taxi.csv', 'pickup_latitude,pickup_longitude'],
    ['plain.csv', 'b,a'],
    ['half.csv', 'east,lat_deg'],
    ['headless.csv', '1,0'],
  ])('GeoJSON and maps have the longitude first: %s, %s', async (file, columns) => {
    const outs = ['--out', 'where.geojson', '--plot', 'where.svg'];
    const {code} = await cluster(file, '--metric', 'haversine', '--eps', '20km', '--columns', columns, ...outs);
    expect(code).toBe(0);
    const [{geometry}] = JSON.parse(readFileSync(join(folder, 'where.geojson'), 'utf8')).features;
    expect(geometry.coordinates).toEqual([113.4, 52.52]);
    const names = columns.split(',');
    const [x, y] = /^(?:\w*lat|b|1)/.test(names[0]) ? names.toReversed() : names;
    const svg = readFileSync(join(folder, 'where.svg'), 'utf8');
    expect(svg.indexOf(`>${x}</text>`)).toBeGreaterThan(0);
    expect(svg.indexOf(`>${y}</text>`)).toBeGreaterThan(svg.indexOf(`>${x}</text>`));
    const predicted = ['predict', 'model.arrow', file, '--columns', columns, '--out', 'predicted.geojson'];
    expect((await runMain(predicted, {cwd: folder})).code).toBe(0);
    const text = readFileSync(join(folder, 'predicted.geojson'), 'utf8');
    expect(JSON.parse(text).features[0].geometry.coordinates).toEqual([113.4, 52.52]);
  });
});

describe('on the globe', () => {
  it('GeoJSON is in degrees, also of radians', async () => {
    const radians = PLACES.map(({lat, lon}) => `${(lat * Math.PI) / 180},${(lon * Math.PI) / 180}`);
    writeFileSync(join(folder, 'radians.csv'), `lat,lon\n${radians.join('\n')}\n`);
    const flags = ['--metric', 'haversine', '--angles', 'radians', '--eps', '20km', '--out', 'radians.geojson'];
    expect((await cluster('radians.csv', ...flags)).code).toBe(0);
    const [{geometry}] = JSON.parse(readFileSync(join(folder, 'radians.geojson'), 'utf8')).features;
    expect(geometry.coordinates[0]).toBeCloseTo(PLACES[0].lon, 9);
    expect(geometry.coordinates[1]).toBeCloseTo(PLACES[0].lat, 9);
  });

  it('a cluster across the date line has its centre there', async () => {
    writeFileSync(join(folder, 'line.csv'), 'lat,lon\n0,179.95\n0,-179.93\n');
    const {largest} = await within20km('line.csv');
    expect(largest[0].center[1]).toBeCloseTo(-179.99, 9);
  });
});

describe('epsball cluster --weight-column', () => {
  it('sums weights, from a column or a property', async () => {
    const weighted = ['--weight-column', 'people', '--min-pts', '4'];
    expect(await within20km('places.csv', ...weighted)).toMatchObject({clusters: 0, weighted: true});
    expect(await within20km('places.geojson', '--weight-column', 'people', '--min-pts', '3')).toMatchObject({
      clusters: 1,
      core: 2,
      largest: [{cluster: 0, size: 2}],
    });
  });

  it('prints the largest clusters', async () => {
    const {stdout} = await cluster('places.csv', '--metric', 'haversine', '--eps', '20km');
    expect(stdout).toMatch(/^ {2}cluster 0 +2 points around 52.53, 13.3$/m);
    expect(stdout).toMatch(/^parameters +eps 20km, minPts 2, metric haversine$/m);
  });
});

describe('epsball cluster --plot', () => {
  it('shows eps with its unit, and no circle in other metrics', async () => {
    await within20km('places.csv', '--plot', 'places.svg');
    const svg = readFileSync(join(folder, 'places.svg'), 'utf8');
    expect(svg).toContain('haversine, eps 20km, minPts 2');
    expect(svg).not.toContain('to scale');
  });
});

describe('epsball suggest', () => {
  it('proposes eps, in kilometres on the globe', async () => {
    const rows = Array.from({length: 120}, (_, k) => `${(k < 60 ? 52 : 48) + (k % 8) / 100},${10 + (k % 60) / 500}`);
    writeFileSync(join(folder, 'towns.csv'), `lat,lon\n${rows.join('\n')}\n`);
    const {code, stdout} = await runMain(['suggest', 'towns.csv', '--metric', 'haversine'], {cwd: folder});
    expect(stdout).toMatch(/^plateau +[\d.]+km +2 /m);
    expect(stdout).toContain('The plateau is the safest choice.');
    expect(code).toBe(0);
  });

  it('draws the distances and the proposals', async () => {
    const {code} = await runMain(['suggest', 'towns.csv', '--metric', 'haversine', '--plot', 'towns.svg'], {
      cwd: folder,
    });
    expect(code).toBe(0);
    const svg = readFileSync(join(folder, 'towns.svg'), 'utf8');
    for (const words of ['plateau of', 'distance (km)', '2 clusters, 0 noise']) expect(svg).toContain(words);
  });

  it('refuses a unit without a globe', async () => {
    const {code, stderr} = await runMain(['suggest', 'other.csv', '--unit', 'km'], {cwd: folder});
    expect(stderr).toContain('no unit with --metric euclidean');
    expect(code).toBe(2);
  });
});
