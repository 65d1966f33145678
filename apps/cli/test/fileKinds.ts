import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {zipOf} from './zipOf.ts';

/** Two clusters of two points each, in each kind of file. */
export const LAT: readonly number[] = [52, 52, 48, 48];
export const LON: readonly number[] = [13, 14, 2, 3];

/** A kind of file: a format and an oddity. */
export interface FileKind {
  readonly kind: string;
  readonly file: string;
  /** Writes it to a path. */
  readonly write: (path: string) => void | Promise<void>;
  /** Flags that its format needs. */
  readonly flags?: readonly string[];
  /** What the refusal says, if it is refused. The flags or the line that it says must then work. */
  readonly refused?: string;
  /** Flags for a refusal that names a flag, but no value. */
  readonly typed?: readonly string[];
}

const PAIRS = LAT.map((lat, k) => [lat, LON[k]] as const);
export const COORDS: readonly number[] = PAIRS.flat();

/** Rows of text after a header. */
function rows(header: string, row: (lat: number, lon: number, k: number) => string, end = '\n'): string {
  return [header, ...PAIRS.map(([lat, lon], k) => row(lat, lon, k))].filter((line) => line !== '').join(end) + end;
}

export function text(kind: string, file: string, content: string | Uint8Array, more: Partial<FileKind> = {}): FileKind {
  return {kind, file, write: (path) => writeFileSync(path, content), ...more};
}

const PLAIN = rows('lat,lon', (lat, lon) => `${lat},${lon}`);
const TRIP = 'start_lat,start_lng,end_lat,end_lng';

export const CSV: readonly FileKind[] = [
  text('CSV, plain', 'a.csv', PLAIN),
  text(
    'CSV without a header',
    'a.csv',
    rows('', (lat, lon) => `${lat},${lon}`),
  ),
  text('CSV in capitals', 'A.CSV', PLAIN),
  text('CSV with semicolons', 'a.csv', PLAIN.replaceAll(',', ';')),
  text(
    'CSV with decimal commas',
    'a.csv',
    rows('lat;lon', (lat, lon) => `${lat},0;${lon},0`),
    {
      refused: 'or --decimal ,',
      typed: ['--decimal', ','],
    },
  ),
  text('CSV with tabs', 'a.csv', PLAIN.replaceAll(',', '\t')),
  text('TSV', 'a.tsv', PLAIN.replaceAll(',', '\t')),
  text(
    'white space',
    'a.txt',
    rows('', (lat, lon) => `  ${lat}   ${lon}`),
  ),
  text(
    'XYZ of a scanner',
    'a.xyz',
    rows('', (lat, lon) => `${lat} ${lon} 0`),
  ),
  text('DAT', 'a.dat', PLAIN.replaceAll(',', ' ')),
  text('CSV with bars', 'a.csv', PLAIN.replaceAll(',', '|')),
  text('CSV with another delimiter', 'a.csv', PLAIN.replaceAll(',', '~'), {
    refused: 'or another --delimiter',
    typed: ['--delimiter', '~'],
  }),
  text('CSV with comments', 'a.csv', `# made by hand\n${PLAIN}# end\n`),
  text('CSV with a byte order mark', 'a.csv', `\uFEFF${PLAIN}`),
  text('CSV with CR LF', 'a.csv', PLAIN.replaceAll('\n', '\r\n')),
  text('CSV with CR', 'a.csv', PLAIN.replaceAll('\n', '\r')),
  text('CSV with blank lines', 'a.csv', `${PLAIN}\n  \n\n`),
  text('CSV without a last line end', 'a.csv', PLAIN.trimEnd()),
  text(
    'CSV in quotes',
    'a.csv',
    rows('"lat","lon"', (lat, lon) => `"${lat}","${lon}"`),
  ),
  text(
    'CSV with text of several lines',
    'a.csv',
    rows('note,lat,lon', (lat, lon) => `"a, ""b""\nc",${lat},${lon}`),
  ),
  text(
    'CSV with trailing commas',
    'a.csv',
    rows('', (lat, lon) => `${lat},${lon},`),
  ),
  text(
    'CSV with padded cells',
    'a.csv',
    rows(' lat , lon ', (lat, lon) => ` ${lat} , ${lon} `),
  ),
  text(
    'CSV with text beside',
    'a.csv',
    rows('lat,lon,city', (lat, lon, k) => `${lat},${lon},${'ABCD'[k]}`),
  ),
  text(
    'CSV with identifiers',
    'a.csv',
    rows('stop_id,lat,lon', (lat, lon, k) => `${9 - k},${lat},${lon}`),
  ),
  text(
    'CSV with timestamps',
    'a.csv',
    rows('at,lat,lon', (lat, lon, k) => `2024-05-0${k + 1}T00:00:00Z,${lat},${lon}`),
  ),
  text(
    'CSV with seconds of the epoch',
    'a.csv',
    rows('at,a,b', (lat, lon, k) => `${1.7e9 + 9 * k},${lat},${lon}`),
  ),
  text(
    'CSV of pandas, with its index',
    'a.csv',
    rows(',a,b', (lat, lon, k) => `${k * 9},${lat},${lon}`),
  ),
  text(
    'CSV with measures beside a place',
    'a.csv',
    rows('lat,lon,mag', (lat, lon, k) => `${lat},${lon},${k * 9}`),
  ),
  text(
    'CSV with x and y beside others',
    'a.csv',
    rows('X,Y,weight', (lat, lon, k) => `${lat},${lon},${k * 9}`),
  ),
  text(
    'CSV with short names in words',
    'a.csv',
    rows('reclat,reclong,m', (lat, lon, k) => `${lat},${lon},${k * 9}`),
  ),
  text(
    'CSV with a place of two words',
    'a.csv',
    rows('pickup latitude,pickup longitude', (lat, lon) => `${lat},${lon}`),
  ),
  text(
    'CSV with two places',
    'a.csv',
    rows(TRIP, (lat, lon, k) => `${lat},${lon},${k * 9},${k * 9}`),
    {
      refused: '--columns start_lat,start_lng or --columns end_lat,end_lng',
    },
  ),
  text(
    'CSV with two places in words',
    'a.csv',
    rows(TRIP.replaceAll('_', ' '), (lat, lon, k) => `${lat},${lon},${k},${k}`),
    {
      refused: "--columns 'start lat,start lng'",
    },
  ),
  text(
    'CSV of times and identifiers alone',
    'a.csv',
    rows('id,time', (lat, lon) => `${lat},${lon}`),
    {
      refused: 'chosen by --columns id,time',
    },
  ),
  text('CSV with an empty cell', 'a.csv', `${PLAIN},9\n`, {refused: '--missing noise', typed: ['--missing', 'drop']}),
  text('CSV with NaN', 'a.csv', `${PLAIN}NaN,9\n`, {refused: '--missing noise', typed: ['--missing', 'drop']}),
  text(
    'CSV with a word among numbers',
    'a.csv',
    rows('a,b,c', (lat, lon, k) => `${lat},${lon},${k === 3 ? '?' : 9}`),
    {
      refused: '--columns with the names of the coordinates',
      typed: ['--columns', 'a,b'],
    },
  ),
  text('CSV in UTF-16', 'a.csv', Buffer.from(`\uFEFF${PLAIN}`, 'utf16le'), {refused: 'is UTF-16 text'}),
  text(
    'CSV in Latin-1',
    'a.csv',
    Buffer.from(
      rows('lat,lon,city', (lat, lon) => `${lat},${lon},K\u00f6ln`),
      'latin1',
    ),
  ),
  text('CSV with gzip', 'a.csv.gz', gzipSync(PLAIN)),
  text('CSV in a ZIP archive', 'a.csv.zip', zipOf('a.csv', PLAIN), {refused: 'unknown extension .zip'}),
  packed('bzip2', '.bz2'),
  packed('xz', '.xz'),
  packed('zstd', '.zst'),
  text(
    'a table of R, with names of rows',
    'a.txt',
    rows('"lat" "lon" "at"', (lat, lon, k) => `"${k}" ${lat} ${lon} "p q"`),
  ),
  text('CSV with a line of units', 'a.csv', PLAIN.replace('\n', '\ndegrees_north,degrees_east\n'), {
    refused: 'and no line of units: sed 2d',
  }),
  text(
    'PLY of a scanner',
    'a.ply',
    rows('ply\nformat ascii 1.0\nend_header', (lat, lon) => `${lat} ${lon} 0`),
    {
      refused: "sed '1,/^end_header/d'",
    },
  ),
  text(
    'WKT',
    'a.wkt',
    rows('', (lat, lon) => `POINT (${lat} ${lon})`),
    {refused: "sed -nE 's/^ *POINT"},
  ),
  text(
    'CSV with WKT',
    'a.csv',
    rows('id,wkt', (lat, lon, k) => `${k},POINT (${lat} ${lon})`),
    {refused: "SELECT wkt::GEOMETRY AS place FROM 'a.csv'"},
  ),
  text(
    'ARFF',
    'a.arff',
    rows('@relation r\n@data', (lat, lon) => `${lat},${lon}`),
    {refused: 'unknown extension .arff'},
  ),
  text(
    'CSV of Excel in German',
    'a.csv',
    rows('Ort;Breitengrad;L\u00e4ngengrad', (lat, lon) => `K;${lat},0;${lon},0`),
    {
      refused: 'or --decimal ,',
      typed: ['--decimal', ','],
    },
  ),
  text('CSV without an extension', 'points', PLAIN, {refused: 'has no extension'}),
  text('CSV with another extension', 'a.data', PLAIN, {refused: 'unknown extension .data'}),
];

/** CSV that another program packs. */
function packed(program: string, extension: string): FileKind {
  const write = (path: string): void => {
    writeFileSync(path, spawnSync(program, ['-c'], {input: PLAIN}).stdout);
  };
  return {kind: `CSV with ${program}`, file: `a.csv${extension}`, write, refused: `unknown extension ${extension}`};
}

/** GeoJSON of points, with what the features have besides. */
function features(more: (k: number) => object = () => ({}), altitude: readonly number[] = []): object[] {
  return PAIRS.map(([lat, lon], k) => {
    const geometry = {type: 'Point', coordinates: [lon, lat, ...altitude]};
    return {type: 'Feature', properties: {name: 'a', pop: 9 * k}, geometry, ...more(k)};
  });
}

const collection = (list: readonly object[]): string => JSON.stringify({type: 'FeatureCollection', features: list});
const EMPTY = {type: 'Feature', properties: null, geometry: null};

export const GEOJSON: readonly FileKind[] = [
  text('GeoJSON', 'a.geojson', collection(features())),
  text('GeoJSON with id and altitude', 'a.geojson', collection(features((k) => ({id: k}), [100]))),
  text('GeoJSON of one geometry', 'a.geojson', JSON.stringify({type: 'MultiPoint', coordinates: PAIRS})),
  text(
    'GeoJSON, an object a line',
    'a.geojsonl',
    features()
      .map((one) => JSON.stringify(one))
      .join('\n'),
  ),
  text(
    'GeoJSON text sequence',
    'a.geojsons',
    features()
      .map((one) => `\u001e${JSON.stringify(one, null, 1)}\n`)
      .join(''),
  ),
  text('GeoJSON without a geometry', 'a.geojson', collection([...features(), EMPTY]), {
    refused: '--missing noise',
    typed: ['--missing', 'drop'],
  }),
];
