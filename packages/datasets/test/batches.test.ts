import {readFileSync, writeFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {DatasetFormatError, readCsvBatches, readPoints, writePoints} from '../src/index.ts';
import {fixture, temporaryFolder} from './temporaryFolder.ts';

const file = temporaryFolder();

async function batchesOf(path: string, batchPoints: number): Promise<number[][]> {
  const batches: number[][] = [];
  for await (const {coords} of readCsvBatches(path, {}, batchPoints)) batches.push([...coords]);
  return batches;
}

describe('readCsvBatches', () => {
  it('returns the points of readPoints, in several batches', async () => {
    const lines = Array.from({length: 150_000}, (_, i) => `${i},${i / 7}`);
    writeFileSync(file('a.csv'), ['# by hand', 'x,y', ...lines].join('\n'));
    const batches = await batchesOf(file('a.csv'), 20_000);
    expect(batches.length).toBeGreaterThan(2);
    const {coords} = await readPoints(file('a.csv'));
    expect(Float64Array.from(batches.flat())).toEqual(coords);
  });

  it.for(['x,y\n1,2\n3,oops\n', 'x,y\n', '', '1,2\n3\n'])('refuses %j as readPoints does', async (text) => {
    writeFileSync(file('b.csv'), text);
    const {message} = (await readPoints(file('b.csv')).catch((error: Error) => error as DatasetFormatError)) as Error;
    await expect(batchesOf(file('b.csv'), 10)).rejects.toThrow(message);
  });

  it('refuses a missing file', async () => {
    await expect(batchesOf(file('none.csv'), 10)).rejects.toThrow(DatasetFormatError);
  });
});

describe('ranges of rows', () => {
  const points = {dim: 3, coords: Float32Array.from({length: 30}, (_, k) => k)};

  it.for(['c.npy', 'c.parquet'])('are read one after another: %s', async (name) => {
    await writePoints(file(name), points);
    const none = await readPoints(file(name), {rows: []});
    expect(none).toMatchObject({rowCount: 10, dim: 3, coords: new Float32Array(0)});
    const rows = [
      [2, 5],
      [4, 5],
      [9, 10],
    ] as const;
    const expected = rows.flatMap(([start, end]) => [...points.coords.subarray(3 * start, 3 * end)]);
    expect(await readPoints(file(name), {rows})).toMatchObject({rowCount: 10, coords: Float32Array.from(expected)});
    await expect(readPoints(file(name), {rows: [[0, 11]]})).rejects.toThrow('has 10 rows; expected 11');
  });

  it.each([[[[-1, 2]]], [[[0.5, 2]]], [[[5, 2]]], [[[NaN, 3]]], [[[1]]], ['x'], [[5]]])(
    'are refused as %j',
    async (rows) => {
      for (const name of ['c.npy', 'c.parquet']) {
        await writePoints(file(name), points);
        // @ts-expect-error not ranges
        const reading = readPoints(file(name), {rows});
        await expect(reading).rejects.toThrow(/^rows = .*; expected ranges \[start, end\) of integers/);
      }
    },
  );

  it('convert to a requested precision', async () => {
    const {rowCount = 0} = await readPoints(fixture('ci1.npy'), {rows: []});
    const {coords} = await readPoints(fixture('ci1.npy'), {rows: [[0, rowCount]], precision: 'float64'});
    expect(coords).toEqual((await readPoints(fixture('ci1.npy'), {precision: 'float64'})).coords);
  });

  it('are refused of Fortran order, and of text', async () => {
    await expect(readPoints(fixture('fortran-f4.npy'), {rows: []})).rejects.toThrow('Fortran order');
    await expect(readPoints(fixture('savetxt.csv'), {rows: []})).rejects.toThrow('no ranges of rows for a .csv file');
  });
});

describe('a blob', () => {
  it.for(['d.npy', 'd.csv', 'd.f32', 'd.geojson', 'd.parquet'])('has the points of its file: %s', async (name) => {
    const points = {dim: 2, coords: Float32Array.from({length: 300}, (_, k) => k)};
    await writePoints(file(name), points);
    const blob = new File([readFileSync(file(name))], name);
    expect(await readPoints(blob, {dim: 2})).toEqual(await readPoints(file(name), {dim: 2}));
    await expect(readPoints(new File([], name), {dim: 2})).rejects.toThrow(`${name}: is empty; expected points`);
  });
});

describe('a choice among the columns of numbers', () => {
  it.for([
    ['id,name,lat,lon\n1,Ulm,48.4,9.99\n2,Bonn,50.7,7.1\n', ['id', 'lat', 'lon'], [48.4, 9.99, 50.7, 7.1]],
    ['1;a;3\n4;b;6\n', ['0', '2'], [1, 3, 4, 6]],
  ] as const)('sees their names: %j', async ([text, names, coords]) => {
    writeFileSync(file('e.csv'), text);
    const seen: string[] = [];
    const columns = (ofNumbers: readonly string[]): readonly string[] => {
      seen.push(...ofNumbers);
      return ofNumbers.slice(-2);
    };
    expect([...(await readPoints(file('e.csv'), {columns})).coords]).toEqual(coords);
    expect(seen).toEqual(names);
  });
});
