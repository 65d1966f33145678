import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {readPoints, writeGeoJson, writePoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const folder = temporaryFolder();

function feature(lon: number, lat: number, properties: object | null): object {
  return {type: 'Feature', geometry: {type: 'Point', coordinates: [lon, lat]}, properties};
}

async function write(name: string, content: string | object): Promise<string> {
  const path = folder(name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('GeoJSON', () => {
  it('is read with longitude first, and with the properties of features', async () => {
    const multi = {
      type: 'Feature',
      geometry: {
        type: 'MultiPoint',
        coordinates: [
          [5, 6],
          [7, 8],
        ],
      },
      properties: {name: 'm'},
    };
    const path = await write('a.geojson', {type: 'FeatureCollection', features: [feature(1, 2, {name: 'a'}), multi]});
    expect(await readPoints(path)).toEqual({
      coords: Float64Array.of(1, 2, 5, 6, 7, 8),
      dim: 2,
      columns: ['lon', 'lat'],
      properties: [{name: 'a'}, {name: 'm'}, {name: 'm'}],
    });
  });

  it('has weights in a property', async () => {
    const features = [feature(1, 2, {people: 7}), feature(3, 4, {people: 0.5})];
    const path = await write('w.geojson', {type: 'FeatureCollection', features});
    expect((await readPoints(path, {weightColumn: 'people'})).weights).toEqual(Float64Array.of(7, 0.5));
    await expect(readPoints(path, {weightColumn: 'size'})).rejects.toThrow(
      'point 0 has no property size; expected a number among its properties people',
    );
  });

  it('is written with labels and read back', async () => {
    const path = folder('out.geojson');
    const points = {coords: Float64Array.of(13.4, 52.5, 2.35, 48.86), dim: 2};
    const properties = [{name: 'Berlin'}, null];
    await writeGeoJson(path, points, {labels: Int32Array.of(0, -1), coreMask: Uint8Array.of(1, 0), properties});
    const read = await readPoints(path);
    expect(read.coords).toEqual(points.coords);
    expect(read.properties).toEqual([
      {name: 'Berlin', cluster: 0, core: true},
      {cluster: -1, core: false},
    ]);
    await writePoints(path, points);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({type: 'FeatureCollection'});
    await expect(writePoints(path, {coords: points.coords, dim: 1})).rejects.toThrow('2 for a .geojson file: lon, lat');
  });

  it('keeps the id and other members of features, and altitudes', async () => {
    const geometry = {type: 'Point', coordinates: [1, 2, 30.5]};
    const features = [
      {type: 'Feature', id: 7, geometry, properties: {name: 'a'}},
      feature(3, 4, null),
      {
        type: 'Feature',
        id: 'b',
        title: 'B',
        bbox: [5, 6, 7, 8],
        properties: null,
        geometry: {
          type: 'MultiPoint',
          coordinates: [
            [5, 6],
            [7, 8, -9],
          ],
        },
      },
      {type: 'Feature', id: 0, properties: {}, geometry: {type: 'GeometryCollection', geometries: [geometry]}},
    ];
    const path = await write('ids.geojson', {type: 'FeatureCollection', features});
    const read = await readPoints(path);
    const rest = {id: 'b', title: 'B'};
    expect(read.members).toEqual([{id: 7}, null, rest, rest, {id: 0}]);
    expect(read.altitudes).toEqual([30.5, undefined, undefined, -9, 30.5]);
    const out = folder('kept.geojson');
    await writeGeoJson(out, read, {...read, labels: Int32Array.of(0, 1, 2, 2, 0)});
    const written: unknown = JSON.parse(await readFile(out, 'utf8'));
    const point = (cluster: number, coordinates: number[], properties: object, members: object): object => ({
      ...members,
      type: 'Feature',
      geometry: {type: 'Point', coordinates},
      properties: {...properties, cluster},
    });
    expect(written).toEqual({
      type: 'FeatureCollection',
      features: [
        point(0, [1, 2, 30.5], {name: 'a'}, {id: 7}),
        point(1, [3, 4], {}, {}),
        point(2, [5, 6], {}, rest),
        point(2, [7, 8, -9], {}, rest),
        point(0, [1, 2, 30.5], {}, {id: 0}),
      ],
    });
    expect((await readPoints(out)).members).toEqual(read.members);
  });

  it('of other things is rejected', async () => {
    const rejects = async (content: string | object, message: string): Promise<void> =>
      expect(readPoints(await write('bad.geojson', content))).rejects.toThrow(message);
    await rejects('{"type":', 'is not JSON; expected GeoJSON of points');
    await rejects([1, 2], 'is JSON, but no GeoJSON; expected a FeatureCollection');
    await rejects({type: 'Topology'}, 'is no GeoJSON of points');
    await rejects({type: 'FeatureCollection', features: [feature(1, NaN, {})]}, 'point 0, latitude = null');
  });
});

describe('columns of tables', () => {
  it('are found by name for places, and one may hold weights', async () => {
    const path = await write('t.csv', 'id,Longitude,pop,lat\n1,13.4,9,52.5\n2,2.35,8,48.9\n');
    const places = {coords: Float64Array.of(52.5, 13.4, 48.9, 2.35), dim: 2, columns: ['lat', 'Longitude']};
    const id = {name: 'id', why: 'identifier by its name'};
    const left = [id, {name: 'pop', why: 'beside lat, Longitude'}];
    expect(await readPoints(path, {columns: 'place'})).toEqual({...places, left});
    const weighted = {...places, left: [id], weights: Float64Array.of(9, 8)};
    expect(await readPoints(path, {columns: 'place', weightColumn: 'pop'})).toEqual(weighted);
    expect(await readPoints(path, {columns: ['lat'], weightColumn: 'id'})).toMatchObject({dim: 1, columns: ['lat']});
    const rest = await readPoints(path, {weightColumn: 'pop', dim: 3});
    expect(rest).toMatchObject({dim: 3, columns: ['id', 'Longitude', 'lat'], weights: Float64Array.of(9, 8)});
    const parquet = folder('t.parquet');
    await writePoints(parquet, {coords: Float64Array.of(1, 2, 3, 4, 5, 6), dim: 3});
    expect(await readPoints(parquet, {weightColumn: 'y'})).toEqual({
      coords: Float64Array.of(1, 3, 4, 6),
      dim: 2,
      columns: ['x', 'z'],
      weights: Float64Array.of(2, 5),
    });
    await expect(readPoints(parquet, {columns: 'place'})).rejects.toThrow(
      'has the columns x, y, z; expected one latitude and one longitude by name',
    );
  });
});
