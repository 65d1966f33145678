import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {parquetWriteFile} from 'hyparquet-writer';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {secondsOf} from '../src/formats/times.ts';
import {readCsvBatches, readCsvStream, readPoints} from '../src/index.ts';

let folder: string;

const NOON = Date.UTC(2024, 4, 1, 12) / 1000;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-times-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('a timestamp', () => {
  it('is seconds of the epoch, in UTC without a zone', () => {
    const same = ['2024-05-01T12:00:00Z', '2024-05-01 12:00', '2024-05-01t14:00:00.000+02:00', '2024-05-01T06:30-0530'];
    expect(same.map(secondsOf)).toEqual(same.map(() => NOON));
    expect(secondsOf(' 2024-05-01 ')).toBe(NOON - 43_200);
    expect(secondsOf('2024-05-01T12:00:00.125+00')).toBe(NOON + 0.125);
    expect(secondsOf('1969-12-31T23:59:59.5Z')).toBe(-0.5);
  });

  it('is no other text', () => {
    const others = ['', '12:30', '2024', '2024-02-30', '2024-05-01T24:00', '2024-05-01T12', '01.05.2024', 'May 1 2024'];
    expect(others.map(secondsOf)).toEqual(others.map(() => NaN));
  });
});

describe('timeColumn', () => {
  it('reads numbers and timestamps of CSV beside the other columns', async () => {
    const csv = fileOf('a.csv', 'x,when,w,y\n1,2024-05-01T12:00Z,7,2\n3,1714564801.5,8,4\n');
    const points = await readPoints(csv, {timeColumn: 'when', weightColumn: 'w', precision: 'float32'});
    expect(points).toEqual({
      coords: Float32Array.of(1, 2, 3, 4),
      dim: 2,
      columns: ['x', 'y'],
      weights: Float64Array.of(7, 8),
      times: Float64Array.of(NOON, 1_714_564_801.5),
    });
    const bare = fileOf('b.csv', '1;2024-05-01\n3;2024-05-02\n');
    expect(await readPoints(bare, {timeColumn: 1, dim: 1})).toMatchObject({
      coords: Float64Array.of(1, 3),
      times: Float64Array.of(NOON - 43_200, NOON + 43_200),
    });
    for await (const batch of readCsvBatches(bare, {timeColumn: 1, precision: 'float32'}, 3)) {
      expect(batch).toMatchObject({
        coords: Float32Array.of(1, 3),
        times: Float64Array.of(NOON - 43_200, NOON + 43_200),
      });
    }
    const stream = Readable.from([Buffer.from('t,w,x\n5,6,7\n')]);
    expect(await readCsvStream(stream, {timeColumn: 't', weightColumn: 'w', dim: 1})).toMatchObject({
      coords: Float64Array.of(7),
      weights: Float64Array.of(6),
      times: Float64Array.of(5),
    });
  });

  it('names the line of a text that is no time', async () => {
    const csv = fileOf('c.csv', 'x,when\n1,2024-05-01\n1,noon\n');
    await expect(readPoints(csv, {timeColumn: 'when'})).rejects.toThrow(
      'line 3: when = "noon"; expected a finite number, or a timestamp such as 2024-05-01T12:30:00Z',
    );
    await expect(readPoints(csv, {timeColumn: 'at'})).rejects.toThrow('has no column "at"; expected one of x, when');
    await expect(readPoints(fileOf('d.npy', ''), {timeColumn: 'at'})).rejects.toThrow('no times for a .npy file');
  });

  it('reads timestamps, dates and numbers of Parquet, to the microsecond', async () => {
    const filename = join(folder, 'a.parquet');
    const micros = [BigInt(NOON) * 1_000_000n, BigInt(NOON) * 1_000_000n + 1n];
    parquetWriteFile({
      filename,
      columnData: [
        {name: 'x', data: new Float32Array([1, 2])},
        {name: 'at', data: [new Date(1000 * NOON), new Date(1500)], type: 'TIMESTAMP'},
        {name: 'n', data: Int32Array.of(5, 6), type: 'INT32'},
        {name: 'us', data: BigInt64Array.from(micros)},
      ],
    });
    const read = async (timeColumn: string) => (await readPoints(filename, {columns: ['x'], timeColumn})).times;
    expect(await read('at')).toEqual(Float64Array.of(NOON, 1.5));
    expect(await read('n')).toEqual(Float64Array.of(5, 6));
    expect(await read('us')).toEqual(Float64Array.from(micros, Number));
    await expect(readPoints(filename, {columns: ['at']})).rejects.toThrow('column at is');
  });

  it('reads a property of GeoJSON', async () => {
    const feature = (time: unknown) => ({
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [1, 2]},
      properties: {time},
    });
    const text = (times: unknown[]): string =>
      JSON.stringify({type: 'FeatureCollection', features: times.map(feature)});
    const {times} = await readPoints(fileOf('a.geojson', text([5, '2024-05-01T12:00Z'])), {timeColumn: 'time'});
    expect(times).toEqual(Float64Array.of(5, NOON));
    await expect(readPoints(fileOf('b.geojson', text([null])), {timeColumn: 'time'})).rejects.toThrow(
      'point 0: time = "null"; expected a finite number, or a timestamp',
    );
  });
});
