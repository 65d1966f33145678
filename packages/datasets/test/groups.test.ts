import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Readable} from 'node:stream';
import {parquetWriteFile} from 'hyparquet-writer';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {readCsvBatches, readCsvStream, readPoints} from '../src/index.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'epsball-groups-'));
});

afterAll(() => rmSync(folder, {recursive: true}));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function groups(names: string[], ...of: number[]) {
  return {names, of: Int32Array.from(of)};
}

describe('groupColumn', () => {
  it('reads text and numbers of CSV beside weights, times and coordinates', async () => {
    const text = 'x,city,t,w,y\n1,Rome,5,7,2\n3, Oslo ,6,8,4\n5,"Rome",7,9,6\n';
    const options = {groupColumn: 'city', timeColumn: 't', weightColumn: 'w', precision: 'float32', dim: 2} as const;
    const expected = {
      coords: Float32Array.of(1, 2, 3, 4, 5, 6),
      dim: 2,
      columns: ['x', 'y'],
      weights: Float64Array.of(7, 8, 9),
      times: Float64Array.of(5, 6, 7),
      groups: groups(['Rome', 'Oslo'], 0, 1, 0),
    };
    expect(await readPoints(fileOf('a.csv', text), options)).toEqual(expected);
    expect(await readCsvStream(Readable.from([Buffer.from(text)]), options)).toEqual(expected);
    const numbers = fileOf('b.csv', 'x,day\n1,3\n2,3\n3,03\n');
    expect((await readPoints(numbers, {groupColumn: 'day'})).groups).toEqual(groups(['3', '03'], 0, 0, 1));
  });

  it('finds no header before rows that begin with a name', async () => {
    const bare = fileOf('c.csv', 'a;1;2\nb;3;4\na;5;6\n');
    expect(await readPoints(bare, {groupColumn: 0})).toMatchObject({
      coords: Float64Array.of(1, 2, 3, 4, 5, 6),
      groups: groups(['a', 'b'], 0, 1, 0),
    });
    const headed = fileOf('d.csv', 'who;x;y\nb;3;4\n');
    expect(await readPoints(headed, {groupColumn: 0})).toMatchObject({columns: ['x', 'y'], groups: groups(['b'], 0)});
  });

  it('numbers groups over all batches', async () => {
    const rows = Array.from({length: 300_000}, (_, i) => `${i},${i % 3}\n`).join('');
    let n = 0;
    let wrong = 0;
    for await (const batch of readCsvBatches(fileOf('e.csv', `x,g\n${rows}`), {groupColumn: 'g'}, 1000)) {
      const {names = [], of = []} = batch.groups ?? {};
      for (const k of of) if (Number(names[k]) !== n++ % 3) wrong++;
    }
    expect([n, wrong]).toEqual([300_000, 0]);
  });

  it('names the row without a group, and a column that has none', async () => {
    const csv = fileOf('f.csv', 'x,g\n1,a\n2,\n');
    await expect(readPoints(csv, {groupColumn: 'g'})).rejects.toThrow('line 3: g = ""; expected the name of a group');
    await expect(readPoints(csv, {groupColumn: 'G'})).rejects.toThrow('has no column "G"; expected one of x, g');
    await expect(readPoints(csv, {groupColumn: 'g', columns: ['g']})).rejects.toThrow('chosen twice');
    await expect(readPoints(fileOf('g.npy', ''), {groupColumn: 0})).rejects.toThrow('no groups for a .npy file');
  });

  it('reads text, integers, booleans and dates of Parquet', async () => {
    const filename = join(folder, 'a.parquet');
    parquetWriteFile({
      filename,
      columnData: [
        {name: 'x', data: new Float32Array([1, 2, 3])},
        {name: 'text', data: ['b', 'a', 'b'], type: 'STRING'},
        {name: 'n', data: Int32Array.of(5, 6, 5)},
        {name: 'long', data: BigInt64Array.of(2n ** 60n, 2n ** 60n + 1n, 0n)},
        {name: 'flag', data: [true, false, true], type: 'BOOLEAN'},
        {name: 'some', data: ['a', null, 'b'], type: 'STRING', nullable: true},
        {name: 'at', data: [new Date(0), new Date(-1), new Date(0)], type: 'TIMESTAMP'},
        {name: 'tags', data: [['a'], ['b'], ['c']]},
      ],
    });
    const days = join(folder, 'days.parquet');
    const required = {type: 'INT32', repetition_type: 'REQUIRED'} as const;
    parquetWriteFile({
      filename: days,
      columnData: ['x', 'day'].map((name) => ({name, data: Int32Array.of(19_844, 19_845)})),
      schema: [
        {name: 'root', num_children: 2},
        {name: 'x', ...required},
        {name: 'day', converted_type: 'DATE', ...required},
      ],
    });
    expect((await readPoints(days, {groupColumn: 'day'})).groups).toEqual(groups(['2024-05-01', '2024-05-02'], 0, 1));
    const read = async (groupColumn: string) => (await readPoints(filename, {columns: ['x'], groupColumn})).groups;
    expect(await read('text')).toEqual(groups(['b', 'a'], 0, 1, 0));
    expect(await read('n')).toEqual(groups(['5', '6'], 0, 1, 0));
    expect(await read('long')).toEqual(groups(['1152921504606846976', '1152921504606846977', '0'], 0, 1, 2));
    expect(await read('flag')).toEqual(groups(['true', 'false'], 0, 1, 0));
    await expect(read('some')).rejects.toThrow('row 1: some = "null"; expected a group');
    expect(await read('at')).toEqual(groups(['1970-01-01 00:00:00', '1969-12-31 23:59:59.999'], 0, 1, 0));
    const refused = 'expected text, numbers, BOOLEAN, DATE, TIMESTAMP or DECIMAL of 15 digits';
    await expect(read('tags')).rejects.toThrow(refused);
  });

  it('reads a property of GeoJSON', async () => {
    const feature = (tag: unknown) => ({
      type: 'Feature',
      geometry: {type: 'Point', coordinates: [1, 2]},
      properties: {tag},
    });
    const text = (tags: unknown[]): string => JSON.stringify({type: 'FeatureCollection', features: tags.map(feature)});
    const read = async (...tags: unknown[]) =>
      (await readPoints(fileOf('a.geojson', text(tags)), {groupColumn: 'tag'})).groups;
    expect(await read('a', 5, 'a', '5', true)).toEqual(groups(['a', '5', 'true'], 0, 1, 0, 1, 2));
    await expect(read('a', null)).rejects.toThrow('point 1 has no text or number for tag; expected a group among');
    await expect(read({})).rejects.toThrow('point 0 has no text or number for tag');
  });
});
