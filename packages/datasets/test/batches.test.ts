import {writeFileSync} from 'node:fs';
import {describe, expect, it} from 'vitest';
import {DatasetFormatError, describeNpy, readCsvBatches, readNpyRows, readPoints, writePoints} from '../src/index.ts';
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

describe('readNpyRows', () => {
  it('returns any range of rows', async () => {
    const points = {dim: 3, coords: Float32Array.from({length: 30}, (_, k) => k)};
    await writePoints(file('c.npy'), points);
    const rows = await describeNpy(file('c.npy'), undefined, 'source');
    expect(rows).toEqual({rowCount: 10, dim: 3, precision: 'float32'});
    expect((await readNpyRows(file('c.npy'), rows, 2, 5)).coords).toEqual(points.coords.subarray(6, 15));
  });

  it('converts to a requested precision', async () => {
    const rows = await describeNpy(fixture('ci1.npy'), undefined, 'float64');
    expect((await readNpyRows(fixture('ci1.npy'), rows, 0, rows.rowCount)).coords).toBeInstanceOf(Float64Array);
  });

  it('refuses Fortran order', async () => {
    await expect(describeNpy(fixture('fortran-f4.npy'), undefined, 'source')).rejects.toThrow('Fortran order');
  });
});
