import {parquetWriteFile, type ColumnSource} from 'hyparquet-writer';
import {describe, expect, it} from 'vitest';
import {pointAxes, readPoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

/** A point in WKB, in either order of bytes, or with an altitude. */
function wkb([x, y, ...others]: readonly number[], isLittle = true): Uint8Array {
  const view = new DataView(new ArrayBuffer(21 + 8 * others.length));
  view.setUint8(0, isLittle ? 1 : 0);
  view.setUint32(1, 1 + 1000 * others.length, isLittle);
  for (const [k, value] of [x, y, ...others].entries()) view.setFloat64(5 + 8 * k, value, isLittle);
  return new Uint8Array(view.buffer);
}

const PLACES = [wkb([13.4, 52.5]), wkb([11.6, 48.1], false), wkb([2.4, 48.9, 35])];
const COORDS = Float64Array.of(13.4, 52.5, 11.6, 48.1, 2.4, 48.9);
const others: readonly ColumnSource[] = [
  {name: 'version', data: [1, 2, 3], type: 'INT32'},
  {name: 'name', data: ['a', 'b', 'c'], type: 'STRING'},
];

/** GeoParquet, as GeoPandas and Overture write it. */
function write(name: string, data: readonly (Uint8Array | null)[], crs?: object, more = others): string {
  const columns = {geometry: {encoding: 'WKB', geometry_types: ['Point'], ...(crs && {crs})}};
  const value = JSON.stringify({version: '1.1.0', primary_column: 'geometry', columns});
  const geometry: ColumnSource = {name: 'geometry', data: [...data], type: 'BYTE_ARRAY', nullable: true};
  const filename = file(name);
  parquetWriteFile({filename, columnData: [...more, geometry], kvMetadata: [{key: 'geo', value}]});
  return filename;
}

describe('GeoParquet', () => {
  it.for(['auto', 'place', ['geometry'], ['geometry.lon', 'geometry.lat']] as const)(
    'has longitudes and latitudes of its points: %s',
    async (columns) => {
      const {coords, dim, columns: found} = await readPoints(write('a.parquet', PLACES), {columns});
      const isLatitudeFirst = columns === 'place';
      const swapped = COORDS.map((_, k) => COORDS[k % 2 === 0 ? k + 1 : k - 1]);
      expect([coords, dim]).toEqual([isLatitudeFirst ? swapped : COORDS, 2]);
      expect(found?.toSorted()).toEqual(['geometry.lat', 'geometry.lon']);
    },
  );

  it('has points of the type GEOMETRY, with weights, groups and ranges of rows', async () => {
    const points = [
      [1, 2],
      [3, 4],
      [5, 6],
    ].map((coordinates) => ({type: 'Point', coordinates}));
    const geometry: ColumnSource = {name: 'at', data: points, type: 'GEOMETRY'};
    parquetWriteFile({filename: file('b.parquet'), columnData: [geometry, ...others]});
    const options = {columns: ['at'], weightColumn: 'version', groupColumn: 'name', rows: [[1, 3]]} as const;
    expect(await readPoints(file('b.parquet'), options)).toMatchObject({
      coords: Float64Array.of(3, 4, 5, 6),
      weights: Float64Array.of(2, 3),
      groups: {names: ['b', 'c']},
      columns: ['at.lon', 'at.lat'],
      rowCount: 3,
    });
  });

  it('of a projection has x and y, which tell the coordinates beside other numbers', async () => {
    const path = write('c.parquet', PLACES, {type: 'ProjectedCRS', id: {authority: 'EPSG', code: 25_833}});
    expect(await readPoints(path, {columns: 'auto'})).toMatchObject({
      coords: COORDS,
      columns: ['geometry.x', 'geometry.y'],
    });
  });

  it('leaves the place to columns of a latitude and a longitude', async () => {
    const place: readonly ColumnSource[] = ['lat', 'lon'].map((name) => ({name, data: [7, 8, 9], type: 'DOUBLE'}));
    const {columns, left} = await readPoints(write('d.parquet', PLACES, undefined, place), {columns: 'auto'});
    expect(columns).toEqual(['lat', 'lon']);
    expect(left?.map(({name}) => name)).toEqual(['geometry.lon', 'geometry.lat']);
  });

  it('takes null for missing, and refuses other geometries than points', async () => {
    const path = write('e.parquet', [...PLACES.slice(1), null]);
    await expect(readPoints(path, {columns: 'auto'})).rejects.toThrow('row 2: geometry.lon = null; expected a point');
    const {coords} = await readPoints(path, {columns: 'auto', missing: 'nan'});
    expect(coords.slice(4)).toEqual(Float64Array.of(NaN, NaN));
    const line = Uint8Array.of(1, 2, 0, 0, 0, 0, 0, 0, 0);
    const lines = readPoints(write('f.parquet', [line, line, line]), {columns: 'auto'});
    await expect(lines).rejects.toThrow('row 0: geometry.lon = LineString; expected a point');
  });
});

it('the names of coordinates follow their reference system', () => {
  const globe = ['a.lon', 'a.lat'];
  const projjson = (type: string): string => JSON.stringify({type, base_crs: {type: 'GeographicCRS'}});
  expect([undefined, 'OGC:CRS84', 'EPSG:4326', projjson('GeographicCRS')].map((crs) => pointAxes('a', crs))).toEqual(
    Array.from({length: 4}, () => globe),
  );
  expect(['EPSG:25833', projjson('ProjectedCRS')].map((crs) => pointAxes('a', crs)[0])).toEqual(['a.x', 'a.x']);
});
