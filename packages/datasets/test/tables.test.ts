import {truncateSync} from 'node:fs';
import {gzipSync} from 'node:zlib';
import {File as Hdf5File, ready} from 'h5wasm/node';
import {parquetReadObjects, asyncBufferFromFile} from 'hyparquet';
import {parquetWriteFile, type ColumnSource} from 'hyparquet-writer';
import {describe, expect, it} from 'vitest';
import {CITIES_CREDIT, cities} from '../src/cities.ts';
import {datasetHash, milanesi, readPoints, writeLabels, writePoints} from '../src/index.ts';
import {temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

describe('HDF5', () => {
  /** A file with a vector, a cube, text, an integer table and a group. */
  async function mixedFile(): Promise<string> {
    await ready;
    const path = file('mixed.h5');
    const hdf5 = new Hdf5File(path, 'w');
    hdf5.create_dataset({name: 'vector', data: new Float64Array([1, 2, 3, 4, 5, 6]), dtype: '<d'});
    hdf5.create_dataset({name: 'cube', data: new Float32Array(24), shape: [2, 3, 4], dtype: '<f'});
    hdf5.create_dataset({name: 'text', data: ['a', 'b', 'c', 'd'], shape: [2, 2]});
    hdf5.create_dataset({name: 'wide', data: new BigInt64Array([1n, 2n, 3n, 2n ** 53n]), shape: [2, 2]});
    const group = hdf5.create_group('group');
    group.create_dataset({name: 'table', data: new Int16Array([1, -2, 3, -4]), shape: [2, 2]});
    hdf5.close();
    return path;
  }

  it('reads the named dataset, in groups too', async () => {
    const path = await mixedFile();
    expect(await readPoints(path, {dataset: 'group/table'})).toEqual({
      coords: new Float32Array([1, -2, 3, -4]),
      dim: 2,
    });
    expect(await readPoints(path, {dataset: '/group/table'})).toMatchObject({dim: 2});
    expect(await readPoints(path, {dataset: 'vector', dim: 3})).toEqual({
      coords: new Float64Array([1, 2, 3, 4, 5, 6]),
      dim: 3,
    });
  });

  it('reads compressed, chunked datasets', async () => {
    await ready;
    const values = Float32Array.from({length: 20_000}, (_, k) => k / 4);
    const hdf5 = new Hdf5File(file('gzip.h5'), 'w');
    hdf5.create_dataset({
      name: 'p',
      data: values,
      shape: [10_000, 2],
      dtype: '<f',
      chunks: [512, 2],
      compression: 'gzip',
    });
    hdf5.close();
    expect(await readPoints(file('gzip.h5'))).toEqual({coords: values, dim: 2});
  });

  it('lists the datasets if none or a wrong one is chosen', async () => {
    const path = await mixedFile();
    const list = 'cube (2, 3, 4); group/table (2, 2); text (2, 2); vector (6); wide (2, 2)';
    await expect(readPoints(path)).rejects.toThrow(`mixed.h5: holds 5 datasets; expected a name, one of: ${list}`);
    await expect(readPoints(path, {dataset: 'points'})).rejects.toThrow(
      `has no dataset points; expected one of: ${list}`,
    );
    await expect(readPoints(path, {dataset: 'group'})).rejects.toThrow('has no dataset group');
  });

  it.for([
    ['cube', undefined, 'dataset cube has shape (2, 3, 4); expected (n, dim)'],
    ['vector', undefined, 'dataset vector has shape (6); expected (n, dim), or (n · dim) with a given dim'],
    ['vector', 4, 'dataset vector has shape (6); expected'],
    ['group/table', 3, 'dataset group/table has shape (2, 2); expected (n, 3)'],
    ['text', undefined, 'dataset text is of another type; expected float32, float64 or integers'],
    ['wide', undefined, 'value 3 = 9007199254740992; expected integers below 2^53 in magnitude'],
  ] as const)('rejects dataset %s with dim %s', async ([dataset, dim, message]) => {
    await expect(readPoints(await mixedFile(), {dataset, dim})).rejects.toThrow(message);
  });

  it('rejects a file without datasets', async () => {
    await ready;
    new Hdf5File(file('none.h5'), 'w').close();
    await expect(readPoints(file('none.h5'))).rejects.toThrow('none.h5: holds no dataset; expected one');
  });
});

describe('Parquet', () => {
  function write(name: string, columnData: ColumnSource[]): string {
    parquetWriteFile({filename: file(name), columnData, rowGroupSize: 3});
    return file(name);
  }

  const lat: ColumnSource = {name: 'lat', data: new Float64Array([1.5, 2.5, 3.5, 4.5])};
  const lon: ColumnSource = {name: 'lon', data: new Float32Array([5, 6, 7, 8])};
  const id: ColumnSource = {name: 'id', data: [1n, 2n, 3n, 4n], type: 'INT64'};
  const town: ColumnSource = {name: 'town', data: ['a', 'b', 'c', 'd'], type: 'STRING'};

  it('picks columns by name or number, across row groups', async () => {
    const path = write('towns.parquet', [town, lat, lon, id]);
    expect(await readPoints(path, {columns: ['lon', 'lat']})).toEqual({
      coords: new Float64Array([5, 1.5, 6, 2.5, 7, 3.5, 8, 4.5]),
      dim: 2,
      columns: ['lon', 'lat'],
    });
    expect(await readPoints(path, {columns: [2]})).toMatchObject({
      coords: new Float32Array([5, 6, 7, 8]),
      columns: ['lon'],
    });
    expect(await readPoints(path, {columns: ['id']})).toMatchObject({
      coords: new Float64Array([1, 2, 3, 4]),
      columns: ['id'],
    });
  });

  it('reads gzip', async () => {
    const filename = file('gzip.parquet');
    parquetWriteFile({filename, columnData: [lat], codec: 'GZIP', compressors: {GZIP: (input) => gzipSync(input)}});
    expect((await readPoints(filename)).coords).toEqual(lat.data);
  });

  it('rejects columns that are missing, not numeric, chosen twice, null or too large', async () => {
    const path = write('towns.parquet', [town, lat, lon]);
    await expect(readPoints(path, {columns: ['x']})).rejects.toThrow(
      'has no column "x"; expected one of town, lat, lon',
    );
    await expect(readPoints(path)).rejects.toThrow('column town is UTF8; expected FLOAT, DOUBLE, INT32 or INT64');
    await expect(readPoints(path, {columns: ['lat', 1]})).rejects.toThrow('has a column chosen twice');
    await expect(readPoints(path, {columns: ['lat'], dim: 2})).rejects.toThrow(
      'has 1 columns chosen; expected dim = 2',
    );
    const nulls = write('null.parquet', [{name: 'x', data: [1, null, 3, 4], type: 'DOUBLE', nullable: true}]);
    await expect(readPoints(nulls)).rejects.toThrow('null.parquet: row 1: x = null; expected a number');
    const large = write('large.parquet', [{name: 'x', data: [1n, 2n, 3n, 2n ** 60n], type: 'INT64'}]);
    await expect(readPoints(large)).rejects.toThrow(
      'row 3: x = 1152921504606846976; expected integers below 2^53 in magnitude',
    );
  });

  it('rejects dates', async () => {
    const dates: ColumnSource = {
      name: 'when',
      data: [new Date(0), new Date(1), new Date(2), new Date(3)],
      type: 'TIMESTAMP',
    };
    await expect(readPoints(write('dates.parquet', [dates]))).rejects.toThrow('column when is TIMESTAMP');
  });

  it('reports a file without its end as truncated', async () => {
    await writePoints(file('cut.parquet'), milanesi({n: 100, seed: 1}));
    truncateSync(file('cut.parquet'), 300);
    await expect(readPoints(file('cut.parquet'))).rejects.toThrow(
      'cut.parquet: is truncated; expected PAR1 as its last bytes',
    );
  });

  it('writes labels and the core mask', async () => {
    await writeLabels(file('labels.parquet'), new Int32Array([0, -1]), new Uint8Array([1, 0]));
    expect(await parquetReadObjects({file: await asyncBufferFromFile(file('labels.parquet'))})).toEqual([
      {label: 0, core: true},
      {label: -1, core: false},
    ]);
  });

  it('keeps points that need several row groups', async () => {
    const coords = Float32Array.from({length: 600_000}, (_, k) => k);
    await writePoints(file('groups.parquet'), {coords, dim: 2});
    expect(datasetHash(await readPoints(file('groups.parquet')))).toBe(datasetHash({coords, dim: 2}));
  });
});

describe('cities', () => {
  it('are the places of GeoNames, longitude first', async () => {
    const {coords, dim} = await cities({precision: 'float64'});
    expect([coords.length / dim, dim]).toEqual([171_075, 2]);
    expect([coords[0], coords[1]]).toEqual([1.56654, 42.53176]);
    expect(CITIES_CREDIT).toContain('CC BY 4.0');
  });
});
